/** Tenants as a platform team registers and removes them, on a real API server. */
import { setTimeout as sleep } from 'node:timers/promises'
import { join } from 'node:path'
import process from 'node:process'
import t, { type Test } from 'tap'
import { pathOf } from '../../adapters/kubernetes/api-server.ts'
import { runSigcase } from '../../cli/sigcase/run.ts'
import { kubeConfigFor } from '../../dev/local-cluster/install.ts'
import { findLogoFault } from '../../adapters/branding/look.ts'
import { KubernetesTenantNamespaces } from '../../adapters/kubernetes/tenant-namespaces.ts'
import { KubernetesTenantStore } from '../../adapters/kubernetes/tenant-store.ts'
import { NamespaceRefusedError } from '../../domain/ports/tenant-store.ts'
import { buildTenantController } from '../../controllers/tenants.ts'
import { systemTimers } from '../../adapters/shared/system-timers.ts'
import { LOGO_PNG } from '../fixtures/logos.ts'
import { watchCores } from '../fixtures/busy.ts'
import { withCluster } from '../fixtures/kubernetes-api.ts'

t.setTimeout(600_000)

const HOME = 'sigcase-system'
const UNLABELLED = 'unlabelled'
const TENANTS = '/apis/sigcase.dev/v1/tenants'
/** Less than the five minutes between two resyncs. */
const PATIENCE_MS = 60_000
const POLL_MS = 100

await withCluster(async ({ admin, plane }) => {
  const tenants = new KubernetesTenantStore(admin, { warn: () => {} })
  const real = new KubernetesTenantNamespaces(admin, HOME, { warn: () => {} })
  // This API server is older than admission policies.
  const namespaces = {
    async ensure(namespace: string) {
      if (namespace === UNLABELLED) throw new NamespaceRefusedError('the namespace has no label')
      await real.ensure(namespace)
    },
    watch: (onChange: (namespace: string) => void) => real.watch(onChange),
  }
  const warnings: object[] = []
  const controller = buildTenantController({
    tenants,
    namespaces,
    home: HOME,
    findLogoFault,
    timers: systemTimers,
    log: { warn: (details) => warnings.push(details) },
  })
  await controller.start()
  t.teardown(() => controller.stop())

  const register = (
    t: Test,
    name: string,
    namespace: string,
    identity: object = {},
    more: object = {},
  ) => {
    t.teardown(() => remove(name))
    const own = { issuer: 'https://login.example', audience: 'sigcase', claim: 'org', value: name }
    const body = {
      apiVersion: 'sigcase.dev/v1',
      kind: 'Tenant',
      metadata: { name },
      spec: { namespace, identity: { ...own, ...identity }, ...more },
    }
    return admin.send({ method: 'POST', path: TENANTS, body })
  }
  const remove = (name: string) =>
    admin.send({ method: 'DELETE', path: TENANTS + pathOf(name) }).catch(() => undefined)
  const readiness = async (name: string) =>
    (await tenants.get(name))?.status?.conditions.find(({ type }) => type === 'Ready')
  const until = async (name: string, reason: string) => {
    const deadline = Date.now() + PATIENCE_MS
    for (;;) {
      const ready = await readiness(name)
      if (ready?.reason === reason) return ready
      if (Date.now() > deadline) throw new Error(`${name}: ${JSON.stringify(ready)}`)
      await sleep(POLL_MS)
    }
  }

  t.test('a tenant gets its namespace, the rights in it, and is ready', async (t) => {
    await register(t, 'acme', 'acme-cases')
    t.match(await until('acme', 'NamespaceReady'), { status: 'True' })
    const path = '/apis/rbac.authorization.k8s.io/v1/namespaces/acme-cases/rolebindings'
    const { items } = await admin.send<{ items: { metadata: { name: string } }[] }>({ path })
    const names = items.map(({ metadata }) => metadata.name).sort()
    t.same(names, ['sigcase-api', 'sigcase-controller', 'sigcase-worker'])
    t.same(await tenants.namespaces(), ['acme-cases'])
    const namespace = await admin.send({ path: '/api/v1/namespaces/acme-cases' })
    t.match(namespace, { metadata: { labels: { 'sigcase.dev/tenant-namespace': 'true' } } })
  })

  t.test('the command line registers a tenant, and says why it cannot', async (t) => {
    const { url, ca, adminToken: token } = plane
    const path = t.testdir({ kubeconfig: kubeConfigFor({ url, ca, token }).exportConfig() })
    process.env.KUBECONFIG = join(path, 'kubeconfig')
    t.teardown(() => {
      delete process.env.KUBECONFIG
      return remove('typed')
    })
    const printed = t.capture(console, 'log')
    const errors = t.capture(console, 'error')
    const own = ['--issuer', 'https://login.example', '--audience', 'sigcase', '--claim', 'org']
    const create = ['tenant', 'create', 'typed', ...own, '--namespace', 'typed-cases']
    t.equal(await runSigcase(create), 0)
    await until('typed', 'NamespaceReady')
    t.equal(await runSigcase(['tenant', 'list']), 0)
    const lines = printed().map(({ args: [line] }) => String(line))
    t.match(lines.at(-1), /^typed +typed-cases +True +https:\/\/login\.example/m)
    t.equal(await runSigcase(create), 1)
    t.match(errors(), [{ args: [/^sigcase: .*"typed" already exists/] }])
  })

  t.test('the status says how the branding is shown', async (t) => {
    const shown = async (name: string) => {
      await until(name, 'NamespaceReady')
      const { status } = (await tenants.get(name)) ?? {}
      return status?.conditions.find(({ type }) => type === 'BrandingShown')
    }
    const branded = (name: string, branding: object) =>
      register(t, name, `${name}-cases`, {}, { branding })
    await branded('yellow', { colour: '#ffcc00', logo: LOGO_PNG.toString('base64') })
    t.match(await shown('yellow'), {
      status: 'True',
      reason: 'ColourAdjusted',
      message: /#ffcc00 is shown as #/,
    })
    await branded('vector', { logo: Buffer.from('<svg/>').toString('base64') })
    t.match(await shown('vector'), { status: 'False', reason: 'LogoRefused', message: /neither/ })
    await register(t, 'unbranded', 'unbranded-cases')
    t.equal(await shown('unbranded'), undefined)
    for (const branding of [
      { colour: 'red' },
      { logo: 'A'.repeat(16_388) },
      { logo: 'AAAAA' },
      { logo: 'AA\nA' },
    ]) {
      await t.rejects(branded('wrong', branding), /Invalid|invalid/, JSON.stringify(branding))
    }
  })

  t.test('the status says whether the time zone is known', async (t) => {
    const known = async (name: string) => {
      await until(name, 'NamespaceReady')
      const { status } = (await tenants.get(name)) ?? {}
      return status?.conditions.find(({ type }) => type === 'TimeZoneKnown')
    }
    const inZone = (name: string, timeZone: string) =>
      register(t, name, `${name}-cases`, {}, { timeZone })
    await inZone('overseas', 'America/New_York')
    t.match(await known('overseas'), { status: 'True', reason: 'AsGiven' })
    await inZone('atlantis', 'Europe/Atlantis')
    t.match(await known('atlantis'), {
      status: 'False',
      reason: 'UnknownTimeZone',
      message: /Europe\/Atlantis is not .*; local times are of Europe\/Bratislava/,
    })
    await register(t, 'zoneless', 'zoneless-cases')
    t.equal(await known('zoneless'), undefined)
    for (const timeZone of ['+01:00', 'Europe/', '../etc', 'x'.repeat(65)]) {
      await t.rejects(inZone('wrong', timeZone), /Invalid|invalid/, timeZone)
    }
  })

  t.test('a namespace in which roles may not be bound is a condition that says why', async (t) => {
    await register(t, 'stranger', UNLABELLED)
    const refused = await until('stranger', 'NamespaceRefused')
    t.match(refused, { status: 'False', message: 'the namespace has no label' })
    t.same(await tenants.namespaces(), [])
  })

  t.test('namespaces of the cluster and of the service belong to no tenant', async (t) => {
    for (const [index, namespace] of ['default', 'kube-system', HOME].entries()) {
      await register(t, `greedy-${index}`, namespace)
      t.match(await until(`greedy-${index}`, 'NamespaceReserved'), { status: 'False' })
    }
    t.same(await tenants.namespaces(), [])
  })

  t.test('a namespace is the first one’s, until that is removed', async (t) => {
    await register(t, 'first', 'shared')
    await until('first', 'NamespaceReady')
    await register(t, 'second', 'shared')
    const taken = await until('second', 'NamespaceTaken')
    t.match(taken, { status: 'False', message: 'shared is the namespace of tenant first' })
    await remove('first')
    t.match(
      await until('second', 'NamespaceReady'),
      { status: 'True' },
      'long before the next resync',
    )
  })

  t.test('tokens are the first one’s, who goes on when another wants the same', async (t) => {
    const same = { value: 'both' }
    await register(t, 'one', 'one-cases', same)
    await until('one', 'NamespaceReady')
    await register(t, 'two', 'two-cases', same)
    const taken = await until('two', 'IdentityTaken')
    t.match(taken, { status: 'False', message: 'the same tokens belong to tenant one' })
    t.same(await tenants.namespaces(), ['one-cases'])
    await register(t, 'three', 'three-cases', { ...same, audience: 'another' })
    t.match(await until('three', 'NamespaceReady'), { status: 'True' }, 'other tokens')
    await remove('one')
    await until('two', 'NamespaceReady')
  })

  /** There is no namespace controller here: this is its last step. */
  const finalize = async (name: string) => {
    const path = `/api/v1/namespaces/${name}`
    const namespace = await admin.send<{ spec: object }>({ path })
    const body = { ...namespace, spec: { finalizers: [] } }
    await admin.send({ method: 'PUT', path: `${path}/finalize`, body })
  }

  t.test('a namespace that is deleted is made again with its bindings', async (t) => {
    await register(t, 'again', 'again-cases')
    await until('again', 'NamespaceReady')
    const path = '/api/v1/namespaces/again-cases'
    const bindings = '/apis/rbac.authorization.k8s.io/v1/namespaces/again-cases/rolebindings'
    const { metadata: before } = await admin.send<{ metadata: { uid: string } }>({ path })
    await admin.send({ method: 'DELETE', path })
    await admin.send({ method: 'DELETE', path: bindings })
    const ending = await until('again', 'NamespaceTerminating')
    t.match(ending, { status: 'False', message: 'namespace again-cases is being deleted' })
    t.notOk((await tenants.namespaces()).includes('again-cases'))
    const startedMs = Date.now()
    const isBusy = watchCores()
    await finalize('again-cases')
    await until('again', 'NamespaceReady')
    t.ok(Date.now() - startedMs < 30_000 || isBusy(), 'long before the next resync')
    const { metadata: after } = await admin.send<{ metadata: { uid: string } }>({ path })
    t.not(after.uid, before.uid)
    t.equal((await admin.send<{ items: object[] }>({ path: bindings })).items.length, 3)
  })

  t.test('nothing went wrong on the way', async (t) => t.same(warnings, []))
})
