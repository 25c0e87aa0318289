/** Tests mirror sources, so that a reader of a source finds what tests it by its name. */
import { dirname, join, normalize } from 'node:path'
import t from 'tap'
import { code, type SourceFile } from './fixtures/source-tree.ts'

/** Percentage of the sources with a test of the same name; raise it, never lower it. */
const LEAST_NAMED_PERCENT = 40
/** The same with the sources that a named neighbour covers. */
const LEAST_COVERED_PERCENT = 66

/** Benchmarks, examples and commands of developers run in other ways. */
const OTHER_CODE = /^(bench|dev|examples|test)\//
const GENERATED = /^\/\*\*.* Made by `npm run generate`/
/** A function, a class or a statement; a file of types, constants, schemas or texts has none. */
const RUNS = /\bfunction\b|=>|\bclass\b|^(if|for|try|await|\w+\()/m

const isTest = ({ path }: SourceFile) => path.endsWith('.test.ts')
/** The path of the test that has the same name; a package's `src/` has no counterpart. */
const testOf = (path: string) => `test/${path.replace('/src/', '/').replace(/\.tsx?$/, '.test.ts')}`
/** The folder of a source, or the one that a test mirrors. */
const folderOf = (path: string) => dirname(path.replace(/^test\//, '').replace('/src/', '/'))
const withoutTypes = (text: string) =>
  text.replace(/^(?:export )?(?:type|interface)\b[^]*?(?:^(?=[^\s|})])|$(?![^]))/gm, '')

/** Files that the file imports when it runs. */
function importsOf({ path, text }: SourceFile): string[] {
  const relative = /^(?:import|export) (?!type )[^;]*?from '(\.[^']+)'$/gm
  return [...text.matchAll(relative)].map(([, to]) => normalize(join(path, '..', `${to}`)))
}

/**
 * Lists the sources that need a test, those with a test of their name, and those that a named
 * neighbour covers: a test of the same folder imports the source, or the source is private to its
 * folder and a file of the folder that has a test of its name imports it.
 */
function findCovered(all: readonly SourceFile[]) {
  const tests = new Set(all.filter(isTest).map(({ path }) => path))
  const importers = new Map<string, SourceFile[]>()
  for (const file of all)
    for (const path of importsOf(file)) importers.set(path, [...(importers.get(path) ?? []), file])
  const sources = all.filter(
    ({ path, text, code: bare }) =>
      !OTHER_CODE.test(path) && !GENERATED.test(text) && RUNS.test(withoutTypes(bare)),
  )
  const hasTest = ({ path }: SourceFile) => tests.has(testOf(path))
  const isCovered = ({ path }: SourceFile) => {
    const folder = folderOf(path)
    const isBeside = (file: SourceFile) => folderOf(file.path) === folder
    const all = importers.get(path) ?? []
    if (all.some((file) => isTest(file) && isBeside(file))) return true
    const users = all.filter((file) => !OTHER_CODE.test(file.path))
    return users.every(isBeside) && users.some(hasTest)
  }
  const named = sources.filter(hasTest)
  return { sources, named, covered: sources.filter((file) => hasTest(file) || isCovered(file)) }
}

t.test('sources have tests that a reader finds by name', async (t) => {
  const { sources, named, covered } = findCovered(code)
  const percent = (part: readonly unknown[]) => (100 * part.length) / sources.length
  const shares = [percent(named), percent(covered)].map((share) => share.toFixed(1))
  t.comment(
    `${named.length} of ${sources.length} sources have a test of the same name: ${shares[0]} %`,
  )
  t.comment(`${covered.length} have one, or a named neighbour: ${shares[1]} %`)
  t.ok(percent(named) >= LEAST_NAMED_PERCENT, `${shares[0]} % by name`)
  t.ok(percent(covered) >= LEAST_COVERED_PERCENT, `${shares[1]} % by name or neighbour`)
})
