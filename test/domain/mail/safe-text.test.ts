import t from 'tap'
import {
  escapeHtml,
  inSentence,
  plainAddress,
  shortened,
  singleLine,
} from '../../../domain/mail/safe-text.ts'

t.test('a name is one line of visible characters', async (t) => {
  t.equal(
    singleLine(' Ján\r\nBcc: x@y.example\u2028\u202eevil\u200b '),
    'Ján Bcc: x@y.example evil',
  )
  t.equal(singleLine('e\u0301'), 'é', 'composed')
  t.equal(singleLine('a\ud800b'), 'a\ufffdb', 'well-formed')
})

t.test('a joiner stays where it is seen, and nowhere else', async (t) => {
  for (const kept of [
    'علی\u200cرضا', // Persian: Ali-Reza
    'مه\u200cدی',
    'ශ්\u200dරී', // Sinhala: Shri
    'क्\u200cष',
    'ന്\u200dറെ',
    '👩\u200d👩\u200d👧\u200d👦 Nová',
    '👩🏽\u200d⚖\ufe0f',
    '🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}', // the flag of England
  ]) {
    t.equal(singleLine(kept), kept.normalize('NFC'), kept)
  }
  for (const [given, shown] of [
    ['A\u200dda', 'Ada'],
    ['Ad\u200ca', 'Ada'],
    ['محمد\u200cرضا', 'محمدرضا'],
    ['عل\u200dی', 'علی'],
    ['علی\u200c\u200cرضا', 'علیرضا'],
    ['علی\u200c', 'علی'],
    ['क\u200dष', 'कष'],
    ['क्\u200d', 'क्'],
    ['😀\u200d😀', '😀😀'],
    ['👩\u200d👩\u200d', '👩👩'],
    ['🏴\u{e0067}a\u{e007f}', '🏴a'],
  ] as const) {
    t.equal(singleLine(given), shown, JSON.stringify(given))
  }
})

t.test('a long text ends with an ellipsis, and no character is cut', async (t) => {
  t.equal(shortened('short', 5), 'short')
  t.equal(shortened('too long', 5), 'too…')
  t.equal([...shortened('🖋'.repeat(9), 4)].length, 4)
})

t.test('a right-to-left name does not turn the words around it', async (t) => {
  t.equal(inSentence('עדה'), '\u2068עדה\u2069')
  t.equal(inSentence('Ada'), 'Ada')
})

t.test('an address cannot end early', async (t) => {
  t.equal(plainAddress('a.b+c@x.example'), 'a.b+c@x.example')
  t.equal(plainAddress('a@x.example>, <b@y.example'), 'a@x.exampleb@y.example')
})

t.test('text is escaped for elements and attributes', async (t) => {
  t.equal(
    escapeHtml(`<a href="x" title='&'>`),
    '&lt;a href=&quot;x&quot; title=&#39;&amp;&#39;&gt;',
  )
})
