/** The patterns of the lanes name files that exist: a file that moves must not change its lane. */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { LANES, listTasks } from '../../../dev/test-suite/lanes.ts'

const ROOT = join(import.meta.dirname, '..', '..', '..')
const SOURCE = join(ROOT, 'dev', 'test-suite', 'lanes.ts')

/** Writes the alternatives in braces out, from `a{b,c}` to `ab` and `ac`. */
function expand(pattern: string): string[] {
  const [braces, inner] = /\{([^{}]*)\}/.exec(pattern) ?? []
  if (braces === undefined || inner === undefined) return [pattern]
  return inner.split(',').flatMap((one) => expand(pattern.replace(braces, one)))
}

t.test('each pattern of a lane names a file', async (t) => {
  const patterns = [...readFileSync(SOURCE, 'utf8').matchAll(/'(test\/[^']+)'/g)]
  t.ok(patterns.length > 0)
  const all = patterns.flatMap(([, pattern = '']) => expand(pattern))
  t.same(
    all.filter((pattern) => globSync(pattern, { cwd: ROOT }).length === 0),
    [],
  )
})

t.test('every file of pages shares its process, apart from those without a browser', async (t) => {
  const web = listTasks(
    LANES.filter(({ name }) => name === 'web'),
    ROOT,
  )
  t.same(
    web.filter(({ group }) => group === undefined),
    [],
  )
  const groupOf = (name: string) =>
    web.find(({ file }) => file === `test/web/${name}.test.ts`)?.group
  t.equal(groupOf('console/case-page'), groupOf('sign/open'))
  t.not(groupOf('texts/en'), groupOf('sign/open'))
})
