import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import process from 'node:process'
import t from 'tap'

const ROOT = join(import.meta.dirname, '..')

/** Code of servers, code of browsers, and the client, which has types of neither. */
const PROJECTS = ['.', 'web', 'clients/typescript']

for (const project of PROJECTS) {
  t.test(`the project ${project} has the types that it says`, async (t) => {
    const compiler = join(ROOT, 'node_modules/typescript/bin/tsc')
    const args = [compiler, '-p', join(ROOT, project), '--pretty', 'false']
    const { stdout, status } = spawnSync(process.execPath, args, { cwd: ROOT, encoding: 'utf8' })
    t.equal(stdout, '')
    t.equal(status, 0)
  })
}
