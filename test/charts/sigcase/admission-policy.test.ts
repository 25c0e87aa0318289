/** What the admission policies let each component do, judged by the newest CEL of Kubernetes. */
import t from 'tap'
import { ApiRefusal, type ApiServer } from '../../../adapters/kubernetes/api-server.ts'
import { tenantBindings, TENANT_NAMESPACE } from '../../../adapters/kubernetes/tenant-namespaces.ts'
import { RESTORED_ANNOTATION, RESTORING_ANNOTATION } from '../../../domain/cases/archive.ts'
import { FINALIZER } from '../../../domain/cases/complete.ts'
import { ERASE_ANNOTATION } from '../../../domain/cases/erasure.ts'
import { DEFINITIONS, untilTrue } from '../../../dev/local-cluster/install.ts'
import { TRACE_ANNOTATION } from '../../../domain/ports/tracing.ts'
import { example, find, HOME, render, withHelm, type Manifest } from '../../fixtures/chart.ts'
import { withCrdLayer } from '../../fixtures/kubernetes-api.ts'

t.setTimeout(600_000)

const KIND = 'ValidatingAdmissionPolicy'
const BINDINGS = 'sigcase-tenant-bindings'
const SECRETS = 'sigcase-secrets'
const METADATA = 'sigcase-metadata'
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

const policyOf = (manifests: readonly Manifest[], name: string) =>
  find(manifests, KIND, name) as Policy
const rendered = () => render({ values: example('minimal'), apis: [SERVED] })

const text = { type: 'string', maxLength: 100 }
const group = (properties: object) => ({ type: 'object', properties })
const list = (items: object) => ({ type: 'array', maxItems: 10, items })
const texts = { type: 'object', maxProperties: 10, additionalProperties: text }

const OBJECT = {
  metadata: group({
    name: text,
    annotations: texts,
    finalizers: list(text),
    ownerReferences: list(group({ apiVersion: text, kind: text, name: text, uid: text })),
  }),
  type: text,
  roleRef: group({ apiGroup: text, kind: text, name: text }),
  subjects: list(group({ kind: text, name: text, namespace: text, apiGroup: text })),
}

/** What the expressions see, as a custom resource. */
const SEEN = {
  request: group({ operation: text, userInfo: group({ username: text }) }),
  object: group(OBJECT),
  oldObject: group(OBJECT),
  namespaceObject: group({ metadata: group({ labels: texts }) }),
}

/** The same expression for the rules of a custom resource, which has the variables as members. */
const asRule = (expression: string) =>
  expression
    .replaceAll('namespaceObject != null', 'has(self.namespaceObject)')
    .replaceAll(/(?<![.\w'])(object|oldObject|namespaceObject|request)\./g, 'self.$1.')

const NOT_JUDGED = 'another account'

function definition({ spec }: Policy, kind: string) {
  const rules = spec.validations.map(({ expression, message }) => {
    return { rule: asRule(expression), message }
  })
  const [condition] = spec.matchConditions
  rules.push({ rule: asRule(condition?.expression ?? ''), message: NOT_JUDGED })
  const schema = { ...group(SEEN), 'x-kubernetes-validations': rules }
  const singular = kind.toLowerCase()
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${singular}s.policy.example.com` },
    spec: {
      group: 'policy.example.com',
      scope: 'Cluster',
      names: { plural: `${singular}s`, singular, kind },
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

/** @returns a function that judges a request by a policy; it returns the refusals, or '' */
async function openPolicy(newest: ApiServer, policy: Policy, kind: string) {
  const body = definition(policy, kind)
  await newest.send({ method: 'POST', path: DEFINITIONS, body })
  await untilTrue(newest, `${DEFINITIONS}/${body.metadata.name}`, 'Established')
  let made = 0
  return async (judged: object): Promise<string> => {
    const path = `/apis/policy.example.com/v1/${body.spec.names.plural}`
    const metadata = { name: `judgement-${made++}` }
    const one = { apiVersion: 'policy.example.com/v1', kind, metadata, judged }
    try {
      await newest.send({ method: 'POST', path, body: one })
      return ''
    } catch (error) {
      if (error instanceof ApiRefusal && error.status === INVALID) return error.message
      throw error
    }
  }
}

const by = (component: string) => ({
  username: `system:serviceaccount:${HOME}:sigcase-${component}`,
})

await withHelm(() => {
  t.test('the policy is made where it is served, for the controller alone', async (t) => {
    const kinds = (manifests: readonly Manifest[]) => manifests.map(({ kind }) => kind)
    t.notOk(kinds(render({ values: example('minimal') })).includes(KIND), 'not served')
    const set = ['admissionPolicy.enabled=false']
    const off = render({ values: example('minimal'), apis: [SERVED], set })
    t.notOk(kinds(off).includes(KIND), 'switched off')
    const { spec } = policyOf(rendered(), BINDINGS)
    t.match(spec.matchConstraints.resourceRules, [
      { operations: ['CREATE', 'UPDATE'], resources: ['rolebindings', 'clusterrolebindings'] },
    ])
    const operations = ['CREATE', 'UPDATE', 'DELETE']
    t.match(policyOf(rendered(), SECRETS).spec.matchConstraints.resourceRules, [
      { operations, resources: ['secrets'] },
    ])
    t.match(policyOf(rendered(), METADATA).spec.matchConstraints.resourceRules, [
      { operations: ['CREATE', 'UPDATE'], resources: ['signaturecases', 'kioskdevices'] },
    ])
    for (const name of [BINDINGS, SECRETS, METADATA]) {
      const { failurePolicy, validations } = policyOf(rendered(), name).spec
      t.equal(failurePolicy, 'Fail')
      t.ok(validations.every(({ reason }) => reason === 'Forbidden'))
      const binding = find(rendered(), 'ValidatingAdmissionPolicyBinding', name)
      t.match(binding, { spec: { policyName: name, validationActions: ['Deny'] } })
    }
  })
})

await withCrdLayer(async (newest: ApiServer) => {
  const judge = await openPolicy(newest, policyOf(rendered(), BINDINGS), 'Judgement')
  const request = { operation: 'CREATE', userInfo: by('controller') }
  const namespaceObject = { metadata: { labels: { ...TENANT_NAMESPACE, team: 'a' } } }
  const [, controller] = tenantBindings('acme', HOME)
  const good = { request, object: controller as object, namespaceObject }

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
      t.match(await judge({ ...good, request: { userInfo: { username } } }), NOT_JUDGED)
    }
  })

  t.test('components write and delete only the Secrets of cases', async (t) => {
    const judge = await openPolicy(newest, policyOf(rendered(), SECRETS), 'SecretJudgement')
    const secret = (type: string) => ({ metadata: { name: 'one' }, type })
    const own = ['sigcase.dev/case-secrets', 'sigcase.dev/upload'].map(secret)
    const foreign = ['kubernetes.io/service-account-token', 'Opaque', 'kubernetes.io/tls', '']
    for (const component of ['api', 'controller', 'worker']) {
      const userInfo = by(component)
      const asked = (operation: string, judged: object) =>
        judge({ request: { operation, userInfo }, ...judged })
      for (const object of own) {
        t.equal(await asked('CREATE', { object }), '')
        t.equal(await asked('UPDATE', { object, oldObject: object }), '')
        t.equal(await asked('DELETE', { oldObject: object }), '')
      }
      for (const object of foreign.map(secret)) {
        t.match(await asked('CREATE', { object }), 'own types of Secrets', object.type)
        t.match(await asked('DELETE', { oldObject: object }), 'own types of Secrets')
        t.match(await asked('UPDATE', { object: own[0], oldObject: object }), 'own types')
      }
      t.match(await asked('CREATE', { object: { metadata: { name: 'one' } } }), 'own types')
    }
    const userInfo = { username: 'system:serviceaccount:acme:sigcase-api' }
    t.match(await judge({ request: { operation: 'CREATE', userInfo }, object: own[0] }), NOT_JUDGED)
  })

  t.test('API and workers cannot delete, release or erase a case by its metadata', async (t) => {
    const judge = await openPolicy(newest, policyOf(rendered(), METADATA), 'MetadataJudgement')
    const owner = { apiVersion: 'v1', kind: 'ConfigMap', name: 'none', uid: 'none' }
    const traced = { [TRACE_ANNOTATION]: '00-a' }
    const kept = {
      name: 'one',
      annotations: { ...traced, [ERASE_ANNOTATION]: 'one' },
      finalizers: [FINALIZER, 'example.com/other'],
      ownerReferences: [owner],
    }
    for (const component of ['api', 'worker']) {
      const asked = (operation: string, metadata: object, old?: object) =>
        judge({
          request: { operation, userInfo: by(component) },
          object: { metadata },
          ...(old && { oldObject: { metadata: old } }),
        })
      const update = (change: object, old: object = kept) =>
        asked('UPDATE', { ...old, ...change }, old)
      t.equal(await asked('CREATE', { name: 'one', annotations: traced }), '')
      t.equal(await update({}), '')
      t.equal(await update({ finalizers: [...kept.finalizers, 'example.com/more'] }), '')
      t.equal(await update({ annotations: { ...kept.annotations, 'example.com/a': 'b' } }), '')
      t.match(await asked('CREATE', { name: 'one', ownerReferences: [owner] }), 'an owner')
      for (const member of Object.keys(owner)) {
        const ownerReferences = [{ ...owner, [member]: 'other' }]
        t.match(await update({ ownerReferences }), 'an owner', member)
      }
      t.match(await update({ ownerReferences: [owner, { ...owner, uid: 'other' }] }), 'an owner')
      t.match(await update({ ownerReferences: [owner] }, { name: 'one' }), 'an owner')
      t.match(await update({ finalizers: [FINALIZER] }), 'a finalizer')
      t.match(await update({ finalizers: [] }), 'a finalizer')
      const { finalizers: _, ...released } = kept
      t.match(await asked('UPDATE', released, kept), 'a finalizer')
      for (const name of [ERASE_ANNOTATION, RESTORING_ANNOTATION, RESTORED_ANNOTATION]) {
        const annotations = { [name]: 'changed' }
        t.match(await asked('CREATE', { name: 'one', annotations }), 'order an erasure', name)
        t.match(await update({ annotations }, { name: 'one' }), 'order an erasure')
        t.match(await update({ annotations }), 'order an erasure')
      }
    }
    const request = { operation: 'UPDATE', userInfo: by('controller') }
    const judged = { request, object: { metadata: kept }, oldObject: { metadata: kept } }
    t.match(await judge(judged), NOT_JUDGED, 'the controller removes finalizers and restores')
  })
})
