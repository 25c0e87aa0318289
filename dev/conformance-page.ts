/** Builds the page that lists a test for every row and every statement of the specification. */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { STATEMENTS } from '../test/conformance/statements.ts'
import type { Statement } from '../test/conformance/statements-of-signing.ts'
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

/** The pattern that matches the text. */
const escaped = (text: string) => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')

/** Whether the file has a test of this title; tests of tables have the title `table: row`. */
function hasTest(file: string, title: string, tables: ReadonlyMap<string, string>): boolean {
  const [name = '', row = ''] = title.split(/: (.*)/)
  if (tables.get(name) === file) return (TABLES[name as Table] as readonly string[]).includes(row)
  const source = readFileSync(join(ROOT, file), 'utf8')
  return [`'${title}'`, `"${title}"`, `\`${title}\``].some((text) =>
    new RegExp(`t\\.test\\(\\s*${escaped(text)}`).test(source),
  )
}

/**
 * @param tables the test file of each table
 * @throws Error when a statement names a test that does not exist
 */
function statementRows(tables: ReadonlyMap<string, string>): string[][] {
  const rowOf = (section: string, [says, file, title]: Statement) => {
    if (!hasTest(file, title, tables)) throw new Error(`${file} has no test "${title}"`)
    return [section, says, `\`${file}\`: ${title}`]
  }
  return Object.entries(STATEMENTS).flatMap(([section, statements]) =>
    statements.map((statement) => rowOf(section, statement)),
  )
}

/** @throws Error when no test file covers a table, or a statement names a missing test */
export function conformancePage(): string {
  const files = testFiles()
  const rows = (Object.keys(TABLES) as Table[]).flatMap((name) => {
    const file = files.get(name)
    if (file === undefined) throw new Error(`no test for the rows of ${name}`)
    return TABLES[name].map((row) => [name, row, `\`${file}\``])
  })
  const statements = statementRows(files)
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
    '## Statements in the prose',
    '',
    `The ${statements.length} statements between the tables, in our words, each with one test that`,
    'holds the service to it. Other tests may cover the same statement.',
    '',
    ...table(['section', 'statement', 'test'], statements),
    '',
  ].join('\n')
}
