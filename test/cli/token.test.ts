import t from 'tap'
import { join } from 'node:path'
import { takeDataDirectory } from '../../adapters/embedded/data-directory.ts'
import { openWholeKeyring } from '../../adapters/embedded/keyring.ts'
import { LocalTenantIdentity } from '../../adapters/jose/local-identity.ts'
import { keyringFolder } from '../../runtime/embedded/paths.ts'
import { tenantToken } from '../../cli/tenant-token.ts'
import { callTool } from '../fixtures/call-tool.ts'
import { runTool } from '../fixtures/run-tool.ts'

const now = new Date('2026-11-02T08:00:00Z')

t.test('prints the token alone, good for the service in the same directory', async (t) => {
  const DATA_DIR = join(t.testdir(), 'data')
  const { code, stdout, stderr } = await runTool('cli/token.ts', ['--tenant', 'acme'], {
    env: { DATA_DIR },
  })
  t.equal(code, 0)
  t.equal(
    stderr,
    `no service has used ${DATA_DIR} yet: only a service with this DATA_DIR accepts the token\n`,
  )
  const again = await callTool('cli/token.ts', ['--tenant', 'acme'], { env: { DATA_DIR } })
  t.equal(again.stderr, '', 'there are keys now')
  t.match(stdout, /^[\w-]+\.[\w-]+\.[\w-]+\n$/)
  const keyring = openWholeKeyring(keyringFolder(DATA_DIR))
  const identity = new LocalTenantIdentity(keyring, () => new Date())
  t.same(await identity.authenticate(stdout.trim()), { outcome: 'tenant', tenant: 'acme' })
})

t.test('tokens can be made while a service holds the directory', async (t) => {
  const folder = t.testdir()
  const release = await takeDataDirectory(folder)
  try {
    const token = await tenantToken(folder, 'acme', now)
    const identity = new LocalTenantIdentity(openWholeKeyring(keyringFolder(folder)), () => now)
    t.same(await identity.authenticate(token), { outcome: 'tenant', tenant: 'acme' })
  } finally {
    release()
  }
})

t.test('--help prints how each command is called', async (t) => {
  for (const tool of [
    'token',
    'demo',
    'verify-evidence',
    'augment',
    'rotate-keys',
    'make-keyring',
    'erase',
  ]) {
    const { code, stdout, stderr } = await callTool(`cli/${tool}.ts`, ['--help'])
    t.match({ code, stderr }, { code: 0, stderr: '' }, tool)
    t.match(stdout, /^usage: npm run /)
  }
})

t.test('bad usage is answered with a sentence and exit code 2', async (t) => {
  const env = { DATA_DIR: t.testdir() }
  for (const args of [[], ['--tenant', 'A B'], ['--tenant', ''], ['--else'], ['acme']]) {
    const { code, stdout, stderr } = await callTool('cli/token.ts', args, { env })
    t.equal(code, 2, args.join(' '))
    t.equal(stdout, '')
    t.match(stderr, 'usage: npm run --silent token')
    t.notMatch(stderr, /^ +at /m)
  }
})
