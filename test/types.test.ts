import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import process from 'node:process'
import t from 'tap'

const ROOT = join(import.meta.dirname, '..')

/** Code of servers, code of browsers, and the client, which has types of neither. */
const PROJECTS = ['.', 'web', 'clients/typescript']
/** What the compiler found before: it checks only files that a change concerns. */
const KNOWN = join(ROOT, 'node_modules/.cache/sigcase/types')
/**
 * Other files run beside this one. Several checkers repeat work of each other, which takes a third
 * more CPU time.
 */
const ONE_THREAD = ['--singleThreaded']

for (const project of PROJECTS) {
  t.test(`the project ${project} has the types that it says`, async (t) => {
    const compiler = join(ROOT, 'node_modules/typescript/bin/tsc')
    const known = join(KNOWN, `${project.replaceAll(/\W/g, '-')}.tsbuildinfo`)
    const options = ['-p', join(ROOT, project), '--incremental', '--tsBuildInfoFile', known]
    const args = [compiler, ...options, '--pretty', 'false', ...ONE_THREAD]
    const { stdout, status } = spawnSync(process.execPath, args, { cwd: ROOT, encoding: 'utf8' })
    t.equal(stdout, '')
    t.equal(status, 0)
  })
}
