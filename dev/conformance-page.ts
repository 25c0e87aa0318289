/** Builds the page that lists the test file of every row of the specification's tables. */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { TABLES, type Table } from '../test/conformance/tables.ts'
import { MADE_BY, table } from './markdown.ts'

const ROOT = join(import.meta.dirname, '..')

/** Finds the test file of each table. */
function testFiles(): Map<string, string> {
  const files = globSync('test/conformance/*.test.ts', { cwd: ROOT }).sort()
  return new Map(
    files.flatMap((file) => {
      const calls = readFileSync(join(ROOT, file), 'utf8').matchAll(
        /conformance\(world, '([^']+)'/g,
      )
      return [...calls].map(([, name]) => [name as string, file] as const)
    }),
  )
}

/** @throws Error when no test file covers a table */
export function conformancePage(): string {
  const files = testFiles()
  const rows = (Object.keys(TABLES) as Table[]).flatMap((name) => {
    const file = files.get(name)
    if (file === undefined) throw new Error(`no test for the rows of ${name}`)
    return TABLES[name].map((row) => [name, row, `\`${file}\``])
  })
  return [
    MADE_BY,
    '# Conformance',
    '',
    `Every one of the ${rows.length} rows in the tables of the specification has a test, named by`,
    'section and row, that sends HTTP requests to a running service.',
    '`npm test -- test/conformance` runs these tests.',
    '',
    ...table(['section', 'row', 'test'], rows),
    '',
  ].join('\n')
}
