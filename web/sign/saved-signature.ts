/** The signature that a person saved in this browser: opt-in, never on a kiosk or in a frame. */
import { isFramed } from '../lib/frame.ts'
import { guarded } from '../lib/guarded.ts'

/** In `localStorage`, which belongs to the origin of the signing page alone. */
const SAVED = 'signature/saved'
const PICTURE = /^data:image\/(png|jpeg);base64,[A-Za-z0-9+/]+=*$/

interface Saved {
  /** Whose it is, as the case names the participant. */
  name: string
  /** PNG or JPEG as a data URL. */
  drawing: string
}

function isSaved(value: unknown): value is Saved {
  const { name, drawing } = (value ?? {}) as Partial<Record<keyof Saved, unknown>>
  return typeof name === 'string' && typeof drawing === 'string' && PICTURE.test(drawing)
}

/**
 * Whether a signature can be saved. In a frame, browsers keep the storage of each surrounding site
 * apart, so that the person could not find it again.
 */
export const canSaveSignature = (isKiosk: boolean): boolean =>
  !isKiosk && !isFramed() && guarded(() => localStorage.getItem(SAVED)) !== undefined

/** @returns the saved picture; undefined when there is none, or it is that of another person */
export function savedSignature(name: string): string | undefined {
  const value = guarded((): unknown => JSON.parse(localStorage.getItem(SAVED) ?? 'null'))
  return isSaved(value) && value.name === name ? value.drawing : undefined
}

/** Replaces the signature that was saved before. @returns whether the browser keeps it */
export function saveSignature(name: string, drawing: string): boolean {
  const saved: Saved = { name, drawing }
  guarded(() => localStorage.setItem(SAVED, JSON.stringify(saved)))
  return savedSignature(name) === drawing
}

/** Removes the saved signature from the browser. */
export const forgetSignature = (): void => void guarded(() => localStorage.removeItem(SAVED))
