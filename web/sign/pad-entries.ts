/** What a person entered in the signature dialog. */
import type { PointGroup } from 'signature_pad'
import type { Method } from './method-tabs.tsx'

/** Kept while the dialog is closed: closing it loses nothing. */
export interface PadEntries {
  strokes: { current: PointGroup[] }
  /** Absent until the dialog was open. */
  method?: Method
  style: number
  name?: string
  picture?: string | undefined
}

/** A pad on which nothing was entered. */
export const emptyPad = (): PadEntries => ({ strokes: { current: [] }, style: 0 })
