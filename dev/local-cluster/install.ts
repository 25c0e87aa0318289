/** Installs the service's definitions, accounts and rights on an API server. */
import { KubeConfig } from '@kubernetes/client-node'
import { load } from 'js-yaml'
import { ApiRefusal, ApiServer, pathOf } from '../../adapters/kubernetes/api-server.ts'
import { definitionFiles } from '../crds/definition.ts'
import { collectionOf, installedManifests } from '../rbac/manifests.ts'
import type { Component } from '../rbac/rights.ts'

const CONDITION_LIMIT_MS = 120_000
const POLL_MS = 50
const CONFLICT = 409
/** Longer than a local cluster runs. */
const TOKEN_LIFE_SECONDS = 30 * 24 * 60 * 60

export const DEFINITIONS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'

/** Address and credentials for an API server. */
export interface Access {
  url: string
  /** PEM. */
  ca: string
  token: string
}

/** Builds a kubeconfig with one cluster and the account of the token. */
export function kubeConfigFor({ url, ca, token }: Access): KubeConfig {
  const config = new KubeConfig()
  config.loadFromOptions({
    clusters: [{ name: 'local', server: url, caData: Buffer.from(ca).toString('base64') }],
    users: [{ name: 'local', token }],
    contexts: [{ name: 'local', cluster: 'local', user: 'local' }],
    currentContext: 'local',
  })
  return config
}

interface Conditioned {
  metadata: { name: string }
  status?: { conditions?: { type: string; status: string; message?: string }[] }
}

/** Waits until a condition of an object holds. */
export async function untilTrue(admin: ApiServer, path: string, condition: string): Promise<void> {
  const deadlineMs = performance.now() + CONDITION_LIMIT_MS
  let seen: Conditioned['status']
  while (performance.now() < deadlineMs) {
    seen = (await admin.send<Conditioned>({ path })).status
    if (seen?.conditions?.some(({ type, status }) => type === condition && status === 'True'))
      return
    await new Promise((resolve) => setTimeout(resolve, POLL_MS))
  }
  throw new Error(`${path} is not ${condition}: ${JSON.stringify(seen)}`)
}

/** Creates an object unless it exists. */
async function make(admin: ApiServer, path: string, body: object): Promise<void> {
  try {
    await admin.send({ method: 'POST', path, body })
  } catch (error) {
    if (!(error instanceof ApiRefusal) || error.status !== CONFLICT) throw error
  }
}

/** Installs the generated definitions. */
export async function applyDefinitions(admin: ApiServer): Promise<void> {
  for (const [, text] of definitionFiles()) {
    const body = load(text) as Conditioned
    await make(admin, DEFINITIONS, body)
    await untilTrue(admin, DEFINITIONS + pathOf(body.metadata.name), 'Established')
  }
}

/** Creates the manifests; existing objects stay unchanged. */
export async function makeNamespaces(admin: ApiServer, names: readonly string[]): Promise<void> {
  for (const name of names) {
    const body = { apiVersion: 'v1', kind: 'Namespace', metadata: { name } }
    await make(admin, '/api/v1/namespaces', body)
  }
}

/** Installs the service accounts and their roles. @param home namespace of the service */
export async function installRights(admin: ApiServer, home: string): Promise<void> {
  for (const body of installedManifests(home)) await make(admin, collectionOf(body), body)
}

/** Requests a token of the component's service account. */
export async function requestToken(
  admin: ApiServer,
  home: string,
  component: Component,
): Promise<string> {
  const account = pathOf('namespaces', home, 'serviceaccounts', `sigcase-${component}`)
  const { status } = await admin.send<{ status: { token: string } }>({
    method: 'POST',
    path: `/api/v1${account}/token`,
    body: {
      apiVersion: 'authentication.k8s.io/v1',
      kind: 'TokenRequest',
      spec: { expirationSeconds: TOKEN_LIFE_SECONDS },
    },
  })
  return status.token
}

const TENANTS = '/apis/sigcase.dev/v1/tenants'

/** Creates a tenant of the local issuer; its namespace has the same name. */
export async function registerTenant(admin: ApiServer, name: string): Promise<void> {
  await make(admin, TENANTS, {
    apiVersion: 'sigcase.dev/v1',
    kind: 'Tenant',
    metadata: { name },
    spec: {
      namespace: name,
      identity: { issuer: 'sigcase-local', audience: 'sigcase', claim: 'tenant', value: name },
    },
  })
}

/** Waits until the controller has created the tenant's namespace. */
export const tenantReady = (admin: ApiServer, name: string) =>
  untilTrue(admin, TENANTS + pathOf(name), 'Ready')

/** The processes that start beside it may need both cores. */
const INSTALL_LIMIT_MS = 60_000

/** Opens the adapter that the service uses, with more patience. */
export const apiServerFor = (access: Access) =>
  new ApiServer(kubeConfigFor(access), INSTALL_LIMIT_MS)
