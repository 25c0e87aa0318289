/** The commands that make and rotate the keys of a service. */
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { KEY_SETS, readKeySet } from '../../adapters/embedded/key-sets.ts'
import { runTool } from './run-tool.ts'

t.test('a keyring for a cluster has one private file for each set', async (t) => {
  const folder = join(t.testdir(), 'keyring')
  const { code, stdout } = await runTool('make-keyring.ts', [folder])
  t.equal(code, 0)
  t.match(stdout, /^signature-fact\.json: api$/m)
  t.match(stdout, /^signature-fact-public\.json: api, controller, worker$/m)
  t.same(readdirSync(folder).sort(), KEY_SETS.map((set) => `${set}.json`).sort())
  for (const name of readdirSync(folder)) t.equal(statSync(join(folder, name)).mode & 0o077, 0)
  const [{ kid }] = readKeySet(folder, 'signing-link')
  t.equal((await runTool('make-keyring.ts', [folder])).code, 0)
  t.equal(readKeySet(folder, 'signing-link')[0].kid, kid, 'a second time, the keys stay')
})

t.test('a set of a keyring is rotated by steps, and says who must restart', async (t) => {
  const folder = join(t.testdir(), 'keyring')
  await runTool('make-keyring.ts', [folder])
  const kids = () => readKeySet(folder, 'signing-link').map(({ kid }) => kid)
  const step = (name: string) =>
    runTool('rotate-keys.ts', ['--keyring', folder, '--step', name, 'signing-link'])
  const [old] = kids()
  const { stdout } = await step('add')
  t.match(stdout, /restart: api, worker$/m)
  t.equal(kids()[0], old)
  await step('use')
  t.equal(kids()[1], old)
  await step('retire')
  t.equal(kids().length, 1)
  const { code, stderr } = await step('use')
  t.equal(code, 1)
  t.match(stderr, 'signing-link has one key: add another one first')
})

t.test('on one machine a new key is used at once', async (t) => {
  const DATA_DIR = join(t.testdir(), 'data')
  await runTool('make-keyring.ts', [join(DATA_DIR, 'keyring')])
  const { code } = await runTool('rotate-keys.ts', ['signature-fact'], { env: { DATA_DIR } })
  t.equal(code, 0)
  const folder = join(DATA_DIR, 'keyring')
  t.equal(readKeySet(folder, 'signature-fact').length, 2)
  t.equal(readKeySet(folder, 'signature-fact-public').length, 2)
})

t.test('what cannot be rotated is a usage fault', async (t) => {
  const wrong = [[], ['unknown'], ['signing-link', 'x'], ['--step', 'x', 'signing-link']]
  for (const args of [...wrong, ['signature-fact-public']]) {
    const { code, stderr } = await runTool('rotate-keys.ts', args)
    t.equal(code, 2, args.join(' '))
    t.match(stderr, 'usage: ')
  }
  t.equal((await runTool('make-keyring.ts', [])).code, 2)
})
