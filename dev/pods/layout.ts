/**
 * Names the folders, addresses and versions of the node that `npm run cluster -- --pods` starts.
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
/** Socket of the node's HTTP proxy, the only way into its network. */
export const PROXY_SOCKET = join(STATE, 'proxy.sock')

export const NODE_NAME = 'node-1'
export const NODE_ADDRESS = '10.243.0.1'
export const POD_RANGE = '10.244.0.0/24'
export const SERVICE_RANGE = '10.96.0.0/16'
export const API_SERVICE_ADDRESS = '10.96.0.1'
export const DNS_ADDRESS = '10.96.0.10'
export const API_SERVER = `https://${NODE_ADDRESS}:6443`
export const CRD_LAYER_PORT = 6444
/** Name of the cgroups of all pods, in each hierarchy. */
export const CGROUP = 'sigcase-node'

export const HOME_NAMESPACE = 'sigcase-system'
export const OUTSIDE_NAMESPACE = 'outside'
/** URL of the service for clients in the cluster. */
export const BASE_URL = `http://sigcase-api.${HOME_NAMESPACE}`
export const TENANTS = ['demo', 'acme'] as const
