import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import process from 'node:process'
import t from 'tap'

const ROOT = join(import.meta.dirname, '..')

t.test('the whole tree has the types that it says', async (t) => {
  const compiler = join(ROOT, 'node_modules/typescript/bin/tsc')
  const args = [compiler, '-p', ROOT, '--pretty', 'false']
  const { stdout, status } = spawnSync(process.execPath, args, { cwd: ROOT, encoding: 'utf8' })
  t.equal(stdout, '')
  t.equal(status, 0)
})
