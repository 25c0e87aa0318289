import { Buffer } from 'node:buffer'
import t from 'tap'
import { readDocument } from '../../../pades/pdf/open.ts'
import { assertUnambiguous } from '../../../pades/sign/unambiguous.ts'
import { growsLinearized } from '../../../pades/syntax/linearized.ts'
import { buildPdf, startXref } from '../../fixtures/pdf.ts'
import { OPTIONS, signAround } from '../validate/sample.ts'
import { validateBehind } from '../../../pades/validate/validate-signatures.ts'

const HEADER = '%PDF-1.7\n'
/** More than the file has, and less than it has once it is signed. */
const LENGTH = 20_000

/** A file that begins with the text; its only cross-reference is the one at its end. */
function beginningWith(first: string, header = HEADER): Buffer {
  const rest = buildPdf().toString('latin1').slice(HEADER.length)
  const shift = header.length - HEADER.length + first.length
  const moved = rest.replace(/(\d{10}) 00000 n/g, (_, offset: string) => {
    return `${String(Number(offset) + shift).padStart(10, '0')} 00000 n`
  })
  const start = startXref(buildPdf()) + shift
  const end = moved.replace(/startxref\n\d+/, `startxref\n${start}`)
  return Buffer.from(header + first + end, 'latin1')
}

const HINTS = '/H [600 40] /O 10 /E 900 /N 1 /T 1000'
const dictionary = (entries: string) =>
  `30 0 obj\n<< /Linearized 1 ${entries} ${HINTS} >>\nendobj\n`

/** In each of these, Poppler or pdf.js finds a length. */
const HIDDEN: Readonly<Record<string, string>> = {
  'a string holds endobj': dictionary(`/X (endobj) /L ${LENGTH}`),
  'a string holds a percent sign': dictionary(`/X (%) /L ${LENGTH}`),
  'a string is longer than a window': dictionary(`/X (${'x'.repeat(70_000)}) /L 99999999`),
  'the length has many zeros': dictionary(`/L 00000000000000000${LENGTH}`),
  'the length has a minus sign within': dictionary('/L 200-00'),
  'the length has an exponent': dictionary('/L 2e4'),
  'the length is a real number': dictionary(`/L ${LENGTH}.0`),
  'the length is there twice': dictionary(`/L 1 /L ${LENGTH}`),
  'the keys have escapes': dictionary(`/#4C ${LENGTH}`).replace('/Lin', '/L#69n'),
  'a comment is in the object header': dictionary(`/L ${LENGTH}`).replace('30 0', '30 %\n0'),
  'the object has a sign': `+${dictionary(`/L ${LENGTH}`)}`,
}

const grows = (file: Buffer) => readDocument(file, (document) => growsLinearized(document))

t.test('a length that is hidden from a careless search is found', (t) => {
  for (const [what, first] of Object.entries(HIDDEN)) {
    const file = beginningWith(first)
    t.equal(grows(file), true, what)
    t.throws(() => readDocument(file, assertUnambiguous), { code: 'AMBIGUOUS' }, what)
  }
  const inLine = dictionary(`/L ${LENGTH}`).replaceAll('\n', ' ')
  const inHeader = `%PDF-1.7${' '.repeat(2_000)}${inLine}\n`
  t.equal(grows(beginningWith('', inHeader)), true, 'the object is in the line of the header')
  t.end()
})

t.test('what no reader takes for the parameters of a linearized file is none', (t) => {
  const harmless: Readonly<Record<string, string>> = {
    'a file without them': '',
    'a comment': `%${dictionary(`/L ${LENGTH}`).replaceAll('\n', ' ')}\n`,
    'an object that is odd otherwise': '30 0 obj\n<< /X --5 >>\nendobj\n',
    'an object that is not a dictionary': '30 0 obj\n[/Linearized 1]\nendobj\n',
    'the length that the file has': dictionary(`/L ${beginningWith(dictionary('/L 100')).length}`),
  }
  for (const [what, first] of Object.entries(harmless)) {
    const file = beginningWith(first)
    t.equal(grows(file), false, what)
    t.doesNotThrow(() => readDocument(file, assertUnambiguous), what)
  }
  t.end()
})

t.test('a signed file with a hidden length does not pass', async (t) => {
  const original = beginningWith('30 0 obj\n<< /X 1 /Y (12345678901234567890) >>\nendobj\n')
  const signed = await signAround(original)
  const first = '30 0 obj\n<</Linearized 1/X(%)/L 99999>> '
  const hidden = Buffer.from(signed)
  hidden.write(`${first.padEnd(46)}endobj\n`, HEADER.length, 'latin1')
  const indicationOf = async (file: Buffer) => {
    const { report } = await validateBehind(file, OPTIONS, original.length)
    return report.signatures[0]
  }
  t.match(await indicationOf(signed), { indication: 'TOTAL_PASSED' })
  t.match(await indicationOf(hidden), {
    indication: 'INDETERMINATE',
    errors: [{ key: 'LINEARIZED_LATER' }],
  })
})
