/** Which references into nothing signing could fill. */
import type { Buffer } from 'node:buffer'
import t from 'tap'
import type { PdfDocument } from '../../../pades/pdf/document.ts'
import { readDocument } from '../../../pades/pdf/open.ts'
import { assertNoOpenEnds } from '../../../pades/sign/open-ends.ts'
import { buildPdf, FIRST_EXTRA } from '../../fixtures/pdf.ts'
import { janka } from '../../fixtures/pki.ts'
import { signerRequest, signSample } from '../validate/sample.ts'

const sizeOf = (pdf: Buffer) => readDocument(pdf, (document: PdfDocument) => document.size)

/** Numbers that one signer takes with so many places on a document that others have signed. */
async function taken(signed: Buffer, count: number): Promise<number> {
  const one = signerRequest(janka, 'Place', 100)
  const places = Array.from({ length: count }, () => one.places).flat()
  return sizeOf(await signSample(signed, { signers: [{ ...one, places }] })) - sizeOf(signed)
}

t.test('all numbers count that fifty places of each signer take', async (t) => {
  const signed = await signSample(buildPdf({ structure: 'stream' }))
  const ofPlace = (await taken(signed, 3)) - (await taken(signed, 2))
  const signers = 50
  const last = signers * 50 * ofPlace
  const leadingTo = (number: number) =>
    buildPdf({ structure: 'stream', catalog: `/Metadata ${number} 0 R`, objects: ['null'] })
  const check = (beyond: number) =>
    readDocument(leadingTo(FIRST_EXTRA + 1 + beyond), (document) =>
      assertNoOpenEnds(document, signers),
    )
  t.throws(() => check(last), { code: 'DEFIES_SIGNING' })
  t.doesNotThrow(() => check(10 * last))
})
