/** The stores with the rights of the component that uses them, and no others. */
import t, { type Test } from 'tap'
import { ApiRefusal, type ApiServer } from '../../../adapters/kubernetes/api-server.ts'
import { KubernetesCaseResources } from '../../../adapters/kubernetes/case-resources.ts'
import { KubernetesCaseStore } from '../../../adapters/kubernetes/case-store.ts'
import { KubernetesDeviceStore } from '../../../adapters/kubernetes/device-store.ts'
import { KubernetesLeaderLease } from '../../../adapters/kubernetes/leader-lease.ts'
import { KubernetesSecretStore } from '../../../adapters/kubernetes/secret-store.ts'
import { released } from '../../../controllers/signature-case/resource.ts'
import { ServiceError } from '../../../domain/errors.ts'
import { uuidV5 } from '../../../domain/ids.ts'
import { handOver } from '../../../domain/devices/handover.ts'
import { systemTimers } from '../../../adapters/shared/system-timers.ts'
import { startCampaign, until } from '../../contract/leader-lease.ts'
import { device, DEVICE_KEY } from '../../fixtures/device.ts'
import { makeNamespaces, withRights } from '../../fixtures/kubernetes-api.ts'
import { CASE_KEY, signatureCase, TENANT } from '../../fixtures/signature-case.ts'

const HOME = 'sigcase-system'
const AT = '2026-11-02T09:00:00.000Z'
const STATUS = signatureCase({ phase: 'IN_PROGRESS' }).status!
const log = { warn: () => {} }

const casesOf = (server: ApiServer) => new KubernetesCaseStore(server, log)
const secretsOf = (server: ApiServer) => new KubernetesSecretStore(server, async () => [TENANT])

await withRights(HOME, [TENANT], async ({ as, admin }) => {
  const [api, controller, worker] = [await as('api'), await as('controller'), await as('worker')]

  const forbidden = async (t: Test, what: string, call: Promise<unknown>) => {
    const error = await call.then(
      () => undefined,
      (failure: unknown) => failure,
    )
    const refusal = error instanceof ServiceError ? error.cause : error
    t.ok(refusal instanceof ApiRefusal && refusal.status === 403, `${what} is forbidden`)
  }

  t.test("each component can do its part of a case, and not the others'", async (t) => {
    const { status: _, ...one } = signatureCase()
    const fresh = { ...one, metadata: { name: CASE_KEY.caseId, namespace: TENANT } }
    await secretsOf(api).create(CASE_KEY, { signingSecret: 'k'.repeat(32) })
    const created = await casesOf(api).create(fresh)
    const spec = { ...created.spec, cancellation: { at: AT } }
    const cancelled = await casesOf(api).replaceSpec({ ...created, spec })
    const next = { ...cancelled, status: STATUS }
    await forbidden(t, 'status to the API', casesOf(api).replaceStatus(next))
    await forbidden(t, 'status to a worker', casesOf(worker).replaceStatus(next))
    await forbidden(t, 'spec to a worker', casesOf(worker).replaceSpec(cancelled))
    await forbidden(t, 'creation to a worker', casesOf(worker).create(fresh))
    t.ok(await casesOf(worker).get(CASE_KEY))
    t.ok(await secretsOf(worker).get(CASE_KEY))
    await forbidden(t, 'deletion of secrets to a worker', secretsOf(worker).delete(CASE_KEY))
    t.match((await casesOf(controller).replaceStatus(next)).status, STATUS)
  })

  t.test(
    'cases are written by patches alone, and only the controller reads one tenant',
    async (t) => {
      const root = '/apis/sigcase.dev/v1'
      const path = `${root}/namespaces/${TENANT}/signaturecases/${CASE_KEY.caseId}`
      const body = await admin.send<object>({ path })
      const put = (server: ApiServer, to: string) => server.send({ method: 'PUT', path: to, body })
      for (const [name, server] of Object.entries({ api, controller, worker })) {
        await forbidden(t, `a replacement by ${name}`, put(server, path))
        await forbidden(t, `a replacement of status by ${name}`, put(server, `${path}/status`))
        t.ok(await server.send({ path: `${root}/tenants` }), `${name} lists tenants`)
        const tenant = `${root}/tenants/${TENANT}`
        const write = { method: 'PATCH', path: tenant, body: { spec: {} } } as const
        await forbidden(t, `a change of a tenant by ${name}`, server.send(write))
        if (name === 'controller') continue
        await forbidden(t, `one tenant to ${name}`, server.send({ path: tenant }))
        const secrets = `/api/v1/namespaces/${TENANT}/secrets`
        await forbidden(t, `a listing of secrets to ${name}`, server.send({ path: secrets }))
        const own = `/api/v1/namespaces/${HOME}/secrets/sigcase-keyring-seal`
        await forbidden(t, `a secret of the service to ${name}`, server.send({ path: own }))
      }
    },
  )

  t.test('the controller alone removes a case', async (t) => {
    await forbidden(t, 'removal of a case to the API', casesOf(api).delete(CASE_KEY))
    await forbidden(t, 'removal of a case to a worker', casesOf(worker).delete(CASE_KEY))
    const key = { tenant: TENANT, caseId: uuidV5(CASE_KEY.caseId, 'erased') }
    const { status: _, ...one } = signatureCase()
    await casesOf(api).create({ ...one, metadata: { name: key.caseId, namespace: TENANT } })
    await casesOf(controller).delete(key)
    const going = await casesOf(controller).get(key)
    t.ok(going?.metadata.deletionTimestamp)
    if (going) await casesOf(controller).replaceSpec(released(going))
    t.equal(await casesOf(controller).get(key), undefined)
  })

  t.test('the controller lists cases and secrets, adopts and removes', async (t) => {
    t.equal((await casesOf(controller).list({ limit: 10 })).items.length, 1)
    await forbidden(t, 'a listing of all tenants to the API', casesOf(api).list({ limit: 10 }))
    const secrets = secretsOf(controller)
    const later = new Date('2100-01-01T00:00:00Z')
    t.same(await secrets.listUnadopted(later, 10), [CASE_KEY])
    await secrets.adopt(CASE_KEY)
    t.same(await secrets.listUnadopted(later, 10), [])
    await secrets.delete(CASE_KEY)
    const listing = controller.send({ path: '/api/v1/secrets' })
    await forbidden(t, "a listing of the cluster's secrets to the controller", listing)
  })

  t.test('the API keeps kiosks, and a worker hands over to them', async (t) => {
    const devices = new KubernetesDeviceStore(api)
    const created = await devices.create(device())
    const open = { state: 'open' as const, caseId: CASE_KEY.caseId, participantId: CASE_KEY.caseId }
    const shown = await devices.replace(handOver(created, open, 1))
    const ofWorker = new KubernetesDeviceStore(worker)
    const handedCaseId = CASE_KEY.caseId
    t.equal((await ofWorker.list(TENANT, { limit: 10, handedCaseId })).items.length, 1)
    await ofWorker.replace(handOver(shown, { ...open, state: 'closed' }, 2))
    await forbidden(t, 'removal to a worker', ofWorker.delete(DEVICE_KEY))
    const ofController = new KubernetesDeviceStore(controller)
    const seen = await ofController.get(DEVICE_KEY)
    t.ok(seen)
    if (seen) await forbidden(t, 'a hand-over to the controller', ofController.replace(seen))
    t.equal(await devices.delete(DEVICE_KEY), true)
  })

  t.test('a namespace without bindings is not ready: try again soon', async (t) => {
    await makeNamespaces(admin, ['unbound'])
    const key = { tenant: 'unbound', caseId: CASE_KEY.caseId }
    const { status: _, ...one } = signatureCase()
    const fresh = { ...one, metadata: { name: key.caseId, namespace: key.tenant } }
    const notReady = { code: 'TIMEOUT', details: { retryAfterSeconds: 5 } }
    await t.rejects(casesOf(api).create(fresh), notReady)
    await t.rejects(casesOf(api).get(key), notReady)
    await t.rejects(secretsOf(api).create(key, {}), notReady)
    const resources = new KubernetesCaseResources(controller, systemTimers)
    await t.rejects(resources.publishedUpload(key), notReady)
    await t.rejects(new KubernetesDeviceStore(api).list('unbound', { limit: 1 }), notReady)
    const secrets = new KubernetesSecretStore(controller, async () => ['unbound', TENANT])
    t.same(await secrets.listUnadopted(new Date(), 10), [], 'the others are looked at')
  })

  t.test('only the controller takes part in the election', async (t) => {
    const lease = (server: ApiServer, identity: string) =>
      new KubernetesLeaderLease(
        { api: server, timers: systemTimers, log },
        { namespace: HOME, name: 'controller', replica: identity, identity, groups: 2 },
      )
    const replica = startCampaign(t, lease(controller, 'one'))
    await until(() => replica.received.length === 2)
    await replica.end()
    const path = `/apis/coordination.k8s.io/v1/namespaces/${HOME}/leases/controller`
    await forbidden(t, 'the lease to a worker', worker.send({ path }))
    t.ok(await admin.send({ path }))
  })
})
