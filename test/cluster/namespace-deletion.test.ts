/**
 * A tenant's namespace is deleted while it has cases: it ends within a minute, and what proves the
 * trails is kept.
 *
 * The namespace controller is a part of kube-controller-manager, which the test control plane does
 * not have. This file does its steps in the order that is worst for the service: the bindings, with
 * the rights of the service, and the Secrets go first, then all else, again and again until nothing
 * is left; at last the namespace is finalized.
 */
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { ApiRefusal, type ApiServer } from '../../adapters/kubernetes/api-server.ts'
import { caseFolder, REMOVED_FOLDER } from '../../domain/cases/keys.ts'
import { bucketOf } from '../fixtures/bucket.ts'
import { TENANT, withLocalCluster } from '../fixtures/local-cluster.ts'
import { smallDocument } from '../fixtures/signed-by-all.ts'
import { watchCores } from '../fixtures/busy.ts'
import { until } from '../fixtures/until.ts'

t.setTimeout(600_000)

const MINUTE_MS = 60_000
const ROUND_MS = 500
/** Reached only when cases are left for ever. */
const LIMIT_MS = 4 * MINUTE_MS
const PATIENCE_MS = 60_000
const NAMESPACE = `/api/v1/namespaces/${TENANT}`
const BINDINGS = `/apis/rbac.authorization.k8s.io/v1/namespaces/${TENANT}/rolebindings`
const CASES = `/apis/sigcase.dev/v1/namespaces/${TENANT}/signaturecases`
/** In the order in which they are removed. */
const COLLECTIONS = [
  BINDINGS,
  `${NAMESPACE}/secrets`,
  `${NAMESPACE}/events`,
  `/apis/sigcase.dev/v1/namespaces/${TENANT}/kioskdevices`,
  CASES,
]

const countItems = async (admin: ApiServer, path: string) =>
  (await admin.send<{ items: object[] }>({ path })).items.length

/** @returns how long it took, in milliseconds */
async function deleteNamespace(admin: ApiServer): Promise<number> {
  const startedMs = Date.now()
  await admin.send({ method: 'DELETE', path: NAMESPACE })
  for (;;) {
    for (const path of COLLECTIONS) await admin.send({ method: 'DELETE', path })
    if ((await countItems(admin, CASES)) === 0) break
    if (Date.now() - startedMs > LIMIT_MS) throw new Error('cases are left')
    await sleep(ROUND_MS)
  }
  const namespace = await admin.send<object>({ path: NAMESPACE })
  const body = { ...namespace, spec: { finalizers: [] } }
  await admin.send({ method: 'PUT', path: `${NAMESPACE}/finalize`, body })
  return Date.now() - startedMs
}

await withLocalCluster({ workers: ['node'] }, ({ admin, client, environment, url, token }) => {
  const objectsIn = async (folder: string) => {
    const stats = await bucketOf(environment).list(folder, { limit: 1_000 })
    return stats.map(({ key }) => key.slice(folder.length))
  }
  const post = async (body: object) =>
    fetch(`${url}/cases`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${await token(TENANT)}`,
        'content-type': 'application/json',
      },
      body: JSON.stringify(body),
    })
  const person = { firstName: 'Jana', lastName: 'Nováková', email: 'jana@example.com' }
  const input = () => ({
    title: 'Contract',
    validUntil: new Date(Date.now() + 60 * MINUTE_MS).toISOString(),
    participants: [person],
  })

  t.test('a namespace with cases ends, and its trails stay proven', async (t) => {
    const people = await client(PATIENCE_MS)
    const done = await people.create('Done', [person], { quickSign: true })
    await people.upload(done.upload.url, await smallDocument())
    const [signer] = (await people.untilNot('NEW', done.case.id)).participants
    await people.sign(signer?.signerUrl ?? '')
    await people.untilNot('IN_PROGRESS', done.case.id)
    const signing = await people.create('Signing', [person], {
      // No server listens there: its webhook is retried for twelve minutes.
      callback: { url: 'http://127.0.0.1:9/hook', authType: 'NONE' },
    })
    await people.upload(signing.upload.url, await smallDocument())
    await people.untilNot('NEW', signing.case.id)
    const name = randomUUID()
    const applied = {
      apiVersion: 'sigcase.dev/v1',
      kind: 'SignatureCase',
      metadata: { name, namespace: TENANT },
      spec: { definition: input() },
    }
    await admin.send({ method: 'POST', path: CASES, body: applied })
    const path = `${NAMESPACE}/secrets/${name}-upload`
    await until(async () => admin.send({ path }).then(Boolean, () => false))

    const isBusy = watchCores()
    const deletion = deleteNamespace(admin)
    const statuses = new Set<string>()
    await until(async () => {
      const answer = await post(input())
      statuses.add(`${answer.status} ${((await answer.json()) as { code?: string }).code ?? ''}`)
      return answer.status === 503
    })
    const tookMs = await deletion
    t.ok(tookMs < MINUTE_MS || isBusy(), `${tookMs} ms`)
    t.same(
      [...statuses].filter((one) => !one.startsWith('200')),
      ['503 TIMEOUT'],
    )
    for (const id of [done.case.id, signing.case.id, name]) {
      const objects = await objectsIn(caseFolder({ tenant: TENANT, caseId: id }))
      t.ok(
        objects.some((one) => one.startsWith('audit-heads/')),
        'the trail is sealed',
      )
      const kept = await objectsIn(`${REMOVED_FOLDER}${TENANT}/${id}.`)
      t.equal(kept.length, 1, 'it is noted for its retention')
    }
    t.ok(
      (await objectsIn(caseFolder({ tenant: TENANT, caseId: done.case.id }))).includes('outcome'),
    )
  })

  t.test('the namespace made again has its bindings, and takes cases', async (t) => {
    const isMade = async () =>
      countItems(admin, BINDINGS).then(
        (count) => count === 3,
        (error: unknown) => {
          if (error instanceof ApiRefusal) return false
          throw error
        },
      )
    await until(isMade)
    t.ok(await isMade())
    let answer = await post(input())
    await until(async () => {
      if (answer.status === 503) answer = await post(input())
      return answer.status !== 503
    })
    t.equal(answer.status, 200)
    t.equal((await (await client(PATIENCE_MS)).create('Again', [person])).case.status, 'NEW')
  })
})
