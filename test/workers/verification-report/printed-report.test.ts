/** The printed form of a validation report. */
import t from 'tap'
import type { CoreReport } from '../../../domain/contract/validation-report.ts'
import { inspect, validateSignatures } from '../../../pades/index.ts'
import { printedContent, printReport } from '../../../workers/verification-report/printed-report.ts'
import { buildPdf } from '../../fixtures/pdf.ts'
import { OPTIONS, signSample } from '../../pades/validate/sample.ts'

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
  t.equal(blocks.filter((block) => block.kind === 'heading' && block.level === 2).length, 200)
  t.match(JSON.stringify(blocks), '5 more are in the JSON and XML forms')
})
