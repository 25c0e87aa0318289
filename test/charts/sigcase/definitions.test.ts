/** The chart's definitions at the API extensions of the newest Kubernetes, over older ones. */
import t from 'tap'
import { Agent, request } from 'undici'
import { DEFINITIONS, withCrdLayer } from '../../fixtures/kubernetes-api.ts'
import { example, render, withHelm, type Manifest } from '../../fixtures/chart.ts'

const SERVER_SIDE = 'application/apply-patch+yaml'
const RULES = 'x-kubernetes-validations'

/** A definition as it was before it had rules. */
function withoutRules<T>(value: T): T {
  const text = JSON.stringify(value, (name, member: unknown) =>
    name === RULES ? undefined : member,
  )
  return JSON.parse(text) as T
}

const versionsOf = ({ spec }: Manifest) => (spec as { versions: object[] }).versions

await withHelm(() =>
  withCrdLayer(async (newest, { plane }) => {
    const { server, caData } = newest.config.getCurrentCluster()!
    const ca = Buffer.from(`${caData}`, 'base64').toString()
    const dispatcher = new Agent({ connect: { ca } })
    t.teardown(() => dispatcher.close())

    const apply = async (definition: Manifest) => {
      const { statusCode, body } = await request(
        `${server}${DEFINITIONS}/${definition.metadata.name}`,
        {
          dispatcher,
          method: 'PATCH',
          query: { fieldManager: 'helm', force: true, fieldValidation: 'Strict' },
          headers: { authorization: `Bearer ${plane.adminToken}`, 'content-type': SERVER_SIDE },
          body: JSON.stringify(definition),
        },
      )
      return { statusCode, applied: (await body.json()) as Manifest }
    }

    t.test('an upgrade brings the rules, and is the same when it is done again', async (t) => {
      const definitions = render({ values: example('minimal') }).filter(
        ({ kind }) => kind === 'CustomResourceDefinition',
      )
      t.equal(definitions.length, 3)
      for (const definition of definitions) {
        const path = `${DEFINITIONS}/${definition.metadata.name}`
        const older = withoutRules(await newest.send<Manifest>({ path }))
        const before = await newest.send<Manifest>({ method: 'PUT', path, body: older })
        t.notMatch(JSON.stringify(before.spec), RULES)
        const { statusCode, applied } = await apply(definition)
        t.equal(statusCode, 200, JSON.stringify(applied).slice(0, 500))
        t.match(JSON.stringify(applied.spec), RULES)
        t.match(versionsOf(applied), versionsOf(definition))
        t.match(applied.metadata.labels, { 'app.kubernetes.io/managed-by': 'Helm' })
        t.same((await apply(definition)).applied.spec, applied.spec)
      }
    })
  }),
)
