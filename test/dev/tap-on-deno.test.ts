/** Test files on Deno do not share the folders of their fixtures. */
import { execFile } from 'node:child_process'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import t from 'tap'
import { LANES } from '../../dev/test-suite/lanes.ts'

const ROOT = dirname(dirname(import.meta.dirname))
const FILE = `
import t from 'tap'
t.test('one name', async (t) => console.log('folder', t.testdir({})))
`
const run = promisify(execFile)
const onDeno = LANES.find(({ name }) => name === 'deno')?.command ?? []

t.test('two processes with tests of one name have two folders', async (t) => {
  const folder = t.testdir({ 'one.test.ts': FILE })
  const [command = '', ...options] = onDeno
  const folderOf = async () => {
    const args = [...options, join(folder, 'one.test.ts')]
    const { stdout } = await run(command, args, { cwd: ROOT })
    return /^folder (.+)$/m.exec(stdout)?.[1]
  }
  const folders = await Promise.all([folderOf(), folderOf()])
  t.ok(folders.every((one) => one?.startsWith(join(ROOT, '.tap/fixtures/'))))
  t.equal(new Set(folders).size, 2)
})
