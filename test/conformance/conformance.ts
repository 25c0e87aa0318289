/** One test per row of a table of the specification, named by section and row; none is left out. */
import t, { type Test } from 'tap'
import { EMBEDDED_ONLY } from './embedded-only.ts'
import { isOnCluster, type World } from './world.ts'
import type { Row, Table } from './tables.ts'

export type RowTest = (t: Test, world: World) => Promise<void>

/** @param tests of every row of the table: one that is missing does not compile */
export function conformance<T extends Table>(
  world: World,
  table: T,
  tests: Record<Row<T>, RowTest>,
): void {
  const left: readonly string[] = isOnCluster() ? (EMBEDDED_ONLY[table] ?? []) : []
  for (const [row, run] of Object.entries<RowTest>(tests)) {
    if (!left.includes(row)) t.test(`${table}: ${row}`, (t) => run(t, world))
  }
}
