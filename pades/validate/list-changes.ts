/** Lists the changes of a report, and says how far they go. */

import type { Differences } from './differences.ts'
import { placesOfObjects } from './pages-of-objects.ts'
import type { Change, ModificationLevel } from './report.ts'

/** Changes that a report lists. */
export const MAX_CHANGES = 100

/** Lists the changes, refused ones first, at most {@link MAX_CHANGES}. */
export function listChanges(differences: Differences, permitsFormFilling: boolean): Change[] {
  const { added, changed, deleted, refused, filled } = differences
  const permitted = permitsFormFilling
    ? new Set([...differences.permitted, ...filled.keys()])
    : differences.permitted
  const changes: Change[] = []
  const list = (numbers: Iterable<number>, action: Change['action'], all?: boolean): void => {
    for (const object of numbers) {
      changes.push({ object, path: '', action, permitted: all ?? permitted.has(object) })
    }
  }
  for (const path of refused) {
    const object = Number.parseInt(path, 10) || 0
    changes.push({ object, path, action: 'changed', permitted: false })
  }
  list(deleted, 'deleted', false)
  list(
    [...changed].filter((number) => !permitted.has(number)),
    'changed',
  )
  list(
    [...changed].filter((number) => permitted.has(number)),
    'changed',
  )
  // What was added is reached only through what is judged above, or not at all.
  list(added, 'added', true)
  return withPlaces(changes.slice(0, MAX_CHANGES), differences)
}

/** The same; when anything is not permitted, refused and added parts of a page name their place. */
function withPlaces(changes: Change[], { before, after }: Differences): Change[] {
  if (changes.every(({ permitted }) => permitted)) return changes
  const [earlier, later] = [placesOfObjects(before), placesOfObjects(after)]
  return changes.map((change) => {
    const place = earlier.get(change.object) ?? later.get(change.object)
    const isNamed = !change.permitted || change.action === 'added'
    return isNamed ? { ...change, ...place } : change
  })
}

/** How far the changes go (EN 319 142-1, 5.4). */
export function levelOf(
  { changed, permitted, deleted, refused, verdicts, securityStore, added, filled }: Differences,
  changes: readonly Change[],
): ModificationLevel {
  const known = permitted.size + filled.size
  const isOpen = refused.length > 0 || deleted.size > 0 || known < changed.size
  const isNotPermitted = (change: Change) => !change.permitted && !filled.has(change.object)
  if (isOpen || changes.some(isNotPermitted)) return 'OTHER'
  const forms = verdicts.filter((verdict) => !verdict.isDocumentTimeStamp)
  if (forms.length > 0 || filled.size > 0) return 'FORM_FILLING'
  if (verdicts.length > 0 || securityStore) return 'LTA_UPDATES'
  return changed.size + added.size > 0 ? 'LTA_UPDATES' : 'NONE'
}
