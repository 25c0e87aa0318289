/** `npm ci` refuses a lock file that lacks a package for another platform. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { ROOT } from '../../fixtures/source-tree.ts'

interface Lock {
  packages: Record<string, { version?: string; optionalDependencies?: Record<string, string> }>
}

t.test('the lock file of the site has every optional package', async (t) => {
  const text = readFileSync(join(ROOT, 'docs/site/package-lock.json'), 'utf8')
  const { packages } = JSON.parse(text) as Lock
  const optional = Object.values(packages).flatMap((entry) =>
    Object.keys(entry.optionalDependencies ?? {}),
  )
  t.ok(optional.length > 20)
  t.strictSame(
    optional.filter((name) => packages[`node_modules/${name}`]?.version === undefined),
    [],
  )
})
