import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import t from 'tap'
import { dataDirectory, has } from '../../e2e/harness.ts'

t.setTimeout(180_000)
const run = promisify(execFile)
const FOLDER = join(import.meta.dirname, '../../../clients/python')
const skip = (await has('mypy')) ? false : 'there is no mypy'

t.test('the Python client has the types that it says', { skip }, async (t) => {
  const cache = await dataDirectory(t)
  const args = ['--cache-dir', cache, 'src/sigcase']
  const { stdout } = await run('mypy', args, { cwd: FOLDER })
  t.match(stdout, /^Success: no issues found in 9 source files/)
})
