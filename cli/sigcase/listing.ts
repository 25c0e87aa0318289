/** Listings of `sigcase`: at most as many entries as asked for. */
import type { Argv } from 'yargs'
import { UsageError } from '../usage.ts'

const STANDARD_LIMIT = 50
/** A terminal shows no more; programs use the API or a client. */
const MAXIMUM_LIMIT = 10_000
/** Entries of one request. */
const PAGE_SIZE = 100

export interface LimitOption {
  limit: number
}

/** Declares `--limit`. */
export function addLimit<T>(command: Argv<T>): Argv<T & LimitOption> {
  return command
    .option('limit', {
      type: 'number',
      default: STANDARD_LIMIT,
      describe: `entries to show, at most ${MAXIMUM_LIMIT}`,
    })
    .check(({ limit }) => {
      if (Number.isInteger(limit) && limit > 0 && limit <= MAXIMUM_LIMIT) return true
      throw new UsageError(`--limit is an integer from 1 to ${MAXIMUM_LIMIT}`)
    }) as unknown as Argv<T & LimitOption>
}

/** Returns the size of a page for so many entries. */
export const pageSize = (limit: number) => Math.min(limit, PAGE_SIZE)

/** Collects the first entries of a listing. */
export async function takeFirst<T>(entries: AsyncIterable<T>, limit: number): Promise<T[]> {
  const taken: T[] = []
  for await (const entry of entries) {
    taken.push(entry)
    if (taken.length >= limit) break
  }
  return taken
}
