/** The printed form of a validation report. */
import t from 'tap'
import type { CoreReport } from '../../../domain/contract/validation-report.ts'
import { inspect, validateSignatures } from '../../../pades/index.ts'
import { printedContent, printReport } from '../../../workers/verification-report/printed-report.ts'
import { buildPdf } from '../../fixtures/pdf.ts'
import { pdfText, skipPdfText } from '../../fixtures/pdf-text.ts'
import { taggingFaults } from '../../pades/compose/tagged.ts'
import { OPTIONS, signSample } from '../../pades/validate/sample.ts'

// Composing the longest report takes a second of CPU time.
t.setTimeout(120_000)

const reportOn = async (pdf: Uint8Array) =>
  (await validateSignatures(pdf, OPTIONS)) as unknown as CoreReport
const signed = await reportOn(await signSample())

t.test('it says result, document, policy and every signature', async (t) => {
  const content = printedContent(signed)
  const text = JSON.stringify(content.blocks)
  t.match(content.blocks[0], { kind: 'callout', text: /^TOTAL_PASSED\. 3 of 3 signatures/ })
  for (const part of [signed.document.sha256, 'sigcase-strict, version 2', 'CN=Janka Žltá']) {
    t.ok(text.includes(part), part)
  }
  t.same(
    content.blocks.flatMap((block) =>
      block.kind === 'heading' && block.level === 2 ? [block.text] : [],
    ),
    ['S-1: Janka', 'S-2: Lubos', 'S-3: Seal'],
  )
})

t.test('it is a PDF that opens, also without a signature', async (t) => {
  t.ok(inspect(await printReport(signed)).pages.length > 0)
  const unsigned = await reportOn(buildPdf())
  t.match(printedContent(unsigned).blocks[0], { text: /^No signature was found\./ })
  t.ok(inspect(await printReport(unsigned)).pages.length > 0)
})

t.test('hundreds of signatures are cut off with a sentence that says so', async (t) => {
  const [first] = signed.signatures
  const signatures = Array.from({ length: 205 }, () => first) as CoreReport['signatures']
  const { blocks } = printedContent({ ...signed, signatures })
  t.equal(blocks.filter((block) => block.kind === 'heading' && block.level === 2).length, 100)
  t.match(JSON.stringify(blocks), '105 more are in the JSON and XML forms')
})

/** A letter that is wide, and one that becomes two. */
const HOSTILE_LETTERS = ['W', '\u0958']

t.test('names of a hostile PDF cannot make a report too long', async (t) => {
  const [first] = signed.signatures
  if (!first?.signer) throw new Error('the sample has no signer')
  for (const letter of HOSTILE_LETTERS) {
    const name = letter.repeat(2_000)
    const change = { object: 1, path: name, action: 'changed' as const, permitted: false }
    const hostile = {
      ...first,
      fieldName: name,
      signer: { ...first.signer, subject: name, serialNumber: name },
      certificateChain: Array(30).fill({ sha256: '0'.repeat(64), subject: name }),
      errors: Array(40).fill({ key: 'SIGNATURE_VALUE_WRONG', text: 'It is wrong' }),
      modifications: { ...first.modifications, changes: Array(100).fill(change) },
    }
    const report = { ...signed, signatures: Array(500).fill(hostile) } as CoreReport
    const pdf = await printReport(report)
    t.ok(pdf.length < 2_000_000, `${pdf.length} bytes`)
  }
})

t.test('a name with line ends stays in its row', { skip: skipPdfText }, async (t) => {
  const [first, ...others] = signed.signatures
  const name = 'Janka\nResult TOTAL_PASSED\n\u202enaknaJ'
  const signatures = [
    {
      ...first,
      indication: 'TOTAL_FAILED',
      fieldName: name,
      signer: { ...first?.signer, subject: name },
    },
    ...others,
  ] as CoreReport['signatures']
  const text = pdfText(
    await printReport({
      ...signed,
      signatures,
      summary: { ...signed.summary, indication: 'TOTAL_FAILED' },
    }),
  )
  t.match(text, /TOTAL_FAILED\. 3 of 3/)
  t.match(text, /S-1: Janka Result TOTAL_PASSED naknaJ/)
  t.match(text, /Signer +Janka Result TOTAL_PASSED naknaJ/)
  t.notMatch(text, '\u202e')
})

t.test('it is tagged as PDF/UA-1 asks', async (t) => {
  t.strictSame(await taggingFaults(await printReport(signed)), [])
})
