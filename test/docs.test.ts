/** What the pages say of tables in the code is what the tables say. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { AUDIT_EVENT_TYPES } from '../domain/audit/entry.ts'
import { readGcs, readGoogleCredentials, readPubSubPush } from '../runtime/config/google-cloud.ts'
import { readKms } from '../runtime/config/kms.ts'
import { EnvironmentReader } from '../runtime/config/reader.ts'
import { readS3 } from '../runtime/config/s3.ts'
import { readVault } from '../runtime/config/vault.ts'
import { readSmtp } from '../runtime/config/smtp.ts'
import { readConsole } from '../runtime/config/console-provider.ts'
import { readConfig } from '../runtime/embedded/config.ts'

/** What the processes of a cluster read besides. */
const CLUSTER_READERS = [
  readConsole,
  readGoogleCredentials,
  readGcs,
  readPubSubPush,
  readS3,
  readKms,
  readVault,
  readSmtp,
]
/** What a command reads that no process does. */
const OF_COMMANDS = ['KMS_ROOT_KEY']

const ROOT = join(import.meta.dirname, '..')
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8')

t.test('every audit event has its place in the reference', async (t) => {
  const page = read('docs/reference/audit-events.md')
  t.strictSame(
    AUDIT_EVENT_TYPES.filter((type) => !page.includes(`\`${type}\``)),
    [],
  )
})

t.test('every variable of the configuration is documented, and no other', async (t) => {
  const asked = new Set<string>()
  readConfig(new Proxy({}, { get: (_target, name) => void asked.add(String(name)) }))
  const [table = ''] = read('docs/reference/configuration.md').split('For tests and tools')
  const summary = read('README.md').split('## Configuration')[1]?.split('##')[0] ?? ''
  for (const text of [table, summary]) {
    const listed = [...text.matchAll(/^\| `([A-Z0-9_]+)`/gm)].map(([, name]) => `${name}`)
    t.strictSame(listed.sort(), [...asked].sort())
  }
})

t.test('every variable of the services of a cluster is documented, and no other', async (t) => {
  const asked = new Set<string>(OF_COMMANDS)
  const environment = new Proxy({}, { get: (_target, name) => void asked.add(String(name)) })
  for (const read of CLUSTER_READERS) read(new EnvironmentReader(environment))
  const [, table = ''] = read('docs/reference/configuration.md').split('## Outside services')
  const listed = [...table.matchAll(/^\| `([A-Z0-9_]+)`/gm)].map(([, name]) => `${name}`)
  t.strictSame(listed.sort(), [...asked].sort())
})
