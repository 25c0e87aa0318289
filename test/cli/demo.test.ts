import t from 'tap'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { takeDataDirectory } from '../../adapters/embedded/data-directory.ts'
import { freePort } from '../e2e/service.ts'
import { plainPdf } from './evidence/bundle.ts'
import { callTool } from '../fixtures/call-tool.ts'
import { runTool } from '../fixtures/run-tool.ts'

const cwd = t.testdir()
const DATA_DIR = join(cwd, 'data')
const env = { DATA_DIR, PORT: String(await freePort()), BASE_URL: '', HOST: '127.0.0.1' }

t.test('the demo starts a service of its own, ends it, and its evidence verifies', async (t) => {
  const original = await plainPdf('Zmluva')
  writeFileSync(join(cwd, 'Zmluva.pdf'), original)
  const { code, stdout, stderr } = await runTool('cli/demo.ts', ['Zmluva.pdf'], { cwd, env })
  t.equal(code, 0, stderr)
  t.match(stdout, 'started one at')
  const release = await takeDataDirectory(DATA_DIR)
  release()
  const signed = readFileSync(join(cwd, 'Zmluva-signed.pdf'))
  t.ok(signed.subarray(0, original.length).equals(original), 'the original is its prefix')
  const files = ['Zmluva-evidence.pdf', 'Zmluva-signed.pdf']
  const verified = await callTool('cli/verify-evidence.ts', files, { cwd, env })
  t.equal(verified.code, 0, verified.stdout)
})

t.test('a PDF that cannot be signed ends with the reason', async (t) => {
  writeFileSync(join(cwd, 'not.pdf'), 'x'.repeat(2000))
  const { code, stderr } = await runTool('cli/demo.ts', ['not.pdf'], { cwd, env })
  t.equal(code, 1)
  t.match(stderr, 'the document was rejected: The file is not a PDF')
})

t.test('a token of a service that does not answer ends with the reason', async (t) => {
  const words = ['Zmluva.pdf', '--token', 'x']
  const { code, stdout, stderr } = await callTool('cli/demo.ts', words, { cwd, env })
  t.equal(code, 1)
  t.match(stderr, `no service answers at http://127.0.0.1:${env.PORT}`)
  t.notMatch(stdout, 'started one at')
})
