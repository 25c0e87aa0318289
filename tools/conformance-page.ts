/** The page that tells for every row of the specification's tables where it is tested. */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { TABLES, type Table } from '../test/conformance/tables.ts'
import { MADE_BY, table } from './markdown.ts'

const ROOT = join(import.meta.dirname, '..')

/** The test file of each table. */
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

/** @throws Error when a table is tested nowhere */
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
    'Every row of the tables of the specification has one test, named by section and row, which',
    `asks a started service over HTTP: ${rows.length} rows.`,
    '`npm test -- test/conformance` runs them.',
    '',
    ...table(['section', 'row', 'test'], rows),
    '',
  ].join('\n')
}
