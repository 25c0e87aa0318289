/** The geometry of places: where one begins, how it is moved and resized, and the reading order. */
import type { Rectangle } from '../../domain/cases/rectangle.ts'
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
/** The service refuses a lower place; pages are that small only by mistake. */
const LEAST_HEIGHT_PT = 4
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
  /** The distance between rows. */
  height: 0.1,
} as const

const between = (value: number, low: number, high: number) =>
  Math.max(low, Math.min(value, Math.max(low, high)))

/** The place around a point, in fractions of the page; wholly on its page. */
export function placeAt(
  page: number,
  size: PageSize,
  x: number,
  y: number,
  greatestHeight = 0.12,
): SignatureField {
  const width = Math.min(0.36, USUAL_WIDTH_PT / size.width)
  const usual = Math.min(greatestHeight, (width * size.width * USUAL_RATIO) / size.height)
  const height = between(usual, LEAST_HEIGHT_PT / size.height, 1)
  const middle = { id: 'own', page, width, height, unit: 'fraction' } as const
  return movedTo({ ...middle, x: 0, y: 0 }, page, x - width / 2, y - height / 2)
}

/** A page with what is on it already. */
export interface PageWithPlaces {
  number: number
  size: PageSize
  /** Where others sign, and fields of the document. */
  taken: readonly Rectangle[]
}

/** Who chooses a place, among whom. */
export type Chooser = Pick<CaseDefinitionAnswer, 'participants' | 'places'>

/** Processes of earlier versions give no numbers. */
const firstTurn = ({ participants, places }: Chooser) => places?.number ?? participants.signed

/** The numbers of places, in the order in which this participant tries them. */
function* turnsOf(chooser: Chooser, count: number): Generator<number> {
  const first = firstTurn(chooser)
  const { total } = chooser.participants
  // Others whose place is taken go on to other numbers than this participant.
  for (let turn = first; turn < count; turn += total) yield turn
  for (let turn = 0; turn < count; turn++) yield (first + turn) % count
}

/**
 * The place for a participant who chose none: on no other place, if the page has one that is free.
 * Participants who ask at the same time get different places.
 */
export function suggestedPlace(page: PageWithPlaces, chooser: Chooser): SignatureField {
  const { columns, rows, height } = SUGGESTED
  const suggestion = (turn: number) => {
    const row = rows[Math.floor(turn / columns.length) % rows.length]!
    return placeAt(page.number, page.size, columns[turn % columns.length]!, row, height)
  }
  for (const turn of turnsOf(chooser, columns.length * rows.length)) {
    const place = suggestion(turn)
    if (!isTaken(place, page)) return place
  }
  return suggestion(firstTurn(chooser))
}

/** Parts of a page that are far below what can be seen. */
const TOLERANCE = 1e-4

/** The edges of a place in fractions of its page. */
function edgesOf({ x, y, width, height, unit }: Rectangle, size: PageSize) {
  const [across, down] = unit === 'pt' ? [size.width, size.height] : [1, 1]
  return {
    left: x / across,
    top: y / down,
    right: (x + width) / across,
    bottom: (y + height) / down,
  }
}

/** Whether the place covers another one of its page. */
export function isTaken(place: Rectangle, { size, taken }: PageWithPlaces): boolean {
  const own = edgesOf(place, size)
  return taken.some((other) => {
    const edges = edgesOf(other, size)
    const sharedWidth = Math.min(own.right, edges.right) - Math.max(own.left, edges.left)
    const sharedHeight = Math.min(own.bottom, edges.bottom) - Math.max(own.top, edges.top)
    return other.page === place.page && sharedWidth > TOLERANCE && sharedHeight > TOLERANCE
  })
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

/** How much of a page a place may cover. */
const greatestShare = ({ width, height }: PageSize): number =>
  Math.min(GREATEST_SHARE, GREATEST_AREA_PT2 / (width * height))

/** Whether the service would refuse the place as too large; what rounding adds does not count. */
export const isTooLarge = ({ width, height }: SignatureField, size: PageSize): boolean =>
  width * height > greatestShare(size) * (1 + TOLERANCE)

/** The place with another size, as far as the page and the service allow; the corner stays. */
export function resizedTo(
  place: SignatureField,
  size: PageSize,
  width: number,
  height: number,
): SignatureField {
  const wide = between(width, SMALLEST_PT.width / size.width, 1 - place.x)
  const highest = Math.min(1 - place.y, greatestShare(size) / wide)
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
