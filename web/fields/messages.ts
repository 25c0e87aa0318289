/** Messages between the field editor in a frame and the component of the site (decision 192). */
import { randomId } from '../lib/random-id.ts'
import {
  boxOf,
  type Box,
  type PageSize,
  type Place,
  type Rectangle,
  type Signer,
} from './places.ts'

/** A place as sites have it: a `signatureField` of `POST /cases`, and the key of its person. */
export interface SitePlace extends Box {
  /** Identifies the place; the editor makes one for each new place. */
  id: string
  /** Key of the person who signs there. */
  person: string
  /** From 1. */
  page: number
  unit: 'pt'
}

/** A place that a site gives to the editor. */
export type GivenPlace = Omit<SitePlace, 'id' | 'unit'> & {
  id?: string
  unit?: Rectangle['unit']
}

/** From the component to the editor. */
export interface ShowMessage {
  source: 'sigcase-fields'
  type: 'show'
  /** Absent: the document stays as it is; null: none. */
  pdf?: ArrayBuffer | null
  people: readonly Signer[]
  places: readonly GivenPlace[]
  language: string
}

/** From the editor to the component. */
export type EditorMessage = { source: 'sigcase-fields' } & (
  | { type: 'open' }
  /** The pages of the document, with their sizes in points. */
  | { type: 'ready'; pages: PageSize[] }
  | { type: 'change'; places: SitePlace[] }
  | { type: 'failed'; code: 'PDF_UNREADABLE' }
  /** Height of the content in CSS pixels. */
  | { type: 'resize'; height: number }
)

/** Whether a message is one of the component; it comes from an origin that was checked. */
export function isShowMessage(data: unknown): data is ShowMessage {
  const { source, type, people, places } = Object(data) as Partial<Record<string, unknown>>
  const isOurs = source === 'sigcase-fields' && type === 'show'
  return isOurs && Array.isArray(people) && Array.isArray(places)
}

/** Keys of the editor for the ids of a site, which are unique for one person only. */
export class PlaceKeys {
  readonly #keys = new Map<string, string>()
  readonly #ids = new Map<string, string>()

  /** The same id of the same person has the same key, so that its field keeps the focus. */
  keyOf(person: string, id = randomId()): string {
    const name = JSON.stringify([person, id])
    const key = this.#keys.get(name) ?? randomId()
    this.#keys.set(name, key)
    this.#ids.set(key, id)
    return key
  }

  /** The id of a place; a place that was added in the editor has its key as id. */
  idOf(key: string): string {
    return this.#ids.get(key) ?? key
  }
}

/**
 * Places for the editor. A place of an unknown person, or on a page that the document does not
 * have, is left out; one that leaves its page is moved into it.
 */
export function fromSite(
  { people, places }: Pick<ShowMessage, 'people' | 'places'>,
  sizes: readonly PageSize[],
  keys: PlaceKeys,
): Place[] {
  const known = new Set(people.map(({ key }) => key))
  return places.flatMap(({ id, person, page, unit = 'pt', ...box }) => {
    const size = sizes[page - 1]
    if (!size || !known.has(person)) return []
    return [{ key: keys.keyOf(person, id), person, page, ...boxOf({ ...box, page, unit }, size) }]
  })
}

/** Places for the site. */
export const toSite = (places: readonly Place[], keys: PlaceKeys): SitePlace[] =>
  places.map(({ key, ...place }) => ({ id: keys.idOf(key), ...place, unit: 'pt' }))
