/** The strict grammar: what it takes, what it tolerates, what it refuses. */
import { Buffer } from 'node:buffer'
import t from 'tap'
import { AmbiguousSyntax, type FaultCode } from '../../../pades/syntax/faults.ts'
import { type ScannedEntry, StrictScanner } from '../../../pades/syntax/scanner.ts'

interface Scan {
  end: number
  fault?: FaultCode
  tolerated: FaultCode[]
  references: string[]
}

function scan(source: string): Scan {
  const bytes = Buffer.from(source, 'latin1')
  const result: Scan = { end: 0, tolerated: [], references: [] }
  const scanner = new StrictScanner(bytes, 0, bytes.length, {
    tolerated: (code) => result.tolerated.push(code),
    reference: (number, generation) => result.references.push(`${number} ${generation}`),
  })
  try {
    scanner.scanValue()
  } catch (error) {
    if (!(error instanceof AmbiguousSyntax)) throw error
    result.fault = error.code
  }
  result.end = scanner.position
  return result
}

const TAKEN = [
  'true',
  'null',
  '0',
  '-17',
  '+3',
  '.5',
  '5.',
  '-0.001',
  '/Name',
  '/',
  '/A#20B',
  '/A#2FB',
  '(plain)',
  '(a (nested) string)',
  String.raw`(\n\r\t\b\f\(\)\\ \101 \1)`,
  '(line \\\nend)',
  '<48 65 6C>',
  '<>',
  '[]',
  '[1 2 0 R/Name(x)<41>[true]]',
  '<<>>',
  `${'['.repeat(50)}${']'.repeat(50)}`,
  '<</A/B/C 1/D(x)/E[1]>>',
  '<< /A 1 0 R /B 2 0 R >>',
]

for (const source of TAKEN) {
  t.test(`${JSON.stringify(source)} is taken whole`, async (t) => {
    const { end, fault, tolerated } = scan(source)
    t.same({ end, fault, tolerated }, { end: source.length, fault: undefined, tolerated: [] })
  })
}

const REFUSED: Readonly<Record<string, FaultCode>> = {
  '': 'UNCLOSED',
  '>': 'STRAY_TOKEN',
  ']': 'STRAY_TOKEN',
  '{': 'STRAY_TOKEN',
  foo: 'STRAY_TOKEN',
  trueish: 'STRAY_TOKEN',
  '[1': 'UNCLOSED',
  '[1 >>': 'STRAY_TOKEN',
  '<< /A 1': 'UNCLOSED',
  '<< /A 1 >': 'STRAY_TOKEN',
  '<< /A 1 > /B 2 >>': 'STRAY_TOKEN',
  '<< /A >>': 'KEY_WITHOUT_VALUE',
  '<< /A foo >>': 'STRAY_TOKEN',
  '<< 1 /A >>': 'STRAY_TOKEN',
  '<< /A 1 /A 2 >>': 'KEY_REPEATED',
  '<< /A 1 /#41 2 >>': 'NAME_ESCAPED_NEEDLESSLY',
  '<< /Resources null >>': 'NULL_INHERITABLE',
  '/A#4': 'NAME_ESCAPE',
  '/A#zz': 'NAME_ESCAPE',
  '/A#00': 'NAME_ESCAPE',
  [`/${'a'.repeat(128)}`]: 'NAME_TOO_LONG',
  '--5': 'NUMBER_ODD',
  '5-': 'NUMBER_ODD',
  '1.0.0': 'NUMBER_ODD',
  '1e3': 'NUMBER_ODD',
  '.': 'NUMBER_ODD',
  '12abc': 'NUMBER_ODD',
  [`${'0'.repeat(126)}100`]: 'NUMBER_TOO_LONG',
  [`1.${'0'.repeat(127)}`]: 'NUMBER_TOO_LONG',
  '2147483648': 'NUMBER_TOO_LARGE',
  '99999999999': 'NUMBER_TOO_LARGE',
  '(open': 'UNCLOSED',
  '(a (b)': 'UNCLOSED',
  [String.raw`(\777)`]: 'STRING_OCTAL_TOO_LARGE',
  '<4x>': 'HEX_STRING_ODD',
  '<41': 'UNCLOSED',
  '0 0 R': 'REFERENCE_ODD',
  '1 65536 R': 'REFERENCE_ODD',
  '9999999 0 R': 'REFERENCE_ODD',
  ['['.repeat(51)]: 'NESTED_TOO_DEEPLY',
  [`${'<</A'.repeat(51)} 1${'>>'.repeat(51)}`]: 'NESTED_TOO_DEEPLY',
}

for (const [source, fault] of Object.entries(REFUSED)) {
  t.test(`${JSON.stringify(source.slice(0, 40))} is ${fault}`, async (t) => {
    t.equal(scan(source).fault, fault)
  })
}

const TOLERATED: Readonly<Record<string, FaultCode>> = {
  '[1 %comment\n2]': 'COMMENT',
  '[1\x002]': 'ODD_WHITE_SPACE',
  '<< /A null >>': 'NULL_ENTRY',
  '<< /A 1 /A 1 >>': 'KEY_REPEATED_ALIKE',
  '<< /PageMode /A /PageMode /B >>': 'KEY_REPEATED_UNSEEN',
  '/\u00e9': 'NAME_NOT_ASCII',
  [`0.${'1'.repeat(40)}`]: 'NUMBER_LONG',
  [String.raw`(\q)`]: 'STRING_ESCAPE_ODD',
  '(a\rb)': 'STRING_LINE_END',
}

for (const [source, code] of Object.entries(TOLERATED)) {
  t.test(`${JSON.stringify(source.slice(0, 40))} is tolerated: ${code}`, async (t) => {
    const { end, fault, tolerated } = scan(source)
    t.same({ end, fault, tolerated }, { end: source.length, fault: undefined, tolerated: [code] })
  })
}

t.test('keys beyond those that are compared one by one are found twice as well', async (t) => {
  const keys = Array.from({ length: 60 }, (_, at) => `/K${at} ${at}`).join(' ')
  t.equal(scan(`<< ${keys} >>`).fault, undefined)
  t.equal(scan(`<< ${keys} /K59 0 >>`).fault, 'KEY_REPEATED')
  t.equal(scan(`<< ${keys} /K3 0 >>`).fault, 'KEY_REPEATED')
})

t.test('references and entries are reported with their places', async (t) => {
  const source = '<< /A 12 0 R /B [3 1 R] /C 12 >>'
  t.same(scan(source).references, ['12 0', '3 1'])
  const bytes = Buffer.from(source)
  const entries: ScannedEntry[] = []
  const silent = { tolerated: () => undefined, reference: () => undefined }
  new StrictScanner(bytes, 0, bytes.length, silent).scanDictionary(
    (key, keyStart, valueStart, valueEnd) => entries.push({ key, keyStart, valueStart, valueEnd }),
  )
  t.same(
    entries.map(({ key, valueStart, valueEnd }) => [key, source.slice(valueStart, valueEnd)]),
    [
      ['A', '12 0 R'],
      ['B', '[3 1 R]'],
      ['C', '12'],
    ],
  )
})
