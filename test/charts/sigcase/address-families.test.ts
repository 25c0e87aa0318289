/** Pods work on clusters with addresses of IPv4, of IPv6, or of both. */
import t from 'tap'
import { example, find, render, withHelm } from '../../fixtures/chart.ts'

const COMPONENTS = ['api', 'controller', 'worker'] as const
const API_SERVER_PORT = 6443

interface Rule {
  to?: { ipBlock?: { cidr: string } }[]
  ports?: { port: number | string }[]
}

await withHelm(() => {
  const manifests = render({ values: example('minimal') })

  t.test('servers listen on all addresses of both families', async (t) => {
    const { data } = find(manifests, 'ConfigMap', 'sigcase-environment')
    t.equal((data as { HOST: string }).HOST, '::')
  })

  t.test('the API server and public addresses may be of either family', async (t) => {
    for (const component of COMPONENTS) {
      const { spec } = find(manifests, 'NetworkPolicy', `sigcase-${component}`)
      const rules = (spec as { egress: Rule[] }).egress
      const rangesOf = (rule?: Rule) => rule?.to?.map(({ ipBlock }) => ipBlock?.cidr)
      const toApiServer = rules.find(({ ports }) =>
        ports?.some(({ port }) => port === API_SERVER_PORT),
      )
      t.same(rangesOf(toApiServer), ['0.0.0.0/0', '::/0'], component)
      t.ok(
        rules.some((rule) => rangesOf(rule)?.join() === '0.0.0.0/0,2000::/3'),
        `${component}: public addresses`,
      )
    }
  })
})
