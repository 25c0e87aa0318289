/** Starts etcd and kube-apiserver on loopback, for tests and `npm run cluster`. */
import { generateKeyPairSync, randomBytes } from 'node:crypto'
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import type { Binaries } from './binaries.ts'
import { freePorts } from '../../adapters/shared/free-ports.ts'
import { end, LOOPBACK, start, startEtcd, waitUntilReady } from './processes.ts'

const OWNER_ONLY = 0o600

/** A running control plane; the token has all rights. */
export interface ControlPlane {
  /** URL of the API server. */
  url: string
  /** PEM of the authority of its certificate. */
  ca: string
  adminToken: string
  /** Process ids, for tests that stop and resume them. */
  pids: { readonly etcd: number; readonly apiServer: number }
  /** Kills the API server; its data stays in etcd. */
  killApiServer(): Promise<void>
  /** Restarts a killed API server at the same address. */
  restartApiServer(): Promise<void>
  /** Copies the current data of etcd to a new folder, like a disk snapshot. */
  copyEtcd(target: string): void
  /** Stops both processes and removes their files. */
  stop(): Promise<void>
}

/** Keys for service account tokens, and the token of the administrator. */
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
    // No controller runs that creates service accounts, and no pods need them.
    '--disable-admission-plugins=ServiceAccount',
    // Nothing uses beta APIs, one of which configures priorities. A server without them takes 2 s
    // of CPU time at its start in place of 3.5 s.
    '--runtime-config=api/beta=false',
    '--enable-priority-and-fairness=false',
  ]
}

/**
 * @param from copied data of another etcd; absent: the cluster is empty
 * @throws Error when a process ends or the API server is not ready in time
 */
export async function startControlPlane(binaries: Binaries, from?: string): Promise<ControlPlane> {
  const folder = mkdtempSync(join(tmpdir(), 'sigcase-control-plane-'))
  const adminToken = randomBytes(32).toString('hex')
  writeCredentials(folder, adminToken)
  const data = join(folder, 'etcd')
  if (from !== undefined) cpSync(from, data, { recursive: true })
  const etcd = await startEtcd(folder, binaries.etcd)
  const etcdPid = etcd.child.pid as number
  const [apiPort] = (await freePorts(1)) as [number]
  const args = apiServerArguments(folder, etcd.url, apiPort)
  const startApiServer = () => start(folder, 'kube-apiserver', binaries.apiServer, args)
  let apiServer = startApiServer()
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
  return {
    url,
    ca: readFileSync(caPath, 'utf8'),
    adminToken,
    pids: {
      etcd: etcdPid,
      get apiServer() {
        return apiServer.child.pid as number
      },
    },
    async killApiServer() {
      process.kill(apiServer.child.pid as number, 'SIGKILL')
      await end(apiServer.child)
    },
    async restartApiServer() {
      apiServer = startApiServer()
      await waitUntilReady(url, caPath, adminToken, [etcd, apiServer])
    },
    copyEtcd(target) {
      process.kill(etcdPid, 'SIGSTOP')
      cpSync(data, target, { recursive: true })
      process.kill(etcdPid, 'SIGCONT')
    },
    stop,
  }
}
