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
import { buildPrograms } from '../build-programs.ts'
import type { Binaries } from '../control-plane/binaries.ts'
import { freePorts } from '../../adapters/shared/free-ports.ts'
import { LOOPBACK } from '../control-plane/processes.ts'
import { startControlPlane, type ControlPlane } from '../control-plane/start.ts'
import { API_ENVIRONMENT } from '../emulators/backends.ts'
import type { Component } from '../rbac/rights.ts'
import { Child } from './child.ts'
import { HOME, listPrograms, type Program, type ProgramOptions } from './programs.ts'
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

const OWNER_ONLY = 0o600

export interface LocalClusterOptions extends ProgramOptions {
  binaries: Binaries
  tenants: readonly string[]
  /** 0: any free one. */
  port?: number
  /** A running one; absent: the cluster starts its own, which ends with it. */
  plane?: ControlPlane
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

async function startProcesses(ground: Ground, socketFolder: string) {
  const readerSocket = join(socketFolder, 'reader.sock')
  // `npm test` builds them before its processes start.
  const bundles = process.env.BUNDLED_PROGRAMS ?? (await buildPrograms())
  const programs = listPrograms(ground.options, { bundles, readerSocket })
  const reader = readerOf(ground, programs.reader, readerSocket)
  reader.start()
  const startAll = (all: readonly Program[]) =>
    Promise.all(all.map((one) => prepareChild(ground, one)))
  const more = { ...API_ENVIRONMENT, PORT: new URL(ground.url).port }
  return {
    api: await prepareChild(ground, { ...programs.api, more }),
    controllers: await startAll(programs.controllers),
    workers: await startAll(programs.workers),
    reader,
  }
}

/** The reader process for all workers; in a pod, each worker has its own reader container. */
function readerOf(
  { folder, environment }: Ground,
  command: readonly string[],
  socket: string,
): Child {
  return new Child({
    name: 'reader',
    command,
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
    const plane = options.plane ?? (await startControlPlane(binaries))
    if (!options.plane) ends.unshift(() => plane.stop())
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
