/**
 * Rehearses a signing before anybody is asked to sign: the same increments, with substitutes for
 * keys and authorities, read again as a verifier does. Nothing of it is kept.
 */
import { Buffer } from 'node:buffer'
import { createHash } from 'node:crypto'

import { readDrawing } from '../appearance/drawing.ts'
import { PadesError } from '../errors.ts'
import type { PdfDocument } from '../pdf/document.ts'
import { readDocument } from '../pdf/open.ts'
import { readPages } from '../pdf/page-tree.ts'
import { PdfReference, type PdfValue } from '../pdf/values.ts'
import { findOpeningParts } from '../syntax/actions.ts'
import { coveredEnd } from '../validate/report.ts'
import { validateBehind } from '../validate/validate-signatures.ts'
import { MAX_REHEARSED_PAGES, planRehearsal } from './plan.ts'
import type { DrawnAnnotation, Placement, SigningRequest } from './request.ts'
import { RunningDigests } from './running-digests.ts'
import { runSteps } from './sign-document.ts'
import { makeStandIns, type StandIns } from './stand-ins.ts'

/** What is known of a signing before anybody signs. */
export interface Rehearsal {
  readonly signers: readonly {
    readonly fieldName: string
    readonly name: string
    /** At least one. */
    readonly places: readonly Placement[]
  }[]
  readonly seal: { readonly fieldName: string; readonly name: string }
  /** Name of the document time-stamp's field. */
  readonly archiveFieldName: string
  /** As of a {@link SigningRequest}. */
  readonly drawn?: readonly DrawnAnnotation[]
}

/** Any moment within the validity of the substitutes. */
const AT = new Date('2026-01-01T00:00:00Z')
const LEVEL = 'PAdES-BASELINE-LTA'
/** Made once for each process: those of another rehearsal would differ in their keys alone. */
let standIns: Promise<StandIns> | undefined
const drawing = readDrawing('M0 20 C20 0 40 40 60 20 S100 0 120 20')

/**
 * Signs a document as it is going to be signed, with substitutes, and reads the result. It costs no
 * pass over the file: digests are over what is appended alone, when they are made and when they
 * are checked.
 *
 * @param original neither copied nor changed
 * @param append gives the file followed by the octets; a copy when absent
 * @returns the signed file, as `append` gave it
 * @throws PadesError as `signDocument`; `DEFIES_SIGNING` when signatures would not be valid, would
 *   not last, or would not be shown
 */
export async function rehearse(
  original: Uint8Array,
  rehearsal: Rehearsal,
  append: (tail: Uint8Array) => Uint8Array = (tail) => Buffer.concat([original, tail]),
): Promise<Uint8Array> {
  standIns ??= makeStandIns(AT)
  const made = await standIns
  const file = { bytes: original, digests: digestsOverNothing }
  const request = requestFor(rehearsal, made)
  let size = 0
  const { tail, revisions } = await runSteps(file, request, [], (document) => {
    ;({ size } = document)
    return planRehearsal(document, request)
  })
  const signed = append(tail)
  const trusted = { trustAnchors: [made.root], validationTime: AT }
  const { report } = await validateBehind(signed, trusted, original.length)
  const own = report.signatures.filter((signature) => coveredEnd(signature) > original.length)
  const areGood = own.every(
    ({ indication, level }) => indication === 'TOTAL_PASSED' && level === LEVEL,
  )
  if (own.length !== revisions.length || !areGood) throw new PadesError('DEFIES_SIGNING')
  readDocument(signed, (document) => {
    assertShown(document, rehearsal, size)
    assertQuiet(document)
  })
  return signed
}

/** The original is left out. */
function digestsOverNothing(): RunningDigests {
  const digests = new RunningDigests(createHash('sha256'))
  digests.include('sha512', [])
  return digests
}

function requestFor(
  { signers, seal, archiveFieldName, drawn }: Rehearsal,
  { credential, timeStamp, revocationList }: StandIns,
): SigningRequest {
  return {
    signers: signers.map((signer) => ({
      ...signer,
      appearance: { drawing, lines: [] },
      credential: () => credential,
    })),
    seal: { ...seal, credential },
    ...(drawn && { drawn }),
    sealedAt: AT,
    timeStamp,
    longTerm: {
      fieldName: archiveFieldName,
      revocation: async () => ({ revocationLists: [revocationList], ocspResponses: [] }),
    },
  }
}

/** @throws PadesError `DEFIES_SIGNING` - something starts when the signed document is opened */
function assertQuiet(document: PdfDocument): void {
  const { keys, hasScripts } = findOpeningParts(document)
  if (keys.length > 0 || hasScripts) throw new PadesError('DEFIES_SIGNING')
}

/**
 * Looks for what was put on each page: the places that are known, the seal on every page, the
 * document time-stamp on the first.
 *
 * @param size from which number on objects are new; numbers behind the last one lead nowhere
 * @throws PadesError `DEFIES_SIGNING` - a page lacks something
 */
function assertShown(document: PdfDocument, { signers }: Rehearsal, size: number): void {
  const pages = readPages(document)
  const end = document.size
  const isNew = (item: PdfValue): item is PdfReference =>
    item instanceof PdfReference && item.number >= size && item.number < end
  const places = signers.flatMap((signer) => signer.places.map(({ page }) => page))
  const counts = new Map<number, number>()
  for (const page of [...places, 1]) {
    const number = pages[page - 1]?.reference?.number ?? 0
    counts.set(number, (counts.get(number) ?? 0) + 1)
  }
  for (const { reference, dictionary } of pages.slice(0, MAX_REHEARSED_PAGES)) {
    const annotations = document.array(dictionary.get('Annots')) ?? []
    const shown = new Set(annotations.filter(isNew).map(({ number }) => number))
    const count = 1 + (counts.get(reference?.number ?? 0) ?? 0)
    if (shown.size !== count) throw new PadesError('DEFIES_SIGNING')
  }
}
