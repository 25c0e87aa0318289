/** A whole service whose objects are in a real S3-compatible store, Ceph's object gateway. */
import { execFile } from 'node:child_process'
import { copyFile, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import process from 'node:process'
import { promisify } from 'node:util'
import t from 'tap'
import { examine } from '../../cli/doctor/doctor.ts'
import { SigcaseClient } from '../../clients/typescript/src/index.ts'
import { HOME } from '../../dev/local-cluster/programs.ts'
import { archiveKey } from '../../domain/cases/keys.ts'
import { bucketOf } from '../fixtures/bucket.ts'
import { withoutCeph } from '../fixtures/ceph-object-gateway.ts'
import { TENANT, type TestCluster } from '../fixtures/local-cluster.ts'
import { runTool } from '../fixtures/run-tool.ts'
import { smallDocument } from '../fixtures/signed-by-all.ts'
import { withStoresCluster } from '../fixtures/stores-cluster.ts'
import { brokenLinks, erasedOn } from './erased.ts'

const ROOT = join(import.meta.dirname, '../..')
const PATIENCE_MS = 60_000
const run = promisify(execFile)

t.setTimeout(900_000)

type Environment = Record<string, string>

/** Declares the tests of a service on this store. */
function onStore(cluster: TestCluster, environment: Environment): void {
  const objects = bucketOf(environment)
  let caseId = ''

  t.test('a case is created, uploaded by its link, signed and DONE', async (t) => {
    const client = await cluster.client(PATIENCE_MS)
    const made = await client.create('Contract', [{}, {}], { quickSign: true })
    t.ok(made.upload.url.startsWith(environment['S3_ENDPOINT'] ?? ''), 'the link is of the store')
    const done = await client.complete(made, await smallDocument(), PATIENCE_MS)
    t.equal(done.status, 'DONE')
    t.equal(done.signedDocument?.level, 'PAdES-BASELINE-LTA')
    caseId = done.id
    const sdk = new SigcaseClient({ baseUrl: cluster.url, token: client.token })
    const signed = await sdk.download(caseId, 'signed')
    t.same(await brokenLinks(await sdk.download(caseId, 'evidence'), signed), [])
    t.equal((await sdk.verify(signed)).summary.indication, 'TOTAL_PASSED')
  })

  t.test('an upload with another type than announced is refused', async (t) => {
    const client = await cluster.client()
    const { case: one, upload } = await client.create('Contract', [{}])
    const headers = { 'content-type': 'text/plain' }
    const refused = client.upload(upload.url, await smallDocument(), headers)
    await t.rejects(refused, { message: /^upload: 403 / })
    t.equal((await client.get(one.id)).status, 'NEW')
  })

  t.test('the script of the quick start verifies its signed PDF', async (t) => {
    const script = join(ROOT, 'examples/quickstart/unattended-fetch.ts')
    const folder = t.testdir()
    await copyFile(script, join(folder, 'script.ts'))
    await writeFile(join(folder, 'contract.pdf'), await smallDocument())
    const token = await cluster.token(TENANT)
    const env = { ...process.env, SIGCASE_URL: cluster.url, SIGCASE_TOKEN: token }
    const { stdout } = await run(process.execPath, ['script.ts'], { cwd: folder, env })
    t.match(stdout, /^TOTAL_PASSED$/m)
    t.equal(
      (await readFile(join(folder, 'contract-signed.pdf'))).subarray(0, 5).toString(),
      '%PDF-',
    )
    const sizeless = await (await cluster.client()).request('POST', '/verify/uploads')
    t.equal(sizeless.status, 400)
    t.match(await sizeless.text(), /UPLOAD_SIZE_REQUIRED/)
  })

  t.test('an archived case answers as before, and is restored', async (t) => {
    const client = await cluster.client()
    const [controller] = cluster.controllers
    const env = { ...controller?.options.environment }
    const tool = (name: string) =>
      runTool(`cli/${name}.ts`, ['--process', 'controller', '--tenant', TENANT, caseId], { env })
    const path = `/apis/sigcase.dev/v1/namespaces/${TENANT}/signaturecases/${caseId}`
    const before = await client.get(caseId)
    const record = archiveKey({ tenant: TENANT, caseId })
    await t.resolveMatch(tool('archive'), { code: 0, stdout: `${caseId} is archived\n` })
    await t.rejects(cluster.admin.send({ path }), { message: /not found/ })
    t.ok(await objects.stat(record))
    const archived = await client.get(caseId)
    t.equal(archived.signedDocument?.sha256, before.signedDocument?.sha256)
    const signed = await client.download(archived.signedDocument?.url ?? '')
    t.equal(signed.length, before.signedDocument?.size)
    await t.resolveMatch(tool('restore'), { code: 0, stdout: `${caseId} is restored\n` })
    t.match(await cluster.admin.send({ path }), { metadata: { name: caseId } })
  })

  erasedOn('S3', { ...cluster, environment: { ...cluster.environment, ...environment } })

  t.test('doctor finds nothing wrong in any process', async (t) => {
    const { api, controllers, workers } = cluster
    const pod = { POD_NAMESPACE: HOME, POD_NAME: 'controller-1' }
    for (const [name, child] of [
      ['api', api],
      ['controller', controllers[0]],
      ['worker', workers[0]],
    ] as const) {
      const found = await examine(name, { ...child?.options.environment, ...pod })
      t.same(
        found.filter(({ outcome }) => outcome === 'failed' || outcome === 'warning'),
        [],
        name,
      )
    }
  })

  t.test('no component asked for more than its role allows', async (t) => {
    t.same(cluster.logged(/is forbidden: |AccessDenied|SignatureDoesNotMatch/), [])
  })
}

if (withoutCeph) t.pass('nothing is tested', { skip: withoutCeph })
else await withStoresCluster((cluster, { environment }) => onStore(cluster, environment))
