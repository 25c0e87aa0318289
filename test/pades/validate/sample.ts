/** A small PDF, signed by two people and sealed, for the tests of validation. */

import { Buffer } from 'node:buffer'
import { createHash } from 'node:crypto'
import { readDrawing } from '../../../pades/appearance/drawing.ts'
import type { SignerRequest, SigningRequest } from '../../../pades/sign/request.ts'
import { RunningDigests } from '../../../pades/sign/running-digests.ts'
import { runSteps, signDocument } from '../../../pades/sign/sign-document.ts'
import { buildPdf } from '../../fixtures/pdf.ts'
import type { Identity } from '../../fixtures/pki.ts'
import { janka, lubos, NOW, seal, stamp, trustAnchors } from '../../fixtures/pki.ts'

/** Within the life of the participants' certificates. */
export const OPTIONS = { trustAnchors, validationTime: new Date(NOW.getTime() + 3_600_000) }
/** Years later: only the time-stamps show that the certificates were valid. */
export const LATER = { trustAnchors, validationTime: new Date('2028-01-01T00:00:00Z') }

const DRAWING = readDrawing('M0 20 C20 0 40 40 60 20 S100 0 120 20')

export function signerRequest(identity: Identity, name: string, y: number): SignerRequest {
  return {
    fieldName: name,
    name,
    places: [{ page: 1, x: 72, y, width: 200, height: 60, unit: 'pt' }],
    appearance: { drawing: DRAWING, lines: [name] },
    credential: () => identity,
  }
}

export const SIGNERS: readonly SignerRequest[] = [
  signerRequest(janka, 'Janka', 500),
  signerRequest(lubos, 'Lubos', 600),
]

/**
 * As {@link signSample}, with digests that leave out the original: a test may change it afterwards
 * into what the service would not sign, and validates behind it.
 */
export async function signAround(original: Uint8Array): Promise<Buffer> {
  const file = { bytes: original, digests: () => new RunningDigests(createHash('sha256')) }
  const { tail } = await runSteps(file, requestOf({}), [])
  return Buffer.concat([original, tail])
}

const requestOf = (changes: Partial<SigningRequest>): SigningRequest => ({
  signers: SIGNERS,
  seal: { fieldName: 'Seal', name: 'Test Seal', credential: seal },
  sealedAt: NOW,
  timeStamp: (digest) => stamp(digest),
  ...changes,
})

/** Signs as two participants and seals, each with a time-stamp. */
export async function signSample(
  original: Uint8Array = buildPdf(),
  changes: Partial<SigningRequest> = {},
): Promise<Buffer> {
  const signed = await signDocument(original, requestOf(changes))
  return Buffer.from(signed.bytes)
}
