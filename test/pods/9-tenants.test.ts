/** What tenants do with kubectl on a real cluster: cases from files, and a deleted namespace. */
import { Buffer } from 'node:buffer'
import { randomUUID } from 'node:crypto'
import t from 'tap'
import { BASE_URL, TENANTS } from '../../dev/pods/layout.ts'
import { mintToken } from '../../dev/pods/release.ts'
import { Client } from '../e2e/client.ts'
import { smallDocument } from '../fixtures/signed-by-all.ts'
import { cluster, kubectl, POD_LIMIT_MS, TENANT, until, untilWhole } from './cases.ts'

const [, OTHER] = TENANTS
const PATIENCE_MS = 60_000
const CASE_LIMIT_MS = 120_000
const DAY_MS = 24 * 60 * 60 * 1000
const DELETION_LIMIT_MS = 60_000
const UNAVAILABLE = 503

const clientOf = async (tenant: string, patienceMs: number) =>
  new Client({
    baseUrl: () => BASE_URL,
    token: await mintToken(cluster.folder, tenant),
    patienceMs,
  })

/** The file of a case, which states no ids and none of the defaults. */
function fileOf(name: string) {
  const field = { page: 1, x: 72, y: 500, width: 200, height: 60, unit: 'pt' }
  const person = { firstName: 'Jana', lastName: 'Nováková', email: 'jana@example.com' }
  const validUntil = new Date(Date.now() + DAY_MS).toISOString()
  const participants = [{ ...person, signatureFields: [field] }]
  return {
    apiVersion: 'sigcase.dev/v1',
    kind: 'SignatureCase',
    metadata: { name, namespace: TENANT },
    spec: { definition: { title: 'Contract', validUntil, quickSign: true, participants } },
  }
}

interface Case {
  metadata: { generation: number }
  spec: object
}

const ofTenant = `--namespace=${TENANT}`
const read = (name: string) => kubectl.get<Case>('signaturecase', name, ofTenant)

/** Reads the Secret with the URL for the document. */
async function uploadUrl(name: string): Promise<string> {
  return until(`the Secret ${name}-upload`, async () => {
    const found = await kubectl.run(
      ...['get', 'secret', `${name}-upload`, ofTenant, '--ignore-not-found', '--output=json'],
    )
    if (found === '') return undefined
    const { data } = JSON.parse(found) as { data: { url: string } }
    return Buffer.from(data.url, 'base64').toString()
  })
}

t.test('a case from a file goes its whole way', async (t) => {
  await untilWhole()
  const name = randomUUID()
  await kubectl.pipe(fileOf(name), 'apply', '--filename=-')
  const people = await clientOf(TENANT, PATIENCE_MS)
  await people.upload(await uploadUrl(name), await smallDocument())
  const [participant] = (await people.untilNot('NEW', name, CASE_LIMIT_MS)).participants
  t.equal((await people.sign(participant?.signerUrl ?? '')).status, 200)
  await kubectl.run(
    'wait',
    '--for=condition=Done',
    ofTenant,
    `signaturecase/${name}`,
    '--timeout=180s',
  )
  t.match(await kubectl.run('get', 'signaturecase', name, ofTenant), /DONE +1\/1/)
})

const MODES = {
  'client-side apply': ['apply', '--filename=-'],
  'server-side apply': ['apply', '--server-side', '--filename=-'],
  'server-side apply by force': ['apply', '--server-side', '--force-conflicts', '--filename=-'],
} as const

for (const [mode, words] of Object.entries(MODES)) {
  t.test(`${mode} of the same file changes nothing`, async (t) => {
    const name = randomUUID()
    const file = fileOf(name)
    await kubectl.pipe(file, ...words)
    await uploadUrl(name)
    const before = await read(name)
    await kubectl.pipe(file, ...words)
    const after = await read(name)
    t.same(after.spec, before.spec)
    t.equal(after.metadata.generation, before.metadata.generation, 'no new generation')
  })
}

t.test('a changed definition is refused by the rules of the custom resource', async (t) => {
  const name = randomUUID()
  const file = fileOf(name)
  await kubectl.pipe(file, 'apply', '--filename=-')
  const patch = JSON.stringify({ spec: { definition: { title: 'Another' } } })
  const change = ['patch', 'signaturecase', name, ofTenant, '--type=merge', '--patch', patch]
  await t.rejects(kubectl.run(...change), /definition cannot be changed/)
})

t.test('a case in a namespace of no tenant says why it waits, and can be deleted', async (t) => {
  t.setTimeout(POD_LIMIT_MS)
  const name = randomUUID()
  const { metadata, ...rest } = fileOf(name)
  const namespace = 'default'
  await kubectl.pipe({ ...rest, metadata: { ...metadata, namespace } }, 'apply', '--filename=-')
  const one = [`signaturecase/${name}`, `--namespace=${namespace}`] as const
  await kubectl.run('wait', '--for=condition=Delayed', ...one, '--timeout=180s')
  t.match(await kubectl.run('get', ...one, '--output=yaml'), /forbidden/)
  await kubectl.run('delete', ...one, '--timeout=60s')
})

t.test('a namespace that is deleted with its cases ends, and comes back', async (t) => {
  t.setTimeout(2 * POD_LIMIT_MS)
  const people = await clientOf(OTHER, PATIENCE_MS)
  const created = await people.create('Contract', [{}], { quickSign: true })
  await people.complete(created, await smallDocument(), CASE_LIMIT_MS)
  await people.create('Waits for its document', [{}])

  const startedMs = performance.now()
  const deletion = kubectl.run('delete', 'namespace', OTHER, `--timeout=${POD_LIMIT_MS / 1000}s`)
  const impatient = await clientOf(OTHER, 0)
  const body = fileOf(randomUUID()).spec.definition
  const statuses = new Set<number>()
  const over = new AbortController()
  const ended = deletion.finally(() => over.abort())
  while (!over.signal.aborted) {
    statuses.add((await impatient.request('POST', '/cases', { body })).status)
  }
  await ended
  const tookMs = performance.now() - startedMs
  t.comment(`deleted after ${Math.round(tookMs)} ms; POST /cases answered ${[...statuses].join()}`)
  t.ok(tookMs < DELETION_LIMIT_MS, 'within a minute')
  statuses.delete(200)
  t.same([...statuses], [UNAVAILABLE], 'POST /cases answers 503 meanwhile')

  await kubectl.run('wait', '--for=condition=Ready', `tenant/${OTHER}`, '--timeout=120s')
  const again = await people.create('Again', [{}], { quickSign: true })
  const done = await people.complete(again, await smallDocument(), CASE_LIMIT_MS)
  t.equal(done.status, 'DONE', 'the service made the namespace and its bindings again')
})
