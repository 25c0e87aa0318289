/**
 * Installs the chart as docs/how-to/install-on-a-cluster.md says, and drives a case to its end.
 * Then upgrades it to a chart whose definitions know a further field, and rolls it back.
 */
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { dump, load } from 'js-yaml'
import t, { type Test } from 'tap'
import { afterLastFile } from '../../dev/test-suite/teardowns.ts'
import { VERSION } from '../../domain/version.ts'
import { HOME, ROOT } from '../fixtures/chart.ts'
import { Cases, openGround, readTrail, until, type Lifetime } from '../fixtures/release/cases.ts'
import { leaveRelease, type LastingRelease } from '../fixtures/release/lasting.ts'
import { copyOfChart, openCluster, Release, TENANT } from '../fixtures/release/release.ts'
import { withoutRelease } from '../fixtures/release/skip.ts'

t.setTimeout(600_000)

const DEFINITION = join('files', 'crds', 'signaturecases.sigcase.dev.yaml')
const CRD = 'get crd signaturecases.sigcase.dev -o'
const FIELD = 'costCentre'
const SCHEMA = '{.spec.versions[0].schema.openAPIV3Schema.properties'
const AT_FIELD = `jsonpath=${SCHEMA}.spec.properties.definition.properties.${FIELD}}`

interface Schema {
  properties: Record<string, Schema>
}

interface Definition {
  spec: { versions: { schema: { openAPIV3Schema: Schema } }[] }
}

/** What the next version of the service would bring. @returns path of its chart */
function nextVersion(folder: string): string {
  const chart = copyOfChart(join(folder, 'next'))
  const about = join(chart, 'Chart.yaml')
  writeFileSync(about, readFileSync(about, 'utf8').replaceAll(VERSION, '99.0.0'))
  const path = join(chart, DEFINITION)
  const definition = load(readFileSync(path, 'utf8')) as Definition
  const root = definition.spec.versions[0]?.schema.openAPIV3Schema
  const fields = root?.properties.spec?.properties.definition?.properties as Record<string, object>
  fields[FIELD] = { type: 'string', maxLength: 100, description: 'Who pays' }
  writeFileSync(path, dump(definition))
  return chart
}

/** `npm run make-keyring`. @returns the folder with the keys */
function makeKeyring(folder: string): string {
  const keyring = join(folder, 'new-keyring')
  execFileSync(process.execPath, [join(ROOT, 'cli', 'make-keyring.ts'), keyring])
  return keyring
}

/** A release that is not yet installed, and what it needs. */
async function openRelease(t: Test): Promise<LastingRelease> {
  const life: Lifetime = { teardown: afterLastFile, comment: (text) => t.comment(text) }
  const backends = await openGround(life)
  const { folder } = backends.outside
  const ground = { ...backends, keyringFolder: makeKeyring(folder) }
  const cluster = await openCluster(life, {
    folder: join(folder, 'cluster'),
    address: ground.address,
  })
  const release = new Release({ ...ground, cluster })
  life.teardown(() => release.killPods())
  return { ground, release, life }
}

async function installs(t: Test, release: Release): Promise<void> {
  const { outside } = release.options
  const { hooks, mails } = outside
  await release.prepare()
  t.match(await release.bring('install', release.writeValues()), `sigcase ${VERSION} in ${HOME}`)
  await release.startPods()
  await release.registerTenant()
  const cases = await Cases.of(await release.client(), hooks.url)
  const open = await cases.open(2)
  await cases.sign(open, 0)
  await cases.sign(open, 1)
  const done = await cases.end(open)
  t.match(done, { status: 'DONE', signedDocument: { level: 'PAdES-BASELINE-LTA' } })
  await until('its webhooks were taken', () => hooks.taken.size === 3)
  await until('its mails were taken', () => mails.length === 4)
  t.ok((await readTrail(t, outside, done.id)).includes('case.completed'))

  const table = await release.kubectl(`-n ${TENANT} get signaturecases`)
  t.match(table, /NAME +PHASE +SIGNED +VALID UNTIL +AGE\n\S+ +DONE +2\/2 /)
  t.match(await release.kubectl('explain tenant.spec'), 'namespace')
  const ready = await (await fetch(`${release.baseUrl}/readyz`)).json()
  t.match(ready, { checks: { canary: { outcome: 'passed' } } }, 'as `helm test` asks')
  t.same(release.logged(/is forbidden: /), [])
  t.same(
    release.logged(/"level":50|NotCapable|PermissionDenied|EROFS/),
    [],
    'the logs have no errors',
  )
}

async function upgradesAndRollsBack(t: Test, release: Release): Promise<void> {
  const { hooks } = release.options.outside
  const before = hooks.taken.size
  const client = await release.client(60_000)
  const cases = await Cases.of(client, hooks.url)
  const fresh = await cases.create(1)
  const half = await cases.open(2)
  const later = await cases.open(2)
  await cases.sign(half, 0)
  hooks.isDown = true
  const waiting = await cases.done()

  const values = release.writeValues({ logLevel: 'warn' })
  await release.bring('upgrade', values, nextVersion(release.options.outside.folder))
  t.match(await release.kubectl(`${CRD} ${AT_FIELD}`), '"maxLength":100', 'the definition is new')
  await release.replacePods()
  hooks.isDown = false
  await cases.sign(half, 1)
  t.equal((await cases.end(half)).status, 'DONE')
  const open = await cases.upload(fresh)
  await cases.sign(later, 0)

  const id = '7f1d2c1e-3a51-4b39-9a3e-0d6b5f2f8a10'
  const validUntil = new Date(Date.now() + 24 * 60 * 60 * 1000).toISOString()
  const participants = [
    {
      firstName: 'Jana',
      lastName: 'Nováková',
      email: 'jana@example.com',
      signatureFields: [{ page: 1, x: 72, y: 500, width: 200, height: 60, unit: 'pt' }],
    },
  ]
  await release.kubectl('apply -f - --validate=false', {
    apiVersion: 'sigcase.dev/v1',
    kind: 'SignatureCase',
    metadata: { name: id, namespace: TENANT },
    spec: { definition: { title: 'Contract', validUntil, participants, [FIELD]: '4711' } },
  })
  const field = `-n ${TENANT} get signaturecase ${id} -o jsonpath={.spec.definition.${FIELD}}`
  await until('the new case is shown', async () => {
    return (await client.request('GET', `/cases/${id}`)).status === 200
  })
  t.equal(await release.kubectl(field), '4711')

  await release.helm(`rollback sigcase 1 -n ${HOME} --no-hooks`)
  t.equal(await release.kubectl(`${CRD} ${AT_FIELD}`), '')
  await release.replacePods()
  t.equal(await release.kubectl(field), '')
  await cases.sign(open, 0)
  await cases.sign(later, 1)
  for (const one of [fresh, later, half, waiting]) {
    t.equal((await cases.end(one)).status, 'DONE')
    await readTrail(t, release.options.outside, one.id)
  }
  await until('all webhooks were taken', () => hooks.taken.size - before === 10)
  t.same([...new Set(hooks.taken.values())], [1], 'none twice')
  t.equal((await client.get(id)).status, 'NEW')
  t.same(release.logged(/is forbidden: /), [])
}

t.test('a release is installed, upgraded and rolled back', { skip: withoutRelease }, async (t) => {
  const lasting = await openRelease(t)
  const { release } = lasting
  await t.test('a case ends DONE on what the chart installs', (t) => installs(t, release))
  await t.test('cases in flight carry on through an upgrade and a rollback', (t) =>
    upgradesAndRollsBack(t, release),
  )
  leaveRelease(lasting)
})
