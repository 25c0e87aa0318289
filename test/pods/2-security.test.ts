/** What a container may do on a real node, and what each account may do at the API server. */
import t from 'tap'
import { kubectl, NAMESPACE, listPods, TENANT } from './cases.ts'
import { FIRST_NODE, HOME_NAMESPACE, OUTSIDE_NAMESPACE } from '../../dev/pods/layout.ts'
import { STORAGE_URL } from '../../dev/pods/outside.ts'

const CONNECT_LIMIT_MS = 5_000
const COMPONENTS = ['api', 'controller', 'worker'] as const

interface PodSpec {
  securityContext: { runAsNonRoot?: boolean; seccompProfile?: { type: string } }
  volumes: Record<string, unknown>[]
  hostNetwork?: boolean
  hostPID?: boolean
  hostIPC?: boolean
  containers: {
    name: string
    securityContext: {
      allowPrivilegeEscalation?: boolean
      privileged?: boolean
      runAsNonRoot?: boolean
      readOnlyRootFilesystem?: boolean
      capabilities?: { drop?: string[]; add?: string[] }
    }
    ports?: { hostPort?: number }[]
  }[]
}

/** Volumes that the level `restricted` allows. */
const VOLUMES = [
  'configMap',
  'csi',
  'downwardAPI',
  'emptyDir',
  'ephemeral',
  'persistentVolumeClaim',
  'projected',
  'secret',
]

/** Kubernetes 1.20 has no Pod Security admission: the rules are those of its level `restricted`. */
t.test('pods keep to the Pod Security level restricted', async (t) => {
  const { items } = await kubectl.get<{ items: { metadata: { name: string }; spec: PodSpec }[] }>(
    'pods',
    NAMESPACE,
  )
  t.ok(items.length >= 7)
  for (const { metadata, spec } of items) {
    t.notOk(spec.hostNetwork ?? spec.hostPID ?? spec.hostIPC, metadata.name)
    t.equal(spec.securityContext.seccompProfile?.type, 'RuntimeDefault', metadata.name)
    for (const volume of spec.volumes) {
      const kinds = Object.keys(volume).filter((key) => key !== 'name')
      t.ok(
        kinds.every((kind) => VOLUMES.includes(kind)),
        `${metadata.name}: ${kinds.join()}`,
      )
    }
    for (const { name, securityContext: context, ports = [] } of spec.containers) {
      t.equal(context.allowPrivilegeEscalation, false, name)
      t.not(context.privileged, true, name)
      t.equal(context.runAsNonRoot, true, name)
      t.same(context.capabilities?.drop, ['ALL'], name)
      t.same(context.capabilities?.add ?? [], [], name)
      t.ok(
        ports.every(({ hostPort }) => hostPort === undefined),
        name,
      )
    }
  }
})

/** Runs a program in a container. @returns its output */
const execute = async (component: string, container: string, ...command: string[]) => {
  const [pod] = await listPods(component)
  const name = pod?.metadata.name ?? ''
  return kubectl.run('exec', NAMESPACE, name, '--container', container, '--', ...command)
}

const STATUS = "require('node:fs').readFileSync('/proc/self/status', 'utf8')"

t.test('a process has no capabilities, a filter of system calls, and another user', async (t) => {
  const status = await execute('api', 'api', 'node', '--print', STATUS)
  t.match(status, /^CapEff:\t0+$/m)
  t.match(status, /^CapBnd:\t0+$/m)
  t.match(status, /^NoNewPrivs:\t1$/m)
  t.match(status, /^Seccomp:\t2$/m)
  t.match(status, /^Uid:\t65532\t/m)
})

t.test('the root of a container is read-only, /tmp is not', async (t) => {
  const write = (path: string) =>
    `try { require('node:fs').writeFileSync('${path}', ''); 'written' }
    catch (error) { error.code }`
  t.equal((await execute('api', 'api', 'node', '--print', write('/app/x'))).trim(), 'EROFS')
  t.equal((await execute('api', 'api', 'node', '--print', write('/tmp/x'))).trim(), 'written')
})

t.test('the reader has no account, and another user than the worker', async (t) => {
  const script =
    'ls() { for f in "$1"/*; do echo "$f"; done; }; ls /var/run/secrets; ls /etc/sigcase'
  const output = await execute('worker', 'reader', 'sh', '-c', script)
  t.same(output.trim().split('\n'), ['/var/run/secrets/*', '/etc/sigcase/*'])
  const uid = await execute(
    'worker',
    'reader',
    'sh',
    '-c',
    'while read line; do case $line in Uid:*) echo $line; esac; done </proc/1/status',
  )
  t.match(uid, /^Uid: 65533 /)
})

const can = (component: string, namespace: string, ...what: string[]) =>
  kubectl
    .run(
      'auth',
      'can-i',
      ...what,
      `--namespace=${namespace}`,
      `--as=system:serviceaccount:${HOME_NAMESPACE}:sigcase-${component}`,
    )
    .then((text) => text.trim() === 'yes')
    .catch(() => false)

/** What no account of the service can do anywhere. */
const FORBIDDEN = [
  ['create', 'pods/exec'],
  ['create', 'clusterrolebindings'],
  ['delete', 'namespaces'],
  ['impersonate', 'users'],
  ['create', 'serviceaccounts/token'],
] as const

t.test('each account can do what its component does, and no more', async (t) => {
  const rights = [
    ['api', TENANT, ['create', 'signaturecases'], true],
    ['api', TENANT, ['update', 'signaturecases', '--subresource=status'], false],
    ['worker', TENANT, ['create', 'signaturecases'], false],
    ['controller', TENANT, ['patch', 'signaturecases', '--subresource=status'], true],
    ['controller', TENANT, ['update', 'signaturecases', '--subresource=status'], false],
    // It creates archived cases again.
    ['controller', TENANT, ['create', 'signaturecases'], true],
    ['controller', TENANT, ['create', 'kioskdevices'], false],
    ['api', 'kube-system', ['get', 'secrets'], false],
    ['worker', 'kube-system', ['get', 'secrets'], false],
    ['controller', 'kube-system', ['get', 'secrets'], false],
    ['api', HOME_NAMESPACE, ['get', 'secrets'], false],
    ['worker', HOME_NAMESPACE, ['create', 'pods'], false],
    ['controller', HOME_NAMESPACE, ['create', 'pods'], false],
    ['controller', HOME_NAMESPACE, ['update', 'leases'], true],
    ...COMPONENTS.flatMap((component) =>
      FORBIDDEN.map((what) => [component, TENANT, what, false] as const),
    ),
  ] as const
  for (const [component, namespace, what, expected] of rights) {
    t.equal(
      await can(component, namespace, ...what),
      expected,
      `${component}: ${what.join(' ')} in ${namespace}`,
    )
  }
})

/** Prints `open`, or what the failure is called, and ends. */
const connectOnNode = (host: string, port: number) =>
  `const socket = require('node:net').connect(${port}, '${host}')
  const end = (text) => { console.log(text); process.exit() }
  socket.setTimeout(${CONNECT_LIMIT_MS}, () => end('silent'))
  socket.on('connect', () => end('open')).on('error', ({ code }) => end(code))`
const connectOnDeno = (host: string, port: number) =>
  `setTimeout(() => { console.log('silent'); Deno.exit() }, ${CONNECT_LIMIT_MS})
  Deno.connect({ hostname: '${host}', port: ${port} })
    .then(() => 'open', ({ name }) => name).then((text) => { console.log(text); Deno.exit() })`

/** Connects from a container of a component, or of a pod without policies. */
async function connectFrom(source: Source, host: string, port: number): Promise<string> {
  const onNode = ['node', '--eval', connectOnNode(host, port)]
  if (source === 'stranger') {
    const target = ['exec', `--namespace=${OUTSIDE_NAMESPACE}`, 'deployment/emulators', '--']
    return (await kubectl.run(...target, ...onNode)).trim()
  }
  const command = source === 'worker' ? ['deno', 'eval', connectOnDeno(host, port)] : onNode
  return (await execute(source, source, ...command)).trim()
}

type Source = (typeof COMPONENTS)[number] | 'stranger'

t.test('NetworkPolicies let through what a component needs, and nothing else', async (t) => {
  const { hostname, port } = new URL(STORAGE_URL)
  // Not the pod that connects: a pod always reaches itself.
  const [, other] = await listPods('api')
  const metrics = other?.status.podIP ?? ''
  const targets: readonly (readonly [string, string, number, readonly Source[]])[] = [
    ['Redis', `sigcase-redis.${HOME_NAMESPACE}`, 6379, COMPONENTS],
    ['the object store', hostname, Number(port), [...COMPONENTS, 'stranger']],
    ['the API server', 'kubernetes.default', 443, [...COMPONENTS, 'stranger']],
    ['the API', `sigcase-api.${HOME_NAMESPACE}`, 80, ['stranger']],
    ['metrics of the API', metrics, 9090, ['stranger']],
    ['another port of the API', metrics, 9229, []],
    ['the kubelet', FIRST_NODE.address, 10_250, ['stranger']],
  ]
  for (const [what, host, number, allowed] of targets) {
    for (const source of [...COMPONENTS, 'stranger'] as const) {
      const answer = await connectFrom(source, host, number)
      const isAllowed = allowed.includes(source)
      t.equal(answer === 'open', isAllowed, `${source} to ${what}: ${answer}`)
    }
  }
})
