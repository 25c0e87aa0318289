/**
 * Says where the visible part of a signature lies over text or over another signature (ISO 32000-2,
 * 12.5.2 and 12.7.5.5). Neither is a fault: fields lie on lines and labels.
 */
import { PadesError } from '../errors.ts'
import type { InfoKey } from '../findings.ts'
import { textOf } from '../pdf/acro-form.ts'
import type { PdfDocument } from '../pdf/document.ts'
import { readPages, type Rectangle } from '../pdf/page-tree.ts'
import { type PdfDictionary, PdfReference } from '../pdf/values.ts'
import type { ExaminedSignature } from './integrity.ts'
import { doMeet, textUnder } from './page-text.ts'

/** Pages that are looked at, and annotations of all of them. */
const MAX_PAGES = 2_000
const MAX_ANNOTATIONS = 5_000
/** Pages whose text is read: those with a signature on them. */
const MAX_READ_PAGES = 50
/** Edges that touch do not overlap. */
const TOLERANCE_PT = 1

interface VisiblePart {
  readonly signature: ExaminedSignature
  readonly page: number
  /** In default user space, normalised, a point smaller on each side. */
  readonly rectangle: Rectangle
}

/** @returns what is to be said of each signature; nothing of those that are not visible */
export function appearanceInfos(
  document: PdfDocument,
  signatures: readonly ExaminedSignature[],
): ReadonlyMap<ExaminedSignature, readonly InfoKey[]> {
  const infos = new Map<ExaminedSignature, Set<InfoKey>>()
  const note = ({ signature }: VisiblePart, key: InfoKey): void => {
    infos.set(signature, (infos.get(signature) ?? new Set()).add(key))
  }
  try {
    const { parts, pages } = visibleParts(document, signatures)
    for (const part of parts) {
      const isOver = parts.some(
        ({ signature, page, rectangle }) =>
          signature !== part.signature && page === part.page && doMeet(rectangle, part.rectangle),
      )
      if (isOver) note(part, 'APPEARANCE_OVERLAPS_SIGNATURE')
    }
    const visited = [...new Set(parts.map(({ page }) => page))].slice(0, MAX_READ_PAGES)
    for (const page of visited) {
      const onPage = parts.filter((part) => part.page === page)
      const rectangles = onPage.map(({ rectangle }) => rectangle)
      for (const [index, isHit] of textUnder(document, pages[page], rectangles).entries()) {
        if (isHit) note(onPage[index], 'APPEARANCE_COVERS_CONTENT')
      }
    }
  } catch (error) {
    // What cannot be read has findings of its own.
    if (!(error instanceof PadesError)) throw error
  }
  return new Map([...infos].map(([signature, keys]) => [signature, [...keys].sort()]))
}

/**
 * Signatures that show something on a page.
 *
 * @returns all of them when the pages cannot be read
 */
export function visibleSignatures(
  document: PdfDocument,
  signatures: readonly ExaminedSignature[],
): ReadonlySet<ExaminedSignature> {
  try {
    return new Set(visibleParts(document, signatures).parts.map(({ signature }) => signature))
  } catch (error) {
    if (!(error instanceof PadesError)) throw error
    return new Set(signatures)
  }
}

/** Widgets of the signatures, and stamps that are named after their fields (decision 4). */
function visibleParts(
  document: PdfDocument,
  signatures: readonly ExaminedSignature[],
): { parts: VisiblePart[]; pages: PdfDictionary[] } {
  const byNumber = new Map(
    signatures.flatMap((one) => {
      const { reference } = one.found.field
      return reference ? [[reference.number, one] as const] : []
    }),
  )
  const byName = new Map(signatures.map((one) => [one.found.field.name, one]))
  const pages = readPages(document).slice(0, MAX_PAGES)
  const parts: VisiblePart[] = []
  let annotations = 0
  for (const [page, { dictionary }] of pages.entries()) {
    for (const value of document.array(dictionary.get('Annots')) ?? []) {
      annotations += 1
      if (annotations > MAX_ANNOTATIONS) break
      const annotation = document.dictionary(value)
      if (!annotation) continue
      const widgetOf = value instanceof PdfReference ? byNumber.get(value.number) : undefined
      const signature = widgetOf ?? stampedBy(document, annotation, byName)
      const rectangle = signature && rectangleOf(document, annotation)
      if (signature && rectangle) parts.push({ signature, page, rectangle })
    }
  }
  return { parts, pages: pages.map(({ dictionary }) => dictionary) }
}

function stampedBy(
  document: PdfDocument,
  annotation: PdfDictionary,
  byName: ReadonlyMap<string, ExaminedSignature>,
): ExaminedSignature | undefined {
  if (document.name(annotation.get('Subtype')) !== 'Stamp') return undefined
  const name = textOf(document.resolve(annotation.get('NM'))) ?? ''
  return byName.get(name.replace(/-\d+$/, ''))
}

function rectangleOf(document: PdfDocument, annotation: PdfDictionary): Rectangle | undefined {
  const numbers = (document.array(annotation.get('Rect')) ?? []).map((one) => document.resolve(one))
  if (numbers.length !== 4 || !numbers.every((one) => typeof one === 'number')) return undefined
  const [a, b, c, d] = numbers as number[]
  const [left, right] = [Math.min(a, c) + TOLERANCE_PT, Math.max(a, c) - TOLERANCE_PT]
  const [bottom, top] = [Math.min(b, d) + TOLERANCE_PT, Math.max(b, d) - TOLERANCE_PT]
  return left < right && bottom < top ? [left, bottom, right, top] : undefined
}
