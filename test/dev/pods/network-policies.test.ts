import t from 'tap'
import { rulesFor } from '../../../dev/pods/network-policies.ts'
import type { NetworkPolicy, Pod } from '../../../dev/pods/objects.ts'

const pod = (name: string, podIP: string, port?: number): Pod => ({
  metadata: { name, namespace: 'home', labels: { app: name } },
  spec: {
    containers: [{ ports: port === undefined ? [] : [{ name: 'main', containerPort: port }] }],
  },
  status: { podIP, phase: 'Running' },
})

const api = pod('api', '10.244.0.2', 8080)
const redis = pod('redis', '10.244.0.3', 6379)
const stranger = pod('stranger', '10.244.0.4')
const namespaces = [{ metadata: { name: 'home', namespace: '', labels: { name: 'home' } } }]

function rules(spec: Partial<NetworkPolicy['spec']>): string {
  const metadata = { name: 'policy', namespace: 'home' }
  const podSelector = { matchLabels: { app: 'redis' } }
  const policies = [{ metadata, spec: { podSelector, ...spec } }]
  return rulesFor({ policies, pods: [api, redis, stranger], namespaces })
}

t.test('a selected pod takes what its policy allows and nothing else', async (t) => {
  const from = [{ podSelector: { matchLabels: { app: 'api' } } }]
  const text = rules({ ingress: [{ from, ports: [{ port: 'main' }] }] })
  t.match(text, 'ip daddr 10.244.0.3 jump ingress-10-244-0-3')
  t.match(text, 'ip saddr { 10.244.0.2 } tcp dport { 6379 } return\n    reject')
  t.notMatch(text, '10.244.0.4', 'a pod that no policy selects is open')
})

t.test('an empty list allows nothing, an empty rule everything', async (t) => {
  t.match(rules({ policyTypes: ['Egress'], egress: [] }), /egress-10-244-0-3 \{\n\n {4}reject/)
  t.match(rules({ policyTypes: ['Egress'], egress: [{}] }), /egress-10-244-0-3 \{\n +return/)
})

t.test('ranges, exceptions and expressions are translated', async (t) => {
  const ipBlock = { cidr: '0.0.0.0/0', except: ['10.0.0.0/8', 'fc00::/7'] }
  const ports = [{ port: 80, endPort: 90 }, { protocol: 'UDP' }]
  const text = rules({ policyTypes: ['Egress'], egress: [{ to: [{ ipBlock }], ports }] })
  t.match(text, 'ip daddr 0.0.0.0/0 ip daddr != { 10.0.0.0/8 } tcp dport 80-90 return')
  t.match(text, 'meta l4proto udp return')
  const matchExpressions = [{ key: 'app', operator: 'NotIn' as const, values: ['redis', 'api'] }]
  const chosen = rules({ ingress: [{ from: [{ podSelector: { matchExpressions } }] }] })
  t.match(chosen, 'ip saddr { 10.244.0.4 }')
})

t.test('a namespace without pods admits no traffic', async (t) => {
  const namespaceSelector = { matchLabels: { name: 'elsewhere' } }
  const text = rules({ ingress: [{ from: [{ namespaceSelector }] }] })
  t.match(text, /ingress-10-244-0-3 \{\n\n {4}reject/)
})
