/**
 * Runs a cluster on this machine: a real API server and Redis, emulators of Google Cloud, and the
 * processes of the service, each with the token of its own service account.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { openWholeKeyring } from '../../adapters/embedded/keyring.ts'
import { mintTenantToken } from '../../adapters/jose/local-identity.ts'
import type { ApiServer } from '../../adapters/kubernetes/api-server.ts'
import type { Binaries } from '../control-plane/binaries.ts'
import { freePorts } from '../../adapters/shared/free-ports.ts'
import { LOOPBACK } from '../control-plane/processes.ts'
import { startControlPlane, type ControlPlane } from '../control-plane/start.ts'
import { API_ENVIRONMENT } from '../emulators/backends.ts'
import type { Component } from '../rbac/rights.ts'
import { Child } from './child.ts'
import { denoCommand } from './deno-worker.ts'
import {
  environmentOf,
  issueCertificates,
  startOutsideProcess,
  type LocalOutside,
  type OutsideProcess,
} from './start-emulators.ts'
import {
  apiServerFor,
  applyDefinitions,
  installRights,
  kubeConfigFor,
  makeNamespaces,
  registerTenant,
  tenantReady,
  requestToken,
} from './install.ts'

const ROOT = join(import.meta.dirname, '..', '..')
export const HOME = 'sigcase-system'
const OWNER_ONLY = 0o600
/** As in the chart: a burst of reads would grow it, and the heap with it (decision 258). */
const YOUNG_GENERATION = '--max-semi-space-size=4'

export interface LocalClusterOptions {
  binaries: Binaries
  /** Folder for all files; created if it does not exist. */
  folder: string
  tenants: readonly string[]
  /** 0: any free one. */
  port?: number
  controllers?: number
  workers?: readonly ('node' | 'deno')[]
  /** Additional variables of all processes. */
  environment?: Readonly<Record<string, string>>
}

/** The backends of the service. */
export interface LocalGround<O extends LocalOutside = OutsideProcess> {
  folder: string
  plane: ControlPlane
  admin: ApiServer
  /** Path of a kubeconfig with all rights. */
  kubeconfig: string
  redis: Child
  outside: O
  /** Variables of all processes of the service. */
  environment: Readonly<Record<string, string>>
  /** Writes a kubeconfig with a token of the component's own account. @returns its path */
  writeComponentKubeconfig(component: Component, name: string): Promise<string>
  token(tenant: string): Promise<string>
  /** Ends everything by its process id. */
  stop(): Promise<void>
}

export interface LocalCluster extends LocalGround {
  url: string
  api: Child
  controllers: readonly Child[]
  workers: readonly Child[]
  reader: Child
}

interface Ground extends LocalGround<OutsideProcess> {
  options: LocalClusterOptions
  url: string
}

const keyringOf = (folder: string) => join(folder, 'keyring')

function writeKubeconfig(plane: ControlPlane, path: string, token: string): string {
  const config = kubeConfigFor({ url: plane.url, ca: plane.ca, token })
  writeFileSync(path, config.exportConfig(), { mode: OWNER_ONLY })
  return path
}

function buildRedis(folder: string, port: number): Child {
  return new Child({
    name: 'redis',
    command: ['redis-server', '--port', `${port}`, '--bind', LOOPBACK, '--dir', folder].concat(
      '--save',
      '',
      '--loglevel',
      'warning',
    ),
    environment: { PATH: process.env.PATH ?? '' },
    log: join(folder, 'redis.log'),
  })
}

interface Program {
  component: Component
  name: string
  command: readonly string[]
  more?: Readonly<Record<string, string>>
}

async function prepareChild(
  ground: Ground,
  { component, name, command, more = {} }: Program,
): Promise<Child> {
  const { options, folder, environment } = ground
  const kubeconfig = await ground.writeComponentKubeconfig(component, name)
  const [operationsPort] = (await freePorts(1)) as [number]
  const child = new Child({
    name,
    command,
    environment: {
      ...environmentOf(component, environment),
      KUBECONFIG: kubeconfig,
      OPERATIONS_PORT: String(operationsPort),
      ...more,
      ...options.environment,
    },
    log: join(folder, `${name}.log`),
    readyUrl: `http://${LOOPBACK}:${operationsPort}/readyz`,
  })
  child.start()
  return child
}

function workerCommand(runtime: 'node' | 'deno', folder: string, readerSocket: string): string[] {
  const file = join(ROOT, 'runtime', 'worker.ts')
  if (runtime === 'node') return [process.execPath, file]
  return [...denoCommand({ read: [ROOT, folder], readerSocket }), file]
}

/** Programs of all processes, in the order of their names. */
function programs(
  { folder, workers = ['node', 'deno'], controllers = 1 }: LocalClusterOptions,
  readerSocket: string,
) {
  const node = (file: string, ...options: string[]) => [
    process.execPath,
    ...options,
    join(ROOT, file),
  ]
  const api = { component: 'api' as const, name: 'api', command: node('runtime/api.ts') }
  const replicas = Array.from({ length: controllers }, (_, index) => {
    const name = `controller-${index + 1}`
    const more = { POD_NAMESPACE: HOME, POD_NAME: name }
    const command = node('runtime/controller.ts', YOUNG_GENERATION)
    return { component: 'controller' as const, name, command, more }
  })
  const runners = workers.map((runtime, index) => {
    const name = `worker-${index + 1}-${runtime}`
    const command = workerCommand(runtime, folder, readerSocket)
    return { component: 'worker' as const, name, command, more: { READER_SOCKET: readerSocket } }
  })
  return { api, replicas, runners }
}

async function startProcesses(ground: Ground, socketFolder: string) {
  const socket = join(socketFolder, 'reader.sock')
  const reader = readerOf(ground, socket)
  reader.start()
  const { api, replicas, runners } = programs(ground.options, socket)
  const startAll = (all: readonly Program[]) =>
    Promise.all(all.map((one) => prepareChild(ground, one)))
  const more = { ...API_ENVIRONMENT, PORT: new URL(ground.url).port }
  return {
    api: await prepareChild(ground, { ...api, more }),
    controllers: await startAll(replicas),
    workers: await startAll(runners),
    reader,
  }
}

/** The reader process for all workers; in a pod, each worker has its own reader container. */
function readerOf({ folder, environment }: Ground, socket: string): Child {
  return new Child({
    name: 'reader',
    command: [process.execPath, join(ROOT, 'runtime', 'reader.ts')],
    environment: { PATH: environment.PATH ?? '', READER_SOCKET: socket },
    log: join(folder, 'reader.log'),
  })
}

async function install(
  { folder, tenants }: LocalClusterOptions,
  plane: ControlPlane,
  admin: ApiServer,
): Promise<string> {
  await applyDefinitions(admin)
  await makeNamespaces(admin, [HOME])
  await installRights(admin, HOME)
  for (const tenant of tenants) await registerTenant(admin, tenant)
  return writeKubeconfig(plane, join(folder, 'kubeconfig'), plane.adminToken)
}

/**
 * Starts an API server with the definitions, accounts and tenants of the service, a Redis and the
 * emulators, and issues certificates. It starts no process of the service.
 *
 * @param url URL of the future service
 * @param startOutside starts the emulators of Google Cloud and of the mail server
 */
export async function openGround<O extends LocalOutside>(
  options: LocalClusterOptions,
  url: string,
  startOutside: (folder: string, url: string) => Promise<O>,
): Promise<LocalGround<O>> {
  const { folder, binaries } = options
  const [redisPort] = (await freePorts(1)) as [number]
  const ends: (() => Promise<unknown>)[] = []
  const stop = async () => {
    for (const end of ends) await end()
  }
  try {
    const plane = await startControlPlane(binaries)
    ends.unshift(() => plane.stop())
    const admin = apiServerFor({ url: plane.url, ca: plane.ca, token: plane.adminToken })
    const kubeconfig = await install(options, plane, admin)
    const redis = buildRedis(folder, redisPort)
    ends.unshift(() => redis.end())
    redis.start()
    const outside = await startOutside(folder, url)
    ends.unshift(() => outside.end())
    const keyring = openWholeKeyring(keyringOf(folder))
    const environment = {
      PATH: process.env.PATH ?? '',
      BASE_URL: url,
      HOST: LOOPBACK,
      REDIS_URL: `redis://${LOOPBACK}:${redisPort}`,
      KEYRING_FOLDER: keyringOf(folder),
      ...outside.environment,
    }
    await issueCertificates(folder, environment)
    const writeComponentKubeconfig = async (component: Component, name: string) =>
      writeKubeconfig(
        plane,
        join(folder, `${name}.kubeconfig`),
        await requestToken(admin, HOME, component),
      )
    const token = (tenant: string) => mintTenantToken(keyring, tenant, new Date())
    const ground = { folder, plane, admin, kubeconfig, redis, outside, environment }
    return { ...ground, writeComponentKubeconfig, token, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

/** @throws Error when a part does not start, after stopping the other parts */
export async function startLocalCluster(options: LocalClusterOptions): Promise<LocalCluster> {
  const [anyPort] = (await freePorts(1)) as [number]
  const url = `http://${LOOPBACK}:${options.port || anyPort}`
  const ground = await openGround(options, url, startOutsideProcess)
  const children: Child[] = []
  // Socket paths must be short, so the socket is not in the folder of the cluster.
  const socketFolder = mkdtempSync(join(tmpdir(), 'sigcase-reader-'))
  const stop = async () => {
    await Promise.all(children.map((child) => child.end()))
    rmSync(socketFolder, { recursive: true, force: true })
    await ground.stop()
  }
  try {
    const processes = await startProcesses({ ...ground, options, url }, socketFolder)
    const { api, controllers, workers, reader } = processes
    children.push(api, ...controllers, ...workers, reader)
    await Promise.all(children.map((child) => child.ready()))
    for (const tenant of options.tenants) await tenantReady(ground.admin, tenant)
    return { ...ground, url, ...processes, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

/** Removes all files of a cluster. */
export function removeLocalCluster(folder: string): void {
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
}
