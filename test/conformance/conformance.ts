/** One test per row of a table of the specification, named by section and row; none is left out. */
import t, { type Test } from 'tap'
import type { Row, Table } from './tables.ts'
import type { World } from './world.ts'

export type RowTest = (t: Test, world: World) => Promise<void>

/** @param tests of every row of the table: one that is missing does not compile */
export function conformance<T extends Table>(
  world: World,
  table: T,
  tests: Record<Row<T>, RowTest>,
): void {
  for (const [row, run] of Object.entries<RowTest>(tests)) {
    t.test(`${table}: ${row}`, (t) => run(t, world))
  }
}
