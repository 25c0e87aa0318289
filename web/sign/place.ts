/** The geometry of places: where one begins, how it is moved and resized, and the reading order. */
import type { CaseDefinitionAnswer } from '../../domain/contract/participant-answers.ts'

/** A rectangle on a page, measured from the top left as displayed. */
export type SignatureField = CaseDefinitionAnswer['participant']['signatureFields'][number]

export interface PageSize {
  /** Points, as displayed. */
  width: number
  height: number
}

/** Points. A wider place is not needed for a signature, a smaller one hides it. */
const USUAL_WIDTH_PT = 200
const SMALLEST_PT = { width: 72, height: 26 } as const
const USUAL_RATIO = 0.36
/** The service refuses a place that covers more: a share of its page, and square points. */
const GREATEST_SHARE = 0.14
const GREATEST_AREA_PT2 = 78_000
/** Places that share so much of their height are on one line. */
const ONE_LINE = 0.5
/** Any height will do for the order of places on one page. */
const USUAL_HEIGHT_PT = 842

/** Middles of the places that nobody chose, from the lower right, where people sign on paper. */
const SUGGESTED = {
  columns: [0.68, 0.32],
  rows: [0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2, 0.1],
  /** In fractions, they fit on a page of any size. */
  size: { width: 595, height: 842 },
} as const

const between = (value: number, low: number, high: number) =>
  Math.max(low, Math.min(value, Math.max(low, high)))

/** The place around a point, in fractions of the page; wholly on its page. */
export function placeAt(page: number, size: PageSize, x: number, y: number): SignatureField {
  const width = Math.min(0.36, USUAL_WIDTH_PT / size.width)
  const height = Math.min(0.12, (width * size.width * USUAL_RATIO) / size.height)
  const middle = { id: 'own', page, width, height, unit: 'fraction' } as const
  return movedTo({ ...middle, x: 0, y: 0 }, page, x - width / 2, y - height / 2)
}

/**
 * The place for a participant who chose none: beside or above those of the participants before.
 *
 * @param signed how many have signed
 */
export function suggestedPlace(pageCount: number, signed: number): SignatureField {
  const turn = signed % (SUGGESTED.columns.length * SUGGESTED.rows.length)
  const column = SUGGESTED.columns[turn % SUGGESTED.columns.length]!
  const row = SUGGESTED.rows[Math.floor(turn / SUGGESTED.columns.length)]!
  return placeAt(pageCount, SUGGESTED.size, column, row)
}

/** The place with its top left at a point of a page, or as near as the page allows. */
export function movedTo(place: SignatureField, page: number, x: number, y: number): SignatureField {
  return {
    ...place,
    page,
    x: between(x, 0, 1 - place.width),
    y: between(y, 0, 1 - place.height),
  }
}

/** The place with another size, as far as the page and the service allow; the corner stays. */
export function resizedTo(
  place: SignatureField,
  size: PageSize,
  width: number,
  height: number,
): SignatureField {
  const wide = between(width, SMALLEST_PT.width / size.width, 1 - place.x)
  const areaPt2 = size.width * size.height
  const share = Math.min(GREATEST_SHARE, GREATEST_AREA_PT2 / areaPt2)
  const highest = Math.min(1 - place.y, share / wide)
  return {
    ...place,
    width: wide,
    height: between(height, SMALLEST_PT.height / size.height, highest),
  }
}

const rowOf = ({ y, height, unit }: SignatureField) => {
  const by = unit === 'pt' ? USUAL_HEIGHT_PT : 1
  return { top: y / by, bottom: (y + height) / by }
}

function isBeside(one: SignatureField, other: SignatureField): boolean {
  const [a, b] = [rowOf(one), rowOf(other)]
  const shared = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top)
  return shared > ONE_LINE * Math.min(a.bottom - a.top, b.bottom - b.top)
}

/** Page by page, line by line, and from left to right within a line. */
export function inReadingOrder(places: readonly SignatureField[]): SignatureField[] {
  const down = [...places].sort((a, b) => a.page - b.page || rowOf(a).top - rowOf(b).top)
  const lines: SignatureField[][] = []
  for (const place of down) {
    const line = lines.at(-1)
    const first = line?.[0]
    if (line && first?.page === place.page && isBeside(first, place)) line.push(place)
    else lines.push([place])
  }
  return lines.flatMap((line) => line.sort((a, b) => a.x - b.x))
}
