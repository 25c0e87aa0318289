/** One test per row of a table of the specification, named by section and row; none is left out. */
import t, { type Test } from 'tap'
import { isOnCluster, type World } from './world.ts'
import type { Row, Table } from './tables.ts'

export type RowTest = (t: Test, world: World) => Promise<void>

/**
 * Rows that the lane on a cluster does not repeat. The cluster's adapters take no part in them, or
 * their contract suites (`test/contract/`) test the same with the same adapters.
 */
const EMBEDDED_ONLY: { readonly [T in Table]?: readonly Row<T>[] } = {
  '8 Limits': [
    // Ephemeral values on Redis: test/contract/small-ports.ts.
    'One-time code',
    'Sends per hour',
    'Tries per code',
    'One-time code session validity',
    // Schemas of requests, which the API checks before it asks an adapter.
    'Device name length',
    'Webhook signing secret length',
    // Requests to the outside, which no adapter of the cluster sends.
    'Webhook answer time',
    'Token cache margin',
  ],
}

/** @param tests of every row of the table: one that is missing does not compile */
export function conformance<T extends Table>(
  world: World,
  table: T,
  tests: Record<Row<T>, RowTest>,
): void {
  const left: readonly string[] = isOnCluster ? (EMBEDDED_ONLY[table] ?? []) : []
  for (const [row, run] of Object.entries<RowTest>(tests)) {
    if (!left.includes(row)) t.test(`${table}: ${row}`, (t) => run(t, world))
  }
}
