/**
 * Builds nftables rules from NetworkPolicies (networking.k8s.io/v1) for the pods of one node. IPv4
 * alone: pods have no other addresses. A new pod is open until the next reading, so this is for
 * tests.
 */
import type {
  LabelSelector,
  Namespace,
  NetworkPolicy,
  Pod,
  PolicyPeer,
  PolicyPort,
} from './objects.ts'

export interface NetworkState {
  policies: readonly NetworkPolicy[]
  pods: readonly Pod[]
  namespaces: readonly Namespace[]
}

type Labels = Readonly<Record<string, string>>
type Expression = NonNullable<LabelSelector['matchExpressions']>[number]

function holds({ key, operator, values = [] }: Expression, labels: Labels): boolean {
  const value = labels[key]
  switch (operator) {
    case 'In':
      return value !== undefined && values.includes(value)
    case 'NotIn':
      return value === undefined || !values.includes(value)
    case 'Exists':
      return value !== undefined
    default:
      return value === undefined
  }
}

function isSelected(
  { matchLabels = {}, matchExpressions = [] }: LabelSelector,
  labels: Labels = {},
) {
  return (
    Object.entries(matchLabels).every(([key, value]) => labels[key] === value) &&
    matchExpressions.every((expression) => holds(expression, labels))
  )
}

const setOf = (items: readonly (string | number)[]) => `{ ${items.join(', ')} }`
const isIpv4 = (range: string) => !range.includes(':')

/** @param targets pods whose names of ports count */
function portMatches(ports: readonly PolicyPort[] | undefined, targets: readonly Pod[]): string[] {
  if (!ports || ports.length === 0) return ['']
  return ports.flatMap(({ protocol = 'TCP', port, endPort }) => {
    const kind = protocol.toLowerCase()
    if (port === undefined) return [`meta l4proto ${kind}`]
    if (typeof port === 'number') return [`${kind} dport ${endPort ? `${port}-${endPort}` : port}`]
    const declared = targets.flatMap(({ spec }) =>
      spec.containers.flatMap((one) => one.ports ?? []),
    )
    const named = declared.filter(
      (one) => one.name === port && (one.protocol ?? 'TCP') === protocol,
    )
    const numbers = new Set(named.map(({ containerPort }) => containerPort))
    return numbers.size > 0 ? [`${kind} dport ${setOf([...numbers])}`] : []
  })
}

/** @param side where the peer's address is in a packet */
function peerMatches(
  peers: readonly PolicyPeer[] | undefined,
  side: 'saddr' | 'daddr',
  policy: NetworkPolicy,
  { pods, namespaces }: NetworkState,
): string[] {
  if (!peers || peers.length === 0) return ['']
  return peers.flatMap(({ ipBlock, podSelector, namespaceSelector }) => {
    if (ipBlock) {
      if (!isIpv4(ipBlock.cidr)) return []
      const except = (ipBlock.except ?? []).filter(isIpv4)
      return [
        `ip ${side} ${ipBlock.cidr}${except.length > 0 ? ` ip ${side} != ${setOf(except)}` : ''}`,
      ]
    }
    const spaces = namespaceSelector
      ? namespaces
          .filter(({ metadata }) => isSelected(namespaceSelector, metadata.labels))
          .map(({ metadata }) => metadata.name)
      : [policy.metadata.namespace]
    const addresses = pods
      .filter(({ metadata }) => spaces.includes(metadata.namespace))
      .filter(({ metadata }) => !podSelector || isSelected(podSelector, metadata.labels))
      .map(({ status }) => status.podIP ?? '')
    return addresses.length > 0 ? [`ip ${side} ${setOf(addresses)}`] : []
  })
}

const DIRECTIONS = [
  { type: 'Egress', rules: 'egress', peers: 'to', own: 'saddr', other: 'daddr' },
  { type: 'Ingress', rules: 'ingress', peers: 'from', own: 'daddr', other: 'saddr' },
] as const
type Direction = (typeof DIRECTIONS)[number]

function typesOf({ spec }: NetworkPolicy): readonly string[] {
  return spec.policyTypes ?? (spec.egress ? ['Ingress', 'Egress'] : ['Ingress'])
}

/** The rules of one pod in one direction; undefined when no policy selects it. */
function chainOf(pod: Pod, direction: Direction, state: NetworkState): string[] | undefined {
  const selecting = state.policies.filter(
    (policy) =>
      policy.metadata.namespace === pod.metadata.namespace &&
      isSelected(policy.spec.podSelector, pod.metadata.labels) &&
      typesOf(policy).includes(direction.type),
  )
  if (selecting.length === 0) return undefined
  // A named port is that of the pod that is connected to.
  const targets = direction.type === 'Ingress' ? [pod] : state.pods
  return selecting.flatMap((policy) =>
    (policy.spec[direction.rules] ?? []).flatMap((rule) =>
      peerMatches(rule[direction.peers], direction.other, policy, state).flatMap((peer) =>
        portMatches(rule.ports, targets).map((port) => `    ${peer} ${port} return`),
      ),
    ),
  )
}

/** @returns input of `nft -f`, which replaces all rules at once */
export function rulesFor(state: NetworkState): string {
  const chains: string[] = []
  const jumps: { type: string; rule: string }[] = []
  for (const pod of state.pods) {
    for (const direction of DIRECTIONS) {
      const rules = chainOf(pod, direction, state)
      if (!rules) continue
      const address = pod.status.podIP ?? ''
      const name = `${direction.rules}-${address.replaceAll('.', '-')}`
      chains.push(
        `  chain ${name} {\n${rules.join('\n')}\n    reject with icmpx admin-prohibited\n  }`,
      )
      jumps.push({ type: direction.type, rule: `    ip ${direction.own} ${address} jump ${name}` })
    }
  }
  const hook = (name: string, types: readonly string[]) => {
    const mine = jumps.filter(({ type }) => types.includes(type)).map(({ rule }) => rule)
    const type = `    type filter hook ${name} priority filter - 5; policy accept;`
    const head = `${type}\n    ct state established,related accept`
    return `  chain ${name} {\n${[head, ...mine].join('\n')}\n  }`
  }
  const hooks = [hook('forward', ['Egress', 'Ingress']), hook('input', ['Egress'])]
  const table = [...chains, ...hooks].join('\n')
  return `table inet policies\ndelete table inet policies\ntable inet policies {\n${table}\n}\n`
}
