/** Starts the CRD layer of the newest Kubernetes; a control plane authenticates its callers. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePorts } from '../../adapters/free-ports.ts'
import { end, LOOPBACK, start, startEtcd, waitUntilReady } from './processes.ts'
import type { ControlPlane } from './start.ts'

const OWNER_ONLY = 0o600
/** Admission plugins that watch kinds that this server does not serve. */
const NOT_SERVED = [
  'ValidatingAdmissionPolicy',
  'MutatingAdmissionPolicy',
  'MutatingAdmissionWebhook',
  'ValidatingAdmissionWebhook',
]

/** Writes the file as JSON, which is valid YAML. */
function kubeconfig({ url, ca, adminToken }: ControlPlane): string {
  const data = Buffer.from(ca).toString('base64')
  return JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: 'full', cluster: { server: url, 'certificate-authority-data': data } }],
    users: [{ name: 'admin', user: { token: adminToken } }],
    contexts: [{ name: 'full', context: { cluster: 'full', user: 'admin' } }],
    'current-context': 'full',
  })
}

/**
 * The layer accepts tokens of the control plane, serves only custom resources, and has no own
 * namespaces.
 *
 * @param programs paths of etcd and of the layer's server
 * @throws Error when a process ends or the server is not ready in time
 */
export async function startCrdLayer(
  programs: { etcd: string; crdLayer: string },
  plane: ControlPlane,
): Promise<ControlPlane> {
  const folder = mkdtempSync(join(tmpdir(), 'sigcase-crd-layer-'))
  const config = join(folder, 'kubeconfig')
  writeFileSync(config, kubeconfig(plane), { mode: OWNER_ONLY })
  const etcd = await startEtcd(folder, programs.etcd)
  const [port] = (await freePorts(1)) as [number]
  const server = start(folder, 'crd-layer', programs.crdLayer, [
    `--etcd-servers=${etcd.url}`,
    `--secure-port=${port}`,
    `--bind-address=${LOOPBACK}`,
    `--cert-dir=${join(folder, 'certificates')}`,
    ...['', 'authentication-', 'authorization-'].map((use) => `--${use}kubeconfig=${config}`),
    '--authentication-skip-lookup',
    '--enable-priority-and-fairness=false',
    `--disable-admission-plugins=${NOT_SERVED.join(',')}`,
  ])
  const stop = async () => {
    await end(server.child)
    await end(etcd.child)
    rmSync(folder, { recursive: true, force: true })
  }
  const url = `https://${LOOPBACK}:${port}`
  const caPath = join(folder, 'certificates', 'apiserver.crt')
  try {
    await waitUntilReady(url, caPath, plane.adminToken, [etcd, server])
  } catch (error) {
    await stop()
    throw error
  }
  const pids = { etcd: etcd.child.pid as number, apiServer: server.child.pid as number }
  return { ...plane, url, ca: readFileSync(caPath, 'utf8'), pids, stop }
}
