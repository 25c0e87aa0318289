/** What a participant has entered and not sent yet. */
import { useState } from 'preact/hooks'
import type { Keep } from '../lib/keep.ts'
import type { SignatureField } from './place.ts'

interface Entered {
  /** PNG or JPEG as a data URL; in all places of this participant. */
  drawing?: string
  /** Where to sign, when the sender said nothing of it. */
  ownPlace?: SignatureField
  /** Numbers of pages that were viewed (`ReadingTimes`). */
  seenPages: number[]
}

export interface Draft extends Readonly<Entered> {
  /** Where this participant signs. */
  places: readonly SignatureField[]
  unsigned: readonly SignatureField[]
  /** Whether the participant says where. */
  isFree: boolean
  sign(drawing: string): void
  putPlace(place: SignatureField): void
  /** Shows the place where it is dragged; {@link putPlace} ends that. */
  dragPlace(place: SignatureField): void
  removePlace(): void
  isDragging: boolean
  see(page: number): void
}

/** Under which the draft is kept. */
export const DRAFT = 'draft'

function restored(keep: Keep): Entered {
  const empty: Entered = { seenPages: [] }
  try {
    return { ...empty, ...(JSON.parse(keep.get(DRAFT) ?? '{}') as Partial<Entered>) }
  } catch {
    return empty
  }
}

/**
 * A draft that outlives the loading of the page, as `keep` does.
 *
 * @param fields where the sender wants signatures; none: the participant chooses a place
 */
export function useDraft(fields: readonly SignatureField[], keep: Keep): Draft {
  const [entered, setEntered] = useState(() => restored(keep))
  const [dragged, setDragged] = useState<SignatureField | undefined>(undefined)
  const change = (make: (before: Entered) => Entered) =>
    setEntered((before) => {
      const after = make(before)
      if (after !== before) keep.set(DRAFT, JSON.stringify(after))
      return after
    })
  const isFree = fields.length === 0
  const ownPlace = dragged ?? entered.ownPlace
  const own = ownPlace ? [ownPlace] : []
  const places = isFree ? own : fields
  const putPlace = (place: SignatureField | undefined) => {
    setDragged(undefined)
    change(({ ownPlace: _before, ...rest }) => (place ? { ...rest, ownPlace: place } : rest))
  }
  return {
    ...entered,
    ...(ownPlace ? { ownPlace } : {}),
    places,
    unsigned: entered.drawing === undefined ? places : [],
    isFree,
    sign: (drawing) => change((before) => ({ ...before, drawing })),
    putPlace,
    dragPlace: setDragged,
    removePlace: () => putPlace(undefined),
    isDragging: dragged !== undefined,
    see: (page) =>
      change((before) =>
        before.seenPages.includes(page)
          ? before
          : { ...before, seenPages: [...before.seenPages, page] },
      ),
  }
}
