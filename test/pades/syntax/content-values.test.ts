/** The judge reads operands of content streams as every reader does. */
import { Buffer } from 'node:buffer'
import t from 'tap'
import { hasCharacters, numbersIn } from '../../../pades/syntax/content-values.ts'
import { findContentFault } from '../../../pades/syntax/content.ts'

/** Names of the resources that a content uses. */
function usedBy(content: string): string[] {
  const used: string[] = []
  const fault = findContentFault(Buffer.from(content, 'latin1'), [], {
    hasResource: () => true,
    onResource: (_category, name) => used.push(name),
  })
  t.equal(fault, undefined, content)
  return used
}

t.test('resources have the names that the grammar of PDF gives them', async (t) => {
  t.strictSame(usedBy('/G#21 gs /G\u0000gs /G gs'), ['G!', 'G', 'G'])
  // They are white space in JavaScript, and not in PDF (7.2.3).
  t.strictSame(usedBy('/G\u00a0 gs /G\u000b gs'), ['G\u00a0', 'G\u000b'])
  t.strictSame(usedBy('BT /F\u00a0 9 Tf /F\u0000 9 Tf ET'), ['F\u00a0', 'F'])
  t.strictSame(usedBy('/Pattern cs /P\u00a0 scn'), ['Pattern', 'P\u00a0'])
})

t.test('a comment among operands is refused', async (t) => {
  const faultOf = (content: string) => findContentFault(Buffer.from(content, 'latin1'))
  for (const content of [
    '/G %/H\n gs',
    '/F 0 %9\n Tf',
    '1 0 %\n 0 0 0 0 cm',
    '[ %\n 3 3 ] 0 d',
    'BT [ (a) %\n ] TJ ET',
    '/Span << %\n >> BDC EMC',
  ]) {
    t.equal(faultOf(content), 'CONTENT_OPERANDS', content)
  }
  const taken = '% a\n/G gs % b\n%\n0 0 9 9 re % c\nf BT (50 %) Tj ET % d'
  t.equal(faultOf(taken), undefined)
  t.equal(faultOf('BI /W 1 % a\n/H 1 /BPC 8 /CS /G ID \u0080 EI'), undefined)
})

t.test('numbers are between white space of PDF', async (t) => {
  t.strictSame(numbersIn('1\u00002\f.\n-3'), [1, 2, 0, -3])
  t.strictSame(numbersIn('/F\u00a09 1'), [Number.NaN, 1])
})

t.test('strings without characters are found', async (t) => {
  for (const empty of ['', '()', '<>', '< \u0000>', '(\\\n)', '(\\\r\n\\\r)', '[(a) ()]']) {
    t.notOk(hasCharacters(empty), JSON.stringify(empty))
  }
  for (const source of ['(a)', '<61>', '[(a) 3 (\\(\\))]', '(\\\na)']) t.ok(hasCharacters(source))
})
