import { Buffer } from 'node:buffer'
import t from 'tap'
import { readDrawing } from '../../../pades/appearance/drawing.ts'
import { nameRightValues } from '../../../pades/cms/right-values.ts'
import { readSignedData } from '../../../pades/cms/signed-data-reader.ts'
import { forgetRightValues, rememberRightValues } from '../../../pades/cms/verify-value.ts'
import type { SignerRequest, SigningRequest } from '../../../pades/sign/request.ts'
import { signDocument } from '../../../pades/sign/sign-document.ts'
import { validateSignatures } from '../../../pades/validate/validate-signatures.ts'
import { buildPdf } from '../../fixtures/pdf.ts'
import * as pki from '../../fixtures/pki.ts'

const signerOf = (name: string, credential: pki.Identity): SignerRequest => ({
  fieldName: name,
  name,
  places: [{ page: 1, x: 0.1, y: 0.1, width: 0.3, height: 0.1, unit: 'fraction' }],
  appearance: { drawing: readDrawing('M 5 25 L 95 10'), lines: [name] },
  credential: () => credential,
})

const { janka, lubos, seal } = pki.published
const REQUEST: SigningRequest = {
  signers: [signerOf('Janka', janka), signerOf('Lubos', lubos)],
  seal: { fieldName: 'seal', name: 'Service', credential: seal },
  sealedAt: pki.NOW,
  timeStamp: pki.publishedStamp,
  longTerm: pki.longTerm,
}
/** Three signatures, their time-stamps, and one over the document. */
const VALUES = 7
/** Signers, the seal, the authority of time-stamps, the issuing authority and the root. */
const CERTIFICATES = 6

t.test('judges verify none of the values that were named', async (t) => {
  const { bytes, containers } = await signDocument(buildPdf({}), REQUEST)
  const names = nameRightValues(containers)
  t.equal(names.length, VALUES + CERTIFICATES)
  const judge = async () => {
    const options = { trustAnchors: pki.trustAnchors, validationTime: pki.NOW }
    const { summary } = await validateSignatures(bytes, options)
    t.equal(summary.indication, 'TOTAL_PASSED')
  }
  forgetRightValues()
  await judge()
  const verified = forgetRightValues()
  rememberRightValues(names)
  await judge()
  t.equal(forgetRightValues(), verified, 'they know all of them by the same names')
})

t.test('a wrong value has no name', async (t) => {
  const { containers } = await signDocument(buildPdf({}), REQUEST)
  const [first = new Uint8Array()] = containers
  const { signers } = readSignedData(first)
  const { signature = new Uint8Array() } = signers[0] ?? {}
  const wrong = Buffer.from(first)
  const last = wrong.indexOf(signature) + signature.length - 1
  wrong[last] = (wrong[last] ?? 0) ^ 1
  forgetRightValues()
  t.equal(nameRightValues([first]).length - nameRightValues([wrong]).length, 1)
})
