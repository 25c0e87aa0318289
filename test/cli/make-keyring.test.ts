/** The commands that make and rotate the keys of a service. */
import { readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { KEY_SETS, readKeySet } from '../../adapters/embedded/key-sets.ts'
import { openKeyring } from '../../adapters/embedded/keyring.ts'
import { FOLDER_ONLY, KEY_GRANTS, type KeyHolder } from '../../domain/key-grants.ts'
import { callTool } from '../fixtures/call-tool.ts'
import { runTool } from '../fixtures/run-tool.ts'

t.setTimeout(120_000)

t.test('a keyring for a cluster has one private file for each set', async (t) => {
  const folder = join(t.testdir(), 'keyring')
  const { code, stdout } = await runTool('cli/make-keyring.ts', [folder])
  t.equal(code, 0)
  t.match(stdout, /^signature-fact\.json: api$/m)
  t.match(stdout, /^signature-fact-public\.json: api, controller, worker$/m)
  t.same(readdirSync(folder).sort(), KEY_SETS.map((set) => `${set}.json`).sort())
  for (const name of readdirSync(folder)) t.equal(statSync(join(folder, name)).mode & 0o077, 0)
  const [{ kid }] = readKeySet(folder, 'signing-link')
  t.equal((await callTool('cli/make-keyring.ts', [folder])).code, 0)
  t.equal(readKeySet(folder, 'signing-link')[0].kid, kid, 'a second time, the keys stay')
})

t.test('the Secrets of a keyring are printed, and every component opens its own', async (t) => {
  const { code, stdout } = await callTool('cli/make-keyring.ts', ['--secrets'])
  t.equal(code, 0)
  const { kind, items } = JSON.parse(stdout) as {
    kind: string
    items: { kind: string; metadata: { name: string }; stringData: Record<string, string> }[]
  }
  t.equal(kind, 'List')
  t.ok(items.every((item) => item.kind === 'Secret'))
  const sets = KEY_SETS.filter((set) => !FOLDER_ONLY.has(set))
  const names = items.map(({ metadata }) => metadata.name)
  t.same(names.sort(), sets.map((set) => `sigcase-keyring-${set}`).sort())
  for (const holder of Object.keys(KEY_GRANTS) as KeyHolder[]) {
    // As the chart mounts them: only the sets of this component.
    const folder = t.testdir({ [holder]: {} })
    for (const set of KEY_GRANTS[holder].filter((one) => !FOLDER_ONLY.has(one))) {
      const item = items.find(({ metadata }) => metadata.name === `sigcase-keyring-${set}`)
      writeFileSync(join(folder, holder, `${set}.json`), item?.stringData['keys.json'] ?? '')
    }
    t.ok(openKeyring(join(folder, holder), holder, { keepsObjects: false }), holder)
  }
  const again = await callTool('cli/make-keyring.ts', ['--secrets', '--prefix', 'blue'])
  t.match(again.stdout, '"name": "blue-signing-link"')
  const secrets = (text: string) => new Set(text.match(/\\"k\\": \\"[^\\]+/g))
  t.ok(secrets(stdout).size > 0)
  const others = secrets(again.stdout)
  t.notOk(
    [...secrets(stdout)].some((one) => others.has(one)),
    'other keys each time',
  )
})

t.test('a set of a keyring is rotated by steps, and says who must restart', async (t) => {
  const folder = join(t.testdir(), 'keyring')
  await callTool('cli/make-keyring.ts', [folder])
  const kids = () => readKeySet(folder, 'signing-link').map(({ kid }) => kid)
  const step = (name: string) =>
    callTool('cli/rotate-keys.ts', ['--keyring', folder, '--step', name, 'signing-link'])
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
  t.match(stderr, 'signing-link has only one key; add another one first')
})

t.test('a keyring is split: each process gets the sets that it uses, and starts', async (t) => {
  const folder = join(t.testdir(), 'keyring')
  const parts = join(t.testdir(), 'parts')
  await callTool('cli/make-keyring.ts', [folder])
  const split = () => runTool('cli/sigcase.ts', ['keyring', 'split', folder, parts])
  t.match(await split(), { code: 0, stdout: /^controller: audit-trail, worker-result, /m })
  const stray = join(parts, 'worker', 'signature-fact.json')
  writeFileSync(stray, 'a key that an earlier version granted')
  await runTool('cli/rotate-keys.ts', ['--keyring', folder, 'signature-fact'])
  t.match(await split(), { code: 0 })
  for (const holder of Object.keys(KEY_GRANTS) as KeyHolder[]) {
    const own = KEY_GRANTS[holder].filter((set) => !FOLDER_ONLY.has(set))
    const names = readdirSync(join(parts, holder))
    t.same(names.sort(), own.map((set) => `${set}.json`).sort(), holder)
    for (const name of names) t.equal(statSync(join(parts, holder, name)).mode & 0o077, 0)
    t.ok(openKeyring(join(parts, holder), holder, { keepsObjects: false }))
  }
  t.same(readKeySet(join(parts, 'api'), 'signature-fact'), readKeySet(folder, 'signature-fact'))

  const api = join(parts, 'api')
  t.match(await callTool('cli/split-keyring.ts', [api, parts]), {
    code: 1,
    stdout: '',
    stderr: 'the keyring has no usable key for worker-result',
  })
})

t.test('the Secrets of a split keyring have the keys of the folder', async (t) => {
  const folder = join(t.testdir(), 'keyring')
  await callTool('cli/make-keyring.ts', [folder])
  const { code, stdout } = await callTool('cli/split-keyring.ts', ['--secrets', folder])
  t.equal(code, 0)
  const { items } = JSON.parse(stdout) as {
    items: { metadata: { name: string }; stringData: Record<string, string> }[]
  }
  const sets = KEY_SETS.filter((set) => !FOLDER_ONLY.has(set))
  t.equal(items.length, sets.length)
  for (const set of sets) {
    const item = items.find(({ metadata }) => metadata.name === `sigcase-keyring-${set}`)
    t.same(JSON.parse(item!.stringData['keys.json']!), { keys: readKeySet(folder, set) })
  }
})

t.test('on one machine a new key is used at once', async (t) => {
  const DATA_DIR = join(t.testdir(), 'data')
  await callTool('cli/make-keyring.ts', [join(DATA_DIR, 'keyring')])
  const { code } = await callTool('cli/rotate-keys.ts', ['signature-fact'], { env: { DATA_DIR } })
  t.equal(code, 0)
  const folder = join(DATA_DIR, 'keyring')
  t.equal(readKeySet(folder, 'signature-fact').length, 2)
  t.equal(readKeySet(folder, 'signature-fact-public').length, 2)
})

t.test('a wrong call of a command is a usage fault', async (t) => {
  const rotate = [[], ['unknown'], ['signing-link', 'x'], ['--step', 'x', 'signing-link']]
  const wrong = [
    ...[...rotate, ['signature-fact-public']].map((args) => ['rotate-keys.ts', ...args]),
    ...[[], ['--secrets', 'x'], ['--secrets', '--prefix', 'A'], ['--prefix', 'a', 'x']].map(
      (args) => ['make-keyring.ts', ...args],
    ),
    ...[[], ['a'], ['a', 'b', 'c'], ['--secrets', 'a', 'b'], ['--prefix', 'x', 'a', 'b']].map(
      (args) => ['split-keyring.ts', ...args],
    ),
  ]
  const ran = wrong.map(async ([tool = '', ...args]) => ({
    call: [tool, ...args].join(' '),
    ...(await callTool(`cli/${tool}`, args)),
  }))
  for (const { call, code, stderr } of await Promise.all(ran)) {
    t.equal(code, 2, call)
    t.match(stderr, 'usage: ', call)
  }
})
