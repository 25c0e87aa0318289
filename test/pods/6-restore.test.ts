/** A cluster is lost and restored from a backup by the documented commands; its bucket is kept. */
import { execFile } from 'node:child_process'
import { cpSync, mkdirSync, readFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import process from 'node:process'
import { promisify } from 'node:util'
import t, { type Test } from 'tap'
import { HOME_NAMESPACE, KUBECONFIG, ROOT, TENANTS } from '../../dev/pods/layout.ts'
import { preparePrograms } from '../../dev/pods/programs.ts'
import { RELEASE } from '../../dev/pods/release.ts'
import { smallDocument } from '../fixtures/signed-by-all.ts'
import { cluster, kubectl, NAMESPACE, listPods, TENANT, until, untilWhole } from './cases.ts'
import { patientClient } from './load.ts'
import { mails } from './receiver.ts'

const LIMIT_MS = 580_000
const CASE_LIMIT_MS = 240_000
const POLL_MS = 1_000
const COMPONENTS = ['api', 'controller', 'worker'] as const
const KINDS = ['signaturecases', 'kioskdevices', 'tenants'] as const
const DELETION_LIMIT = '--timeout=180s'
const { kubernetes } = preparePrograms()

const page = readFileSync(join(ROOT, 'docs/how-to/back-up-and-restore.md'), 'utf8')
const [BACK_UP = '', RESTORE = ''] = [...page.matchAll(/^```sh\n(.*?)^```$/gms)].map(
  ([, commands = '']) => commands,
)

/** Runs commands of the page. Kubernetes 1.20 does not know all members of the manifests. */
async function script(commands: string, cwd: string): Promise<void> {
  const helm = 'helm() { command helm "$@" --disable-openapi-validation; }'
  const PATH = [kubernetes, process.env.PATH].join(delimiter)
  const env = { ...process.env, PATH, KUBECONFIG }
  await promisify(execFile)('bash', ['-euc', `${helm}\n${commands}`], { cwd, env })
}

/** Makes a folder with what an operator has beside a backup: the chart and its values. */
function operatorFolder(t: Test): string {
  const folder = t.testdir()
  mkdirSync(join(folder, 'charts'), { recursive: true })
  cpSync(join(cluster.folder, 'chart'), join(folder, 'charts/sigcase'), { recursive: true })
  cpSync(join(cluster.folder, 'values.json'), join(folder, 'values.yaml'))
  return folder
}

interface Resource {
  kind: string
  metadata: { name: string; namespace?: string }
}

/** Removes the service and its resources after its controllers, which would act on removals. */
async function loseCluster(): Promise<void> {
  const deployments = COMPONENTS.map((name) => `deployment/sigcase-${name}`)
  await kubectl.run('scale', ...deployments, NAMESPACE, '--replicas=0')
  await until('no pods are left', async () => {
    const pods = await Promise.all(COMPONENTS.map(listPods))
    return pods.flat().length === 0 ? true : undefined
  })
  const { items } = await kubectl.get<{ items: Resource[] }>(KINDS.join(), '--all-namespaces')
  const patch = JSON.stringify({ metadata: { finalizers: null } })
  for (const { kind, metadata } of items) {
    const place = metadata.namespace === undefined ? [] : [`--namespace=${metadata.namespace}`]
    await kubectl.run('patch', kind, metadata.name, ...place, '--type=merge', '--patch', patch)
  }
  await kubectl.helm('uninstall', RELEASE, NAMESPACE)
  await kubectl.run('delete', 'tenants', '--all', DELETION_LIMIT)
  await kubectl.run('delete', 'namespace', HOME_NAMESPACE, ...TENANTS, DELETION_LIMIT)
  // `helm uninstall` keeps the definitions; an empty cluster has none.
  const definitions = KINDS.map((kind) => `customresourcedefinition/${kind}.sigcase.dev`)
  await kubectl.run('delete', ...definitions, DELETION_LIMIT)
}

/** Credentials that a tenant keeps for the callbacks of its next cases. */
const CALLBACK = {
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: {
    name: 'webhook',
    namespace: TENANT,
    labels: { 'sigcase.dev/callback-credentials': 'true' },
  },
  stringData: { clientId: 'me', clientSecret: 'kept' },
}

t.test('nothing is lost with the cluster, and nothing is sent twice', async (t) => {
  t.setTimeout(LIMIT_MS)
  await untilWhole()
  const client = await patientClient()
  const people = [1, 2].map((number) => ({ email: `restore-${Date.now()}-${number}@example.com` }))
  const pdf = await smallDocument()
  const created = await client.create('Done', [people[0]!])
  const done = await client.complete(created, pdf, CASE_LIMIT_MS, POLL_MS)
  const fresh = await client.create('New', [{}], { quickSign: true })
  const { case: half, upload } = await client.create('Half signed', people)
  await client.upload(upload.url, pdf)
  const { participants } = await client.untilNot('NEW', half.id, CASE_LIMIT_MS, POLL_MS)
  const [first, second] = participants.map(({ signerUrl }) => signerUrl)
  t.equal((await client.sign(first ?? '')).status, 200)

  await kubectl.apply(CALLBACK)

  const folder = operatorFolder(t)
  await script(BACK_UP, folder)
  t.equal((await client.sign(second ?? '')).status, 200, 'a signature that the backup lacks')
  const whole = await client.untilNot('IN_PROGRESS', half.id, CASE_LIMIT_MS, POLL_MS)
  t.equal(whole.status, 'DONE')
  await loseCluster()
  await script(RESTORE, folder)
  await untilWhole()

  const digest = ({ signedDocument }: typeof done) => signedDocument?.sha256
  // A backup has no statuses: the controller makes those of all cases of the cluster again.
  const restored = async (id: string) => {
    await client.untilNot('NEW', id, CASE_LIMIT_MS, POLL_MS)
    return client.untilNot('IN_PROGRESS', id, CASE_LIMIT_MS, POLL_MS)
  }
  t.equal(digest(await restored(done.id)), digest(done), 'the same signed PDF')
  const again = await restored(half.id)
  t.equal(again.status, 'DONE')
  t.equal(digest(again), digest(whole), 'the PDF with the later signature')
  const last = await client.complete(fresh, pdf, CASE_LIMIT_MS, POLL_MS)
  t.equal(last.status, 'DONE', 'a case that waited for its document goes on')
  await kubectl.run('get', 'secret', CALLBACK.metadata.name, `--namespace=${TENANT}`)
  const sent = await mails()
  for (const { email } of people) {
    const subjects = sent.filter(({ to }) => to?.includes(email)).map(({ subject }) => subject)
    t.ok(subjects.length > 0)
    t.equal(new Set(subjects).size, subjects.length, `no mail twice: ${subjects.join(', ')}`)
  }
})
