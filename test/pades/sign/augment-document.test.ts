import { Buffer } from 'node:buffer'
import t, { type Test } from 'tap'
import {
  augmentDocument,
  signDocument,
  validateSignatures,
  type AugmentRequest,
  type SigningRequest,
} from '../../../pades/index.ts'
import * as pki from '../../fixtures/pki.ts'
import { smallDocument } from '../../fixtures/signed-by-all.ts'

const YEAR_MS = 365 * 24 * 3600 * 1000
const LATER = new Date(pki.NOW.getTime() + 4 * YEAR_MS)
const MUCH_LATER = new Date(pki.NOW.getTime() + 8 * YEAR_MS)

const { certificates, algorithm, sign } = pki.published.seal
const LASTING: SigningRequest = {
  signers: [],
  seal: { fieldName: 'Seal', name: 'Seal', credential: { certificates, algorithm, sign } },
  sealedAt: pki.NOW,
  timeStamp: (digest) => pki.publishedStamp(digest),
  longTerm: pki.longTerm,
}
const { longTerm: _, ...STAMPED } = LASTING

/** An authority that lives when the first ones have ended. */
const successor = await pki.identity({
  profile: 'tsa',
  subject: { commonName: 'Next TSA' },
  issuer: pki.published.ca,
  notBefore: new Date('2029-01-01Z'),
  notAfter: new Date('2035-06-01Z'),
  publishedAt: { crlUrl: 'http://pki.example/issuing.crl' },
})

/** What is published at a time. */
async function augmenting(at: Date, more: Partial<AugmentRequest> = {}): Promise<AugmentRequest> {
  const times = {
    thisUpdate: new Date(at.getTime() - 60_000),
    nextUpdate: new Date(at.getTime() + 7 * 24 * 3600 * 1000),
  }
  const revocationLists = [
    await pki.revocationList(pki.published.ca, [], times),
    await pki.revocationList(pki.root, [], times),
  ]
  return {
    augmentedAt: at,
    timeStamp: (digest) => pki.stamp(digest, at, successor),
    longTerm: {
      fieldName: 'Archive',
      revocation: async () => ({ revocationLists, ocspResponses: [] }),
    },
    ...more,
  }
}

async function judged(pdf: Uint8Array, validationTime: Date) {
  const report = await validateSignatures(pdf, { trustAnchors: pki.trustAnchors, validationTime })
  return report
}

async function isLasting(t: Test, pdf: Uint8Array, at: Date, timeStamps: number): Promise<void> {
  const { signatures, documentTimestamps, summary } = await judged(pdf, at)
  t.match(signatures, [{ indication: 'TOTAL_PASSED', level: 'PAdES-BASELINE-LTA' }])
  t.equal(documentTimestamps.length, timeStamps)
  for (const { indication, errors } of documentTimestamps) {
    t.equal(indication, 'TOTAL_PASSED', JSON.stringify(errors))
  }
  t.not(summary.documentModifiedAfterSigning, 'notPermitted')
}

t.test(
  'a document that is stamped in time outlives the authorities of its signature',
  async (t) => {
    const first = await signDocument(await smallDocument(), LASTING)
    await isLasting(t, first.bytes, pki.NOW, 1)
    const second = await augmentDocument(first.bytes, await augmenting(LATER))
    t.ok(Buffer.from(second.bytes.subarray(0, first.bytes.length)).equals(first.bytes), 'a prefix')
    await isLasting(t, second.bytes, LATER, 2)
    t.ok(MUCH_LATER > new Date('2031-01-01Z'), 'when seal and first authority have ended')
    await isLasting(t, second.bytes, MUCH_LATER, 2)
    const { signatures } = await judged(first.bytes, MUCH_LATER)
    t.not(signatures[0]?.indication, 'TOTAL_PASSED', 'without it, it would not be valid any more')
  },
)

t.test('a third stamp follows the second', async (t) => {
  const first = await signDocument(await smallDocument(), LASTING)
  const second = await augmentDocument(first.bytes, await augmenting(LATER))
  const third = await augmentDocument(second.bytes, await augmenting(MUCH_LATER))
  await isLasting(t, third.bytes, MUCH_LATER, 3)
})

t.test('a document with no more than time-stamps is made to last', async (t) => {
  const stamped = await signDocument(await smallDocument(), STAMPED)
  const before = await judged(stamped.bytes, pki.NOW)
  t.equal(before.signatures[0]?.level, 'PAdES-BASELINE-T')
  const request = await augmenting(pki.NOW, { timeStamp: (digest) => pki.publishedStamp(digest) })
  const lasting = await augmentDocument(stamped.bytes, request)
  await isLasting(t, lasting.bytes, pki.NOW, 1)
})

t.test('without revocation data nothing is made', async (t) => {
  const first = await signDocument(await smallDocument(), LASTING)
  const request = await augmenting(LATER)
  const silent = async () => ({ revocationLists: [], ocspResponses: [] })
  const longTerm = { ...request.longTerm, revocation: silent }
  await t.rejects(augmentDocument(first.bytes, { ...request, longTerm }), {
    code: 'REVOCATION_DATA_MISSING',
  })
})

t.test('a document without signatures is refused', async (t) => {
  const request = await augmenting(LATER)
  await t.rejects(augmentDocument(await smallDocument(), request), { code: 'NO_SIGNATURES' })
})
