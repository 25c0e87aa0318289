import t from 'tap'

import { breakAnywhere, cleanText, lettersOf, wrapText } from '../../../pades/appearance/text.ts'

const widthOf = (text: string): number => [...text].length

t.test('what cannot be seen is dropped, and letters are composed', async (t) => {
  t.equal(cleanText('plain text'), 'plain text')
  t.equal(cleanText('L\u030Cubos\u030C'), 'Ľuboš')
  t.equal(cleanText('pay \u202E001\u202C \u2066x\u2069'), 'pay 001 x', 'direction overrides')
  t.equal(cleanText('a\u200Bb\u2060c\uFEFFd\u00ADe'), 'abcde', 'zero width')
  t.equal(cleanText('a\u0000b\u001Bc\u009Fd'), 'abcd', 'control characters')
  t.equal(cleanText('one\r\ntwo\tthree\u2028four'), 'one two three four')
  t.equal(cleanText('x\u3000y\u2003z'), 'x y z')
  t.equal(cleanText('❤\uFE0F'), '❤')
  t.equal(cleanText('\uD83D broken'), '\uFFFD broken')
  t.equal(cleanText(`x${'\u0334'.repeat(40)}`), `x${'\u0334'.repeat(3)}`, 'stacked marks')
})

t.test('usual characters, which are not looked at further, would stay as they are', async (t) => {
  const lookedAt = (text: string) => cleanText(`${text}\u3000`).slice(0, -1)
  const characters = Array.from({ length: 0x10000 }, (_, code) => String.fromCharCode(code))
  const different = characters.filter((one) => cleanText(`a${one}b`) !== lookedAt(`a${one}b`))
  t.same(different, [])
})

t.test('text is broken between words, and words only when they are too long', async (t) => {
  t.same(wrapText('the quick brown fox', widthOf, 9), ['the quick', 'brown fox'])
  t.same(wrapText('a abcdefghij b', widthOf, 4), ['a', 'abcd', 'efgh', 'ij b'])
  t.same(wrapText('  two   words ', widthOf, 20), ['two words'])
  t.same(wrapText('', widthOf, 5), [''])
  t.same(wrapText('do\u00A0not break', widthOf, 8), ['do\u00A0not', 'break'])
  t.same(breakAnywhere('abcdef', widthOf, 4), ['abcd', 'ef'])
  t.same(breakAnywhere('abc', widthOf, 0), ['a', 'b', 'c'], 'a character per row at least')
})

t.test('no row is wider than asked, and nothing is lost', async (t) => {
  const text = 'Wolfeschlegelsteinhausenbergerdorff Ľ Alexandra-Katarína x yy zzz'.repeat(5)
  for (let width = 1; width < 60; width += 1) {
    const rows = wrapText(text, widthOf, width)
    t.ok(rows.every((row) => widthOf(row) <= width))
    t.equal(rows.join('').replaceAll(' ', ''), text.replaceAll(' ', ''))
  }
})

t.test('a letter keeps its marks where a row ends', async (t) => {
  t.same(lettersOf('नीला'), ['नी', 'ला'])
  t.same(lettersOf('น้ำใจ'), ['น้ำ', 'ใ', 'จ'])
  t.same(lettersOf('Ján'), ['J', 'á', 'n'])
  const rows = breakAnywhere('नीनीनी', (text) => [...text].length, 3)
  t.same(rows, ['नी', 'नी', 'नी'])
})
