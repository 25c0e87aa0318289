/** What the admission policy lets the controller bind, judged by the newest CEL of Kubernetes. */
import t from 'tap'
import { ApiRefusal, type ApiServer } from '../../../adapters/kubernetes/api-server.ts'
import { tenantBindings, TENANT_NAMESPACE } from '../../../adapters/kubernetes/tenant-places.ts'
import { DEFINITIONS, untilTrue } from '../../../dev/local-cluster/install.ts'
import { example, find, HOME, render, withHelm, type Manifest } from '../../fixtures/chart.ts'
import { withCrdLayer } from '../../fixtures/kubernetes-api.ts'

t.setTimeout(600_000)

const KIND = 'ValidatingAdmissionPolicy'
const NAME = 'sigcase-tenant-bindings'
const SERVED = `admissionregistration.k8s.io/v1/${KIND}`
const INVALID = 422

interface Policy extends Manifest {
  spec: {
    failurePolicy: string
    matchConstraints: { resourceRules: Record<string, string[]>[] }
    matchConditions: { expression: string }[]
    validations: { expression: string; message: string; reason: string }[]
  }
}

const policyOf = (manifests: readonly Manifest[]) => find(manifests, KIND, NAME) as Policy
const rendered = () => render({ values: example('minimal'), apis: [SERVED] })

const texts = { type: 'array', maxItems: 10, items: { type: 'object', properties: {} } }
const text = { type: 'string', maxLength: 100 }
const group = (properties: object) => ({ type: 'object', properties })

/** What the expressions see, as a custom resource. */
const SEEN = {
  request: group({ userInfo: group({ username: text }) }),
  object: group({
    metadata: group({ name: text }),
    roleRef: group({ apiGroup: text, kind: text, name: text }),
    subjects: {
      ...texts,
      items: group({ kind: text, name: text, namespace: text, apiGroup: text }),
    },
  }),
  namespaceObject: group({
    metadata: group({
      labels: { type: 'object', maxProperties: 10, additionalProperties: text },
    }),
  }),
}

/** The same expression for the rules of a custom resource, which has the variables as members. */
const asRule = (expression: string) =>
  expression
    .replaceAll('namespaceObject != null', 'has(self.namespaceObject)')
    .replaceAll(/(?<![.\w'])(object|namespaceObject|request)\./g, 'self.$1.')

function definition({ spec }: Policy) {
  const rules = spec.validations.map(({ expression, message }) => {
    return { rule: asRule(expression), message }
  })
  const [condition] = spec.matchConditions
  rules.push({ rule: asRule(condition?.expression ?? ''), message: 'not the controller' })
  const schema = { ...group(SEEN), 'x-kubernetes-validations': rules }
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'judgements.policy.example.com' },
    spec: {
      group: 'policy.example.com',
      scope: 'Cluster',
      names: { plural: 'judgements', singular: 'judgement', kind: 'Judgement' },
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          schema: { openAPIV3Schema: group({ judged: schema }) },
        },
      ],
    },
  }
}

await withHelm(() => {
  t.test('the policy is made where it is served, for the controller alone', async (t) => {
    const kinds = (manifests: readonly Manifest[]) => manifests.map(({ kind }) => kind)
    t.notOk(kinds(render({ values: example('minimal') })).includes(KIND), 'not served')
    const set = ['admissionPolicy.enabled=false']
    const off = render({ values: example('minimal'), apis: [SERVED], set })
    t.notOk(kinds(off).includes(KIND), 'switched off')
    const { spec } = policyOf(rendered())
    t.equal(spec.failurePolicy, 'Fail')
    t.match(spec.matchConstraints.resourceRules, [
      { operations: ['CREATE', 'UPDATE'], resources: ['rolebindings', 'clusterrolebindings'] },
    ])
    t.ok(spec.validations.every(({ reason }) => reason === 'Forbidden'))
    const binding = find(rendered(), 'ValidatingAdmissionPolicyBinding', NAME)
    t.match(binding, { spec: { policyName: NAME, validationActions: ['Deny'] } })
  })
})

await withCrdLayer(async (newest: ApiServer) => {
  const body = definition(policyOf(rendered()))
  await newest.send({ method: 'POST', path: DEFINITIONS, body })
  await untilTrue(newest, `${DEFINITIONS}/judgements.policy.example.com`, 'Established')
  const request = { userInfo: { username: `system:serviceaccount:${HOME}:sigcase-controller` } }
  const namespaceObject = { metadata: { labels: { ...TENANT_NAMESPACE, team: 'a' } } }
  const [, controller] = tenantBindings('acme', HOME)
  const good = { request, object: controller as object, namespaceObject }
  let made = 0
  const judge = async (judged: object): Promise<string> => {
    const path = '/apis/policy.example.com/v1/judgements'
    const metadata = { name: `judgement-${made++}` }
    const one = { apiVersion: 'policy.example.com/v1', kind: 'Judgement', metadata, judged }
    try {
      await newest.send({ method: 'POST', path, body: one })
      return ''
    } catch (error) {
      if (error instanceof ApiRefusal && error.status === INVALID) return error.message
      throw error
    }
  }

  t.test('the bindings that the controller makes are let through', async (t) => {
    for (const object of tenantBindings('acme', HOME)) {
      t.equal(await judge({ ...good, object }), '', object.metadata.name)
    }
  })

  t.test('a namespace without the label takes no binding', async (t) => {
    const unlabelled = [
      {},
      { labels: {} },
      { labels: { 'sigcase.dev/tenant-namespace': 'false' } },
      { labels: { 'app.kubernetes.io/managed-by': 'sigcase' } },
    ]
    for (const metadata of unlabelled) {
      t.match(await judge({ ...good, namespaceObject: { metadata } }), 'has no label')
    }
    const { namespaceObject: _, ...nowhere } = good
    t.match(await judge(nowhere), 'has no label', 'a binding for the whole cluster')
  })

  t.test('other names, roles and subjects are refused', async (t) => {
    const [subject] = controller?.subjects ?? []
    const { roleRef } = controller ?? {}
    const other: [object, string][] = [
      [{ metadata: { name: 'another' } }, 'under the name of its component'],
      [{ metadata: { name: 'sigcase-worker' } }, 'under the name of its component'],
      [{ roleRef: { ...roleRef, name: 'cluster-admin' } }, 'under the name of its component'],
      [{ roleRef: { ...roleRef, kind: 'Role' } }, 'under the name of its component'],
      [{ subjects: [] }, 'service accounts of the components'],
      [{ subjects: [subject, subject] }, 'service accounts of the components'],
      [{ subjects: [{ ...subject, namespace: 'acme' }] }, 'service accounts of the components'],
      [{ subjects: [{ ...subject, name: 'default' }] }, 'service accounts of the components'],
      [{ subjects: [{ kind: 'User', name: 'sigcase-controller' }] }, 'service accounts of'],
    ]
    for (const [change, says] of other) {
      const object = { ...controller, ...change }
      t.match(await judge({ ...good, object }), says, JSON.stringify(change))
    }
    const { subjects: _, ...nobody } = controller as { subjects: unknown }
    t.match(await judge({ ...good, object: nobody }), 'service accounts of the components')
  })

  t.test('only the controller is judged', async (t) => {
    for (const username of ['admin', `system:serviceaccount:acme:sigcase-controller`]) {
      t.match(await judge({ ...good, request: { userInfo: { username } } }), 'not the controller')
    }
  })
})
