/** Reads a list of the API page by page. */
import type { Outcome, TenantClient } from './api.ts'

const ITEMS_PER_PAGE = 100

/** The items of the pages that were read. */
export interface CutList<T> {
  items: T[]
  /** Whether the list goes on behind the last page. */
  isCut: boolean
}

/** Whether the limit ended the reading, and not the list. */
export const isCutAfter = (pages: readonly { nextCursor?: string }[]): boolean =>
  pages.at(-1)?.nextCursor !== undefined

/**
 * Follows `nextCursor` until the list ends or the limit is reached.
 *
 * @param path of the list, with its other parameters
 * @returns the pages in order, or the first refusal
 */
export async function readPages<T extends { nextCursor?: string }>(
  client: Pick<TenantClient, 'ask'>,
  path: string,
  maximumPages: number,
): Promise<Outcome<T[]>> {
  const pages: T[] = []
  const first = `${path}${path.includes('?') ? '&' : '?'}limit=${ITEMS_PER_PAGE}`
  let cursor: string | undefined
  do {
    const rest = cursor === undefined ? '' : `&cursor=${encodeURIComponent(cursor)}`
    const outcome = await client.ask<T>('GET', first + rest)
    if (outcome.kind !== 'answered') return outcome
    pages.push(outcome.value)
    cursor = outcome.value.nextCursor
  } while (cursor !== undefined && pages.length < maximumPages)
  return { kind: 'answered', value: pages }
}
