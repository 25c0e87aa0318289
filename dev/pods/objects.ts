/** The members of Kubernetes objects that the node's own programs read. */

interface Metadata {
  name: string
  namespace: string
  labels?: Readonly<Record<string, string>>
}

export interface Namespace {
  metadata: Metadata
}

export interface Service {
  metadata: Metadata
  spec: { clusterIP?: string }
}

interface EndpointAddress {
  ip: string
  hostname?: string
}

export interface Endpoints {
  metadata: Metadata
  subsets?: { addresses?: EndpointAddress[] }[]
}

export interface Pod {
  metadata: Metadata
  spec: {
    hostNetwork?: boolean
    containers: { ports?: { name?: string; protocol?: string; containerPort: number }[] }[]
  }
  status: { podIP?: string; phase: string }
}

export interface LabelSelector {
  matchLabels?: Readonly<Record<string, string>>
  matchExpressions?: readonly {
    key: string
    operator: 'In' | 'NotIn' | 'Exists' | 'DoesNotExist'
    values?: readonly string[]
  }[]
}

export interface PolicyPort {
  protocol?: string
  port?: number | string
  endPort?: number
}

export interface PolicyPeer {
  ipBlock?: { cidr: string; except?: readonly string[] }
  podSelector?: LabelSelector
  namespaceSelector?: LabelSelector
}

interface PolicyRule {
  ports?: readonly PolicyPort[]
  from?: readonly PolicyPeer[]
  to?: readonly PolicyPeer[]
}

export interface NetworkPolicy {
  metadata: Metadata
  spec: {
    podSelector: LabelSelector
    policyTypes?: readonly ('Ingress' | 'Egress')[]
    ingress?: readonly PolicyRule[]
    egress?: readonly PolicyRule[]
  }
}
