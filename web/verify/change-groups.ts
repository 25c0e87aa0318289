/** Changes in groups that are one sentence each. */
import type { ChangeInWords } from '../texts/change-words.ts'
import type { Alteration } from './verdict.ts'

type Change = Alteration['changes'][number]

export interface ChangeGroup extends ChangeInWords {
  changes: readonly Change[]
}

/** Content is not counted: one text of a page may be several objects. */
const kindOf = ({ page, part, action }: Change): Omit<ChangeInWords, 'count'> => ({
  ...(page === undefined ? {} : { page }),
  ...(part === undefined ? {} : { part }),
  action: part === 'content' ? 'changed' : action,
})

/**
 * One group for each page, part and action, by page; changes that belong to no page come last. A
 * page changes with what lies on it: then only the latter is a group.
 */
export function changeGroups(changes: readonly Change[]): ChangeGroup[] {
  const byKind = Map.groupBy(changes, (change) => JSON.stringify(kindOf(change)))
  const groups = [...byKind.values()].flatMap(([first, ...others]) =>
    first === undefined
      ? []
      : [{ ...kindOf(first), count: others.length + 1, changes: [first, ...others] }],
  )
  const isExplained = ({ page, part, action }: ChangeGroup) =>
    part === 'page' &&
    action === 'changed' &&
    groups.some((other) => other.page === page && other.part !== 'page')
  return groups
    .filter((group) => !isExplained(group))
    .sort(({ page: a = Infinity }, { page: b = Infinity }) => (a === b ? 0 : a - b))
}
