import { Buffer } from 'node:buffer'
import t from 'tap'
import { PadesError } from '../../../pades/errors.ts'
import { Parser } from '../../../pades/pdf/parser.ts'
import { serialise, textSource } from '../../../pades/pdf/serialise.ts'
import { PdfName, PdfReference, PdfStream, PdfString } from '../../../pades/pdf/values.ts'

const parserOf = (source: string, maxWeight = 10_000) => {
  const bytes = Buffer.from(source, 'latin1')
  return new Parser(bytes, 0, bytes.length, maxWeight)
}
const read = (source: string) => parserOf(source).readValue()
const text = (source: string) => {
  const value = read(source)
  return value instanceof PdfString ? Buffer.from(value.bytes).toString('latin1') : value
}

t.test('numbers are read with signs, fractions and the faults of producers', async (t) => {
  t.equal(read('12 '), 12)
  t.equal(read('-17.25'), -17.25)
  t.equal(read('+.5'), 0.5)
  t.equal(read('4.'), 4)
  t.equal(read('--5'), -5)
  t.equal(read('841.8898'), 841.8898)
  t.equal(read('99999999999'), 99_999_999_999)
})

t.test('two integers and R are a reference, and nothing else is', async (t) => {
  t.same(read('12 3 R'), new PdfReference(12, 3))
  t.same(read('[1 2 R 3 4]'), [new PdfReference(1, 2), 3, 4])
  t.same(read('[1 2 RG]'), [1, 2, null])
  t.same(read('[1 2 3]'), [1, 2, 3])
  t.same(read('[7 % c\n 0 R]'), [new PdfReference(7, 0)])
})

t.test('names decode their number signs', async (t) => {
  t.same(read('/Name'), new PdfName('Name'))
  t.same(read('/A#20B#2f'), new PdfName('A B/'))
  t.same(read('/#zz'), new PdfName('#zz'))
  t.same(read('/'), new PdfName(''))
})

t.test('strings decode escapes, octal codes, nested brackets and line ends', async (t) => {
  t.equal(text('(a(b)c)'), 'a(b)c')
  t.equal(text(String.raw`(\n\r\t\(\)\\\101\7z\x)`), '\n\r\t()\\A\x07zx')
  t.equal(text('(a\\\r\nb\r\nc\rd)'), 'ab\nc\nd')
  t.equal(text('<48 65 6C6c 6>'), 'Hell`')
  t.equal(text('(never closed'), 'never closed')
})

t.test('dictionaries take the last of two equal keys and drop null values', async (t) => {
  t.same(
    read('<< /A 1 /B null /A 2 /C [<<>>] >>'),
    new Map<string, unknown>([
      ['A', 2],
      ['C', [new Map()]],
    ]),
  )
})

t.test(
  'containers that are not closed end at the next keyword of the file structure',
  async (t) => {
    const parser = parserOf('1 0 obj << /A [1 2 /B 3 endobj 2 0 obj 7')
    const object = parser.readIndirectObject()
    t.same(object?.value, new Map([['A', [1, 2, new PdfName('B'), 3]]]))
    t.ok(parser.takeKeyword('endobj'))
    t.equal(parser.readIndirectObject()?.value, 7)
  },
)

t.test('a stream begins after the line end of its keyword', async (t) => {
  for (const eol of ['\n', '\r\n', ' \r\n']) {
    const source = `5 1 obj\n<< /Length 3 >>\nstream${eol}abc\nendstream`
    const object = parserOf(source).readIndirectObject()
    t.ok(object?.value instanceof PdfStream)
    if (object?.value instanceof PdfStream) t.equal(object.value.start, source.indexOf('abc'))
    t.equal(object?.generation, 1)
  }
})

t.test('values nested deeper than a hundred levels and too many values are refused', async (t) => {
  const refused = (source: string, maxWeight?: number) => {
    try {
      parserOf(source, maxWeight).readValue()
    } catch (error) {
      return error instanceof PadesError ? error.code : error
    }
    return undefined
  }
  t.equal(refused(`${'['.repeat(100)}${']'.repeat(100)}`), undefined)
  t.equal(refused('['.repeat(101)), 'LIMIT_EXCEEDED')
  t.equal(refused('<</A'.repeat(101)), 'LIMIT_EXCEEDED')
  t.equal(refused('[1 2 3]', 5), 'LIMIT_EXCEEDED')
  t.equal(refused(`/${'n'.repeat(5_000)}`), 'LIMIT_EXCEEDED')
})

t.test('what is written reads back as the same value', async (t) => {
  const sources = [
    'null',
    'true',
    'false',
    '0',
    '-0.0000001',
    '123456789012',
    '1.5',
    '/A#20#23b',
    '()',
    String.raw`(brackets \(\) and \\)`,
    '<00ff>',
    '12 5 R',
    '[1 [2 /N] << /A (x) /B 3 0 R >>]',
  ]
  for (const source of sources) t.same(read(serialise(read(source))), read(source), source)
  t.notMatch(serialise(1e300), /e/, 'no exponents')
  t.notMatch(serialise(1.25e-9), /e/, 'no exponents')
})

t.test('text beyond ASCII is written as UTF-16 with its mark', async (t) => {
  t.equal(textSource('Jana (1)'), String.raw`(Jana \(1\))`)
  t.equal(textSource('Ľuboš'), '<feff013d00750062006f0161>')
})
