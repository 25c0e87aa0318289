/** Upgrades the chart to one whose definitions know a further field, and rolls it back. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { dump, load } from 'js-yaml'
import t from 'tap'
import { VERSION } from '../../domain/version.ts'
import { HOME } from '../fixtures/chart.ts'
import { Cases, openGround, readTrail, until } from '../fixtures/release/cases.ts'
import { openCluster, Release, TENANT } from '../fixtures/release/release.ts'
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

/** What the next version of the service would bring. */
function nextVersion(chart: string): void {
  const about = join(chart, 'Chart.yaml')
  writeFileSync(about, readFileSync(about, 'utf8').replaceAll(VERSION, '99.0.0'))
  const path = join(chart, DEFINITION)
  const definition = load(readFileSync(path, 'utf8')) as Definition
  const root = definition.spec.versions[0]?.schema.openAPIV3Schema
  const fields = root?.properties.spec?.properties.definition?.properties as Record<string, object>
  fields[FIELD] = { type: 'string', maxLength: 100, description: 'Who pays' }
  writeFileSync(path, dump(definition))
}

t.test(
  'cases in flight carry on through an upgrade and a rollback',
  { skip: withoutRelease },
  async (t) => {
    const ground = await openGround(t)
    const { hooks, folder } = ground.outside
    const { address } = ground
    const cluster = await openCluster(t, { folder: join(folder, 'cluster'), address })
    const release = new Release({ ...ground, cluster })
    t.teardown(() => release.stopPods('SIGKILL'))
    await release.install()
    const client = await release.client(60_000)
    const cases = await Cases.of(client, hooks.url)
    const fresh = await cases.create(1)
    const half = await cases.open(2)
    const later = await cases.open(2)
    await cases.sign(half, 0)
    hooks.isDown = true
    const waiting = await cases.done()

    nextVersion(ground.chart)
    await release.bring('upgrade', release.writeValues({ logLevel: 'warn' }))
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
      await readTrail(t, ground.outside, one.id)
    }
    await until('all webhooks were taken', () => hooks.taken.size === 10)
    t.same([...new Set(hooks.taken.values())], [1], 'none twice')
    t.equal((await client.get(id)).status, 'NEW')
    t.same(release.logged(/is forbidden: /), [])
  },
)
