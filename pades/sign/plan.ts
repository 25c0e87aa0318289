/**
 * Revision 1 of a signed document: every signature field, and the drawings that are not fields (ISO
 * 32000-2, 12.7.5.5). Each signature later fills only its own field.
 */
import { type SignatureAppearance, writeAppearance } from '../appearance/appearance.ts'
import { type FontResource, NO_TEXT, prepareFont, type TextFont } from '../appearance/font.ts'
import { layOutAppearance } from '../appearance/layout.ts'
import type { Shaper } from '../appearance/shaper.ts'
import { PadesError } from '../errors.ts'
import { type FormField, readFields } from '../pdf/acro-form.ts'
import type { PdfDocument } from '../pdf/document.ts'
import { assertMaySign } from '../pdf/encryption/signing-rights.ts'
import { assertDrawn, writeAppearances } from './annotation-update.ts'
import { addAnnotations, addFields } from './form-update.ts'
import { IncrementalUpdate } from '../pdf/incremental-update.ts'
import { assertSignable, inspectDocument } from '../pdf/inspect.ts'
import { type Page, readPages } from '../pdf/page-tree.ts'
import { assertNoOpenEnds } from './open-ends.ts'
import { invisiblePlace, type Place, placesOf } from './places.ts'
import type { LongTermRequest, SealRequest, SignerRequest, SigningRequest } from './request.ts'
import { stampSource, widgetSource } from './signature-dictionary.ts'
import { assertReadAlike, assertUnambiguous } from './unambiguous.ts'

/** Alternative text for people who cannot see the field. */
const TIME_STAMP_LABEL = 'Document time-stamp'

/** A field that revision 1 adds and that a later revision fills. */
export interface PlannedField {
  /** Unique in the document. */
  readonly fieldName: string
  /** Number of the field. */
  readonly field: number
  readonly name: string
  readonly place: Place
}

/** One signature that will be made, in a revision of its own. */
export interface PlannedSignature extends PlannedField {
  /** Index of the signer; absent for the seal. */
  readonly signer?: number
  readonly reason?: string
  readonly location?: string
  /** Absent for the seal, which is not seen. */
  readonly appearance?: SignatureAppearance
}

/** Revision 1 as it was written, not yet closed, and what follows. */
export interface SigningPlan {
  readonly update: IncrementalUpdate
  readonly font: FontResource
  /** In the order of signing, the seal last. */
  readonly signatures: readonly PlannedSignature[]
  /** Where the document time-stamp goes; absent when there is none to come. */
  readonly timeStamp?: PlannedField
  readonly document: PdfDocument
  /** Source of the document's catalog after revision 1. */
  readonly catalog: string
}

/** What is gathered while fields and stamps are written. */
interface Draft {
  readonly update: IncrementalUpdate
  readonly font: FontResource
  readonly signedAt: Date
  readonly names: Set<string>
  readonly signatures: PlannedSignature[]
  /** Numbers of annotations by index of the page. */
  readonly annotations: Map<number, number[]>
}

/**
 * Looks whether the document can be signed as asked, and writes the objects of revision 1.
 *
 * On a document that is signed already, further rectangles become signature fields too: new
 * annotations that are not fields would count as changes after the earlier signatures.
 *
 * @param shaper of `shaperFor` with the lines of all appearances
 * @throws PadesError `NO_SIGNERS`, `PAGE_MISSING`, `BAD_PLACEMENT`, and what `assertSignable`
 *   throws
 */
export function planSigning(
  document: PdfDocument,
  request: SigningRequest,
  shaper?: Shaper,
): SigningPlan {
  return planWith(document, request, { sealedPages: 1 }, shaper)
}

/** Pages on which a rehearsal tries an annotation. */
export const MAX_REHEARSED_PAGES = 10_000
/** Four times what fifty people with fifty places each take; half of what signing may take. */
const MAX_REHEARSED_BYTES = 64 * 1_048_576

/** As {@link planSigning}; the seal is on every page, because people choose on which they sign. */
export function planRehearsal(document: PdfDocument, request: SigningRequest): SigningPlan {
  assertNoOpenEnds(document, request.signers.length)
  assertReadAlike(document)
  return planWith(document, request, {
    sealedPages: MAX_REHEARSED_PAGES,
    maxBytes: MAX_REHEARSED_BYTES,
    mustBeDrawn: true,
  })
}

interface Extent {
  /** Pages, from the first, on which the seal is. */
  readonly sealedPages: number
  /** Limit for the appended bytes; the writer's own limit when absent. */
  readonly maxBytes?: number
  /** Whether annotations without an appearance are refused. */
  readonly mustBeDrawn?: boolean
}

function planWith(
  document: PdfDocument,
  request: SigningRequest,
  extent: Extent,
  shaper?: Shaper,
): SigningPlan {
  const { signers, seal, longTerm } = request
  const { pages, fields, isSigned } = readSignable(document, request, extent)
  const places = signers.map((signer) => placesOf(pages, signer))
  const update = new IncrementalUpdate(document, extent.maxBytes)
  const draft: Draft = {
    update,
    font: prepareLines(update, signers, places, shaper),
    signedAt: request.sealedAt,
    names: namesOf(fields),
    signatures: [],
    annotations: new Map(),
  }
  for (const [index, signer] of signers.entries()) {
    addSigner(draft, { signer, index, places: places[index], isSigned })
  }
  if (seal) addSeal(draft, seal, pages.slice(0, extent.sealedPages))
  const timeStamp = longTerm && addTimeStamp(draft, longTerm, invisiblePlace(pages))
  const { signatures, annotations, font } = draft
  if (!isSigned) writeAppearances(document, update, request.drawn ?? [])
  addAnnotations(document, update, pages, annotations)
  const numbers = [...signatures, ...(timeStamp ? [timeStamp] : [])].map(({ field }) => field)
  const catalog = addFields(document, update, numbers, isSigned)
  return { update, font, signatures, ...(timeStamp && { timeStamp }), document, catalog }
}

/** Reads what signing needs of the document, and throws when it cannot be signed as asked. */
function readSignable(document: PdfDocument, request: SigningRequest, { mustBeDrawn }: Extent) {
  const { signers, seal, longTerm, drawn = [] } = request
  if (longTerm && !request.timeStamp) throw new TypeError('nobody would stamp the document')
  if (signers.length === 0 && !seal && !longTerm) throw new PadesError('NO_SIGNERS')
  assertMaySign(document.encryption)
  const pages = readPages(document)
  const fields = readFields(document)
  const inspection = inspectDocument(document, { pages, fields })
  assertSignable(inspection)
  assertUnambiguous(document)
  const isSigned = inspection.signatures > 0
  if (mustBeDrawn && !isSigned) assertDrawn(document, pages, drawn)
  return { pages, fields, isSigned }
}

/** Writes the font of all appearances. */
function prepareLines(
  update: IncrementalUpdate,
  signers: readonly SignerRequest[],
  places: readonly Place[][],
  shaper: Shaper | undefined,
): FontResource {
  const lines = signers.flatMap(({ appearance }) => appearance.lines)
  if (lines.length === 0) return NO_TEXT
  return prepareFont(update, lines, {
    ...(shaper && { shaper }),
    rowsOf: (font) => rowsOf(font, signers, places),
  })
}

/** The rows of text of all appearances. */
function rowsOf(
  font: TextFont,
  signers: readonly SignerRequest[],
  places: readonly Place[][],
): string[] {
  return signers.flatMap(({ appearance: { lines, isFramed = false } }, index) =>
    places[index].flatMap(({ size }) => {
      const { text } = layOutAppearance(font, lines, isFramed, size)
      return text?.rows.map((row) => row.text) ?? []
    }),
  )
}

/** Names that a new field cannot have: those of fields and of their parents. */
function namesOf(fields: readonly FormField[]): Set<string> {
  return new Set(fields.flatMap(({ name }) => [name, name.split('.')[0]]))
}

function addField(draft: Draft, preferredName: string, name: string, place: Place): PlannedField {
  const fieldName = uniqueName(draft.names, preferredName)
  const { rect: rectangle, page } = place
  const field = draft.update.add(widgetSource({ fieldName, label: name, rectangle, page }))
  annotate(draft, place, field)
  return { fieldName, field, place, name }
}

const addTimeStamp = (draft: Draft, { fieldName }: LongTermRequest, place: Place): PlannedField =>
  addField(draft, fieldName, TIME_STAMP_LABEL, place)

function addSignature(
  draft: Draft,
  request: SignerRequest | SealRequest,
  place: Place,
  signer?: number,
): PlannedSignature {
  const planned = {
    ...addField(draft, request.fieldName, request.name, place),
    ...(signer !== undefined && { signer }),
    ...(request.reason !== undefined && { reason: request.reason }),
    ...('location' in request && request.location !== undefined && { location: request.location }),
    ...('appearance' in request && { appearance: request.appearance }),
  }
  draft.signatures.push(planned)
  return planned
}

interface PlacedSigner {
  readonly signer: SignerRequest
  readonly index: number
  readonly places: readonly Place[]
  /** Whether others signed the document before: stamps would count as changes there. */
  readonly isSigned: boolean
}

function addSigner(draft: Draft, { signer, index, places, isSigned }: PlacedSigner): void {
  for (const [number, place] of places.entries()) {
    if (number === 0 || isSigned) addSignature(draft, signer, place, index)
    else addStamp(draft, signer, place)
  }
}

/** @param pages on which the seal is: only the first, except in a rehearsal */
function addSeal(draft: Draft, seal: SealRequest, pages: readonly Page[]): void {
  const { field, place } = addSignature(draft, seal, invisiblePlace(pages))
  for (let pageIndex = 1; pageIndex < pages.length; pageIndex += 1) {
    annotate(draft, { ...place, pageIndex }, field)
  }
}

function addStamp(draft: Draft, signer: SignerRequest, place: Place): void {
  const { update, font, names, signedAt } = draft
  const name = uniqueName(names, signer.fieldName)
  const appearance = writeAppearance(update, font, signer.appearance, place.size, place.matrix)
  const { rect: rectangle, page } = place
  annotate(
    draft,
    place,
    update.add(
      stampSource({
        name,
        label: signer.name,
        rectangle,
        page,
        appearance,
        changedAt: signedAt,
      }),
    ),
  )
}

function annotate({ annotations }: Draft, { pageIndex }: Place, number: number): void {
  const known = annotations.get(pageIndex)
  if (known) known.push(number)
  else annotations.set(pageIndex, [number])
}

/** A partial name has no full stop (12.7.4.2); `-2`, `-3` … keep apart what is named alike. */
function uniqueName(taken: Set<string>, preferred: string): string {
  const base = preferred.replaceAll('.', '-')
  let name = base
  for (let count = 2; taken.has(name); count += 1) name = `${base}-${count}`
  taken.add(name)
  return name
}
