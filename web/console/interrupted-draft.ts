/** The draft of a new case that the end of a session interrupted; it stays in the tab. */
import { tabKeep } from '../lib/keep.ts'
import type { Draft } from './draft.ts'
import { storedSession } from './session.ts'

const DRAFT = 'draft'
const keep = tabKeep('console-draft')
/** The draft on the page now. */
let current: Draft | undefined

interface Kept {
  /** Name of the session: another tenant gets nothing. */
  name: string
  draft: Draft
}

/** Remembers what would be lost; undefined when the form is left. */
export function noteDraft(draft: Draft | undefined): void {
  current = draft
}

/**
 * Keeps the draft for the next sign-in; called before the session is forgotten. Several requests
 * can be refused at once: after the first, there is no session any more.
 */
export function keepDraft(): void {
  const session = storedSession()
  if (!current || !session) return
  // The fields belong to a document, which has to be chosen again.
  const kept: Kept = { name: session.name, draft: { ...current, places: [] } }
  keep.set(DRAFT, JSON.stringify(kept))
}

/** Forgets it: somebody signed out. */
export const forgetDraft = (): void => keep.clear()

/** The draft that was kept for this tenant, once. */
export function takeDraft(): Draft | undefined {
  const text = keep.get(DRAFT)
  keep.clear()
  if (text === undefined) return undefined
  const { name, draft } = JSON.parse(text) as Kept
  return name === storedSession()?.name ? draft : undefined
}
