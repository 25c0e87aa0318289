/** Starts etcd and a kube-apiserver of one's own on loopback, for tests and `npm run cluster`. */
import { spawn, type ChildProcess } from 'node:child_process'
import { generateKeyPairSync, randomBytes } from 'node:crypto'
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { request } from 'node:https'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Binaries } from './binaries.ts'

const LOOPBACK = '127.0.0.1'
const READY_LIMIT_MS = 60_000
const READY_POLL_MS = 100
/** An API server drains its watches before it ends. */
const END_LIMIT_MS = 5_000
const LOG_TAIL_CHARACTERS = 2_000
const OWNER_ONLY = 0o600

/** A running control plane; whoever holds the token may do everything. */
export interface ControlPlane {
  /** Address of the API server. */
  url: string
  /** PEM of the authority that its certificate is from. */
  ca: string
  adminToken: string
  /** Process ids, for tests that stop and resume them. */
  pids: { etcd: number; apiServer: number }
  /** Ends both processes and removes what they wrote. */
  stop(): Promise<void>
}

/** Ports that were free a moment ago, all different. */
async function freePorts(count: number): Promise<number[]> {
  const servers = Array.from({ length: count }, () => createServer())
  const ports = await Promise.all(
    servers.map(
      (server) =>
        new Promise<number>((resolve, reject) => {
          server.on('error', reject)
          server.listen(0, LOOPBACK, () => resolve((server.address() as AddressInfo).port))
        }),
    ),
  )
  for (const server of servers) server.close()
  return ports
}

/** A process with its log in a file of the folder. */
function start(folder: string, name: string, program: string, args: readonly string[]) {
  const log = join(folder, `${name}.log`)
  const file = openSync(log, 'w')
  const child = spawn(program, args, { stdio: ['ignore', file, file] })
  closeSync(file)
  return { name, child, log }
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  // One that a test stopped hears nothing else.
  child.kill('SIGCONT')
  child.kill('SIGTERM')
  const timer = setTimeout(() => child.kill('SIGKILL'), END_LIMIT_MS)
  await ended
  clearTimeout(timer)
}

/** @returns the status, or undefined when nothing listens yet */
function statusOf(url: string, ca: string, token: string): Promise<number | undefined> {
  return new Promise((resolve) => {
    const headers = { authorization: `Bearer ${token}` }
    const sent = request(`${url}/readyz`, { ca, headers, agent: false, timeout: READY_LIMIT_MS })
    sent.on('response', (response) => {
      response.resume()
      resolve(response.statusCode)
    })
    sent.on('error', () => resolve(undefined))
    sent.end()
  })
}

function readIfThere(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

interface Started {
  name: string
  child: ChildProcess
  log: string
}

/** Waits until the API server can be used. @throws Error with the end of the log of what ended */
async function waitUntilReady(url: string, caPath: string, token: string, all: Started[]) {
  const deadlineMs = performance.now() + READY_LIMIT_MS
  while (performance.now() < deadlineMs) {
    for (const { name, child, log } of all) {
      if (child.exitCode === null) continue
      const tail = readIfThere(log).slice(-LOG_TAIL_CHARACTERS)
      throw new Error(`${name} ended with ${child.exitCode}: ${tail}`)
    }
    const ca = readIfThere(caPath)
    if (ca !== '' && (await statusOf(url, ca, token)) === 200) return
    await sleep(READY_POLL_MS)
  }
  throw new Error(`the API server was not ready within ${READY_LIMIT_MS / 1000} s`)
}

/** Keys of service accounts' tokens, and the token of the administrator. */
function writeCredentials(folder: string, adminToken: string): void {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  })
  const mode = { mode: OWNER_ONLY }
  writeFileSync(join(folder, 'accounts.key'), privateKey, mode)
  writeFileSync(join(folder, 'accounts.pub'), publicKey, mode)
  writeFileSync(join(folder, 'tokens.csv'), `${adminToken},admin,admin,system:masters\n`, mode)
}

function apiServerArguments(folder: string, etcdUrl: string, port: number): string[] {
  return [
    `--etcd-servers=${etcdUrl}`,
    `--secure-port=${port}`,
    `--bind-address=${LOOPBACK}`,
    `--advertise-address=${LOOPBACK}`,
    '--endpoint-reconciler-type=none',
    `--cert-dir=${join(folder, 'certificates')}`,
    '--authorization-mode=RBAC',
    `--token-auth-file=${join(folder, 'tokens.csv')}`,
    '--service-account-issuer=https://kubernetes.default.svc',
    `--service-account-key-file=${join(folder, 'accounts.pub')}`,
    `--service-account-signing-key-file=${join(folder, 'accounts.key')}`,
    '--service-cluster-ip-range=10.0.0.0/24',
    // Nobody runs pods here, and nobody would make their accounts.
    '--disable-admission-plugins=ServiceAccount',
  ]
}

/** @throws Error when a process ends or the API server is not ready in time */
export async function startControlPlane(binaries: Binaries): Promise<ControlPlane> {
  const folder = mkdtempSync(join(tmpdir(), 'sigcase-control-plane-'))
  const adminToken = randomBytes(32).toString('hex')
  writeCredentials(folder, adminToken)
  const [etcdPort, peerPort, apiPort] = (await freePorts(3)) as [number, number, number]
  const etcdUrl = `http://${LOOPBACK}:${etcdPort}`
  const peerUrl = `http://${LOOPBACK}:${peerPort}`
  const etcd = start(folder, 'etcd', binaries.etcd, [
    `--data-dir=${join(folder, 'etcd')}`,
    `--listen-client-urls=${etcdUrl}`,
    `--advertise-client-urls=${etcdUrl}`,
    `--listen-peer-urls=${peerUrl}`,
    `--initial-advertise-peer-urls=${peerUrl}`,
    `--initial-cluster=default=${peerUrl}`,
    '--unsafe-no-fsync',
  ])
  const args = apiServerArguments(folder, etcdUrl, apiPort)
  const apiServer = start(folder, 'kube-apiserver', binaries.apiServer, args)
  const stop = async () => {
    await end(apiServer.child)
    await end(etcd.child)
    rmSync(folder, { recursive: true, force: true })
  }
  const url = `https://${LOOPBACK}:${apiPort}`
  const caPath = join(folder, 'certificates', 'apiserver.crt')
  try {
    await waitUntilReady(url, caPath, adminToken, [etcd, apiServer])
  } catch (error) {
    await stop()
    throw error
  }
  const pids = { etcd: etcd.child.pid as number, apiServer: apiServer.child.pid as number }
  return { url, ca: readFileSync(caPath, 'utf8'), adminToken, pids, stop }
}
