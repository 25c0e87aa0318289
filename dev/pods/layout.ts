/**
 * Names the folders and addresses of the nodes that `npm run cluster -- --pods` starts.
 */
import { homedir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'

export const ROOT = join(import.meta.dirname, '..', '..')

/** Folder for programs, images and packages, which are kept between clusters. */
const { SIGCASE_CACHE, XDG_CACHE_HOME } = process.env
export const CACHE = SIGCASE_CACHE ?? join(XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'sigcase')
export const PODS_CACHE = join(CACHE, 'pods')

/** Folder for the state of one cluster; `--down` removes it. */
export const STATE = join(PODS_CACHE, 'state')
export const KUBECONFIG = join(STATE, 'kubeconfig')
/** Certificates, keys and kubeconfigs of the cluster. */
export const PKI = join(STATE, 'pki')
/** Names and ids of the images that the nodes have. */
export const IMAGES = join(STATE, 'images.json')
/** Time limit; a busy machine with two cores can take minutes instead of seconds. */
export const READY_LIMIT_MS = 180_000
/** Socket of the node's HTTP proxy, the only way into its network. */
export const PROXY_SOCKET = join(STATE, 'proxy.sock')

/** A node: its own namespaces with containerd, kubelet and kube-proxy. */
export interface NodeLayout {
  name: string
  address: string
  /** Addresses of its pods. */
  podRange: string
  /** Folder for its state. */
  state: string
  /** Folder of containerd, which is kept between clusters. */
  containerd: string
  /** Name of the cgroups of all its pods, in each hierarchy. */
  cgroup: string
  /** Label by which the scheduler spreads pods. */
  zone: string
}

/** The node that also runs the control plane, DNS and the proxy. */
export const FIRST_NODE: NodeLayout = {
  name: 'node-1',
  address: '10.243.0.1',
  podRange: '10.244.0.0/24',
  state: STATE,
  containerd: join(PODS_CACHE, 'containerd'),
  cgroup: 'sigcase-node',
  zone: 'zone-a',
}
/** The node that `--nodes 2` adds. */
export const SECOND_NODE: NodeLayout = {
  name: 'node-2',
  address: '10.243.0.2',
  podRange: '10.244.1.0/24',
  state: join(STATE, 'node-2'),
  containerd: join(PODS_CACHE, 'containerd-2'),
  cgroup: 'sigcase-node-2',
  zone: 'zone-b',
}
export const NODES = [FIRST_NODE, SECOND_NODE] as const

/** Addresses of the pods of all nodes. */
export const POD_RANGE = '10.244.0.0/16'
export const SERVICE_RANGE = '10.96.0.0/16'
export const API_SERVICE_ADDRESS = '10.96.0.1'
export const DNS_ADDRESS = '10.96.0.10'
export const API_SERVER = `https://${FIRST_NODE.address}:6443`
export const CRD_LAYER_PORT = 6444

export const HOME_NAMESPACE = 'sigcase-system'
export const OUTSIDE_NAMESPACE = 'outside'
/** URL of the service for clients in the cluster. */
export const BASE_URL = `http://sigcase-api.${HOME_NAMESPACE}`
export const TENANTS = ['demo', 'acme'] as const
