/** Finds the tests that a change of files can break, by what each file imports or names. */
import { spawnSync } from 'node:child_process'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'

/** A change to one of these files runs every test. */
const EVERYTHING = new RegExp(
  '^(package(-lock)?\\.json|tsconfig\\.json|deno\\.json|' +
    'dev/(run-test-file|tap-on-deno|test(-suite/.*)?)\\.ts)$',
)
/** Tests of the repository as a whole: files of any kind can break them. */
const OF_THE_REPOSITORY = /^test\/[^/]+\.test\.ts$/
/** Browser tests load the built pages, which they do not import. */
const PAGE_SOURCE = /^web\//
const PAGE_TEST = /^test\/web\/.*\.test\.ts$/

const CODE = '**/*.{ts,tsx,mjs,js}'
const NOT_CODE = ['**/node_modules/**', 'web/dist/**', '.*/**']
const STRING = /'([^'\\\n]+)'|"([^"\\\n]+)"|`([^`\\$\n]+)`/g
const UP = /^(\.\.\/)+/

/** Dependencies of a file: its imports, and the paths in its strings. */
export type ImportGraph = ReadonlyMap<string, ReadonlySet<string>>

/** Lists the strings of a file that may be paths: those with a slash or a dot. */
function listPaths(file: string, text: string): string[] {
  const folder = dirname(file)
  return [...text.matchAll(STRING)].flatMap((match) => {
    const string = match[1] ?? match[2] ?? match[3] ?? ''
    if (!/[./]/.test(string) || string.includes(' ') || string.startsWith('/')) return []
    const beside = normalize(join(folder, string))
    // A test joins such strings to the root of the repository, or to its own folder.
    return [beside, normalize(string.replace(UP, ''))]
  })
}

/** Reads the import graph of the repository. @param root its folder */
export function readImportGraph(root: string): ImportGraph {
  const files = globSync(CODE, { cwd: root, exclude: NOT_CODE })
  return new Map(
    files.map((file) => {
      const text = readFileSync(join(root, file), 'utf8')
      const paths = listPaths(file, text).filter((path) => existsSync(join(root, path)))
      return [file, new Set(paths.filter((path) => path !== file && path !== '.'))]
    }),
  )
}

/** Whether the path is the changed file or a folder that contains it. */
function covers(path: string, changed: string): boolean {
  return path === changed || changed.startsWith(path.endsWith('/') ? path : `${path}/`)
}

/**
 * Lists the test files that changes can break.
 *
 * @param changes paths from the root of changed, added and removed files
 */
export function listTestsOf(changes: readonly string[], graph: ImportGraph): Set<string> {
  const tests = [...graph.keys()].filter((file) => file.endsWith('.test.ts'))
  if (changes.some((change) => EVERYTHING.test(change))) return new Set(tests)
  const reached = new Set(changes)
  // Each pass follows one more import, so the number of files limits the passes.
  for (let before = -1; before !== reached.size;) {
    before = reached.size
    for (const [file, paths] of graph) {
      if (reached.has(file)) continue
      const isHit = [...paths].some(
        (path) => reached.has(path) || changes.some((change) => covers(path, change)),
      )
      if (isHit) reached.add(file)
    }
  }
  const isPageChanged = [...reached].some((file) => PAGE_SOURCE.test(file))
  return new Set(
    tests.filter(
      (test) =>
        reached.has(test) ||
        (changes.length > 0 && OF_THE_REPOSITORY.test(test)) ||
        (isPageChanged && PAGE_TEST.test(test)),
    ),
  )
}

function git(root: string, ...args: string[]): string | undefined {
  const { status, stdout } = spawnSync('git', args, { cwd: root, encoding: 'utf8' })
  return status === 0 ? stdout.trim() : undefined
}

const linesOf = (text = '') => text.split('\n').filter((line) => line !== '')

/**
 * Lists the files that differ from the commit where the branch left `main`, untracked ones too.
 *
 * @throws Error when the folder is not in a git repository
 */
function listChanges(root: string): string[] {
  const base = git(root, 'merge-base', 'HEAD', 'main') ?? git(root, 'rev-parse', 'HEAD')
  if (base === undefined) throw new Error('--changed requires a git repository with a commit')
  const changed = linesOf(git(root, 'diff', '--name-only', '--no-renames', base))
  const added = linesOf(git(root, 'ls-files', '--others', '--exclude-standard'))
  return [...changed, ...added]
}

/** Lists the test files that the changes since `main` can break. */
export function listTestsOfChanges(root: string): Set<string> {
  return listTestsOf(listChanges(root), readImportGraph(root))
}
