/** Shared parts of the signing rows: signers with local keys, requests, and peers. */
import { createHash } from 'node:crypto'
import { readDrawing, type Credential, type SigningRequest } from '../pades/index.ts'
import * as pki from '../test/fixtures/pki.ts'
import { libPdf } from './peers/libpdf.ts'
import { pdfLib } from './peers/pdf-lib.ts'
import type { SigningPeer } from './peers/peer.ts'
import type { Contender } from './measure.ts'

const PATH_DATA = 'M 4 30 C 20 2 36 2 40 24 S 60 44 72 20 S 104 6 120 28'
const FIELD = { page: 1, x: 60, y: 60, width: 180, height: 60, unit: 'pt' } as const
const GAP_PT = 20

const drawing = readDrawing(PATH_DATA)

const credentialOf = ({ certificates, algorithm, sign }: pki.Identity): Credential => ({
  certificates,
  algorithm,
  sign,
})

/** Signers with certificates, made once, because only `signjob` times the issuing. */
export async function people(count: number): Promise<Credential[]> {
  const names = Array.from({ length: count }, (_, index) => `Participant ${index + 1}`)
  return Promise.all(names.map(async (name) => credentialOf(await pki.published.signer(name))))
}

/**
 * Builds signature requests with drawing and text for each person, one below the other. Sealed
 * documents also get the seal, time-stamps and validation data.
 */
export function requestFor(signers: readonly Credential[], sealed: boolean): SigningRequest {
  return {
    signers: signers.map((credential, index) => ({
      fieldName: `participant-${index + 1}`,
      name: `Participant ${index + 1}`,
      places: [{ ...FIELD, y: FIELD.y + index * (FIELD.height + GAP_PT) }],
      appearance: { drawing, lines: [`Participant ${index + 1}`, '2026-06-01 12:00:00 UTC'] },
      credential: () => credential,
    })),
    ...(sealed ? { ...sealing, timeStamp, longTerm: pki.longTerm } : {}),
    sealedAt: pki.NOW,
  }
}

/** Issues a token of a time-stamp authority with a local key. */
export const timeStamp = (digest: Uint8Array): Promise<Uint8Array> => pki.publishedStamp(digest)

export const sealCredential = credentialOf(pki.published.seal)

const sealing = { seal: { fieldName: 'seal', name: 'Seal', credential: sealCredential } }

export const sha256Pass = (file: Uint8Array): Contender => {
  return () => void createHash('sha256').update(file).digest()
}

/** Loads installed peers, and lists the names of missing ones. */
export async function signingPeers(): Promise<{ present: SigningPeer[]; absent: string[] }> {
  const installed = [await libPdf(), pdfLib]
  return {
    present: installed.filter((peer) => peer !== undefined),
    absent: [...(installed[0] ? [] : ['@libpdf/core']), 'pyHanko (Python)'],
  }
}
