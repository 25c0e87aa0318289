/** Finds the programs of the node, and builds or unpacks those that are not there yet. */
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { findBinaries, findCrdLayer, prepareBinaries } from '../control-plane/binaries.ts'
import { CACHE } from './layout.ts'

/** Time limit of a build, which takes five minutes on two idle cores. */
const BUILD_LIMIT_MS = 60 * 60 * 1000

/** Programs that the machine must have: they make namespaces and certificates. */
const OF_THE_MACHINE = ['unshare', 'nsenter', 'ip', 'mount', 'openssl', 'gcc', 'dpkg-deb']

export interface Programs {
  /** Folder of etcd and kube-apiserver. */
  apiServer: string
  /** Folder of kubelet, kube-controller-manager, kube-scheduler, kube-proxy and kubectl. */
  kubernetes: string
  /** Unpacked Debian packages. */
  packages: string
  /** Path of the CRD layer of a newer Kubernetes, where there is one. */
  crdLayer: string | undefined
}

const isOnPath = (name: string) => spawnSync('sh', ['-c', `command -v ${name}`]).status === 0

/** @returns why a node cannot run on this machine, as a sentence; undefined when it can */
export function whyNoNode(): string | undefined {
  if (process.platform !== 'linux' || process.arch !== 'x64') {
    return 'A node needs Linux on x86-64.'
  }
  if (process.getuid?.() !== 0) return 'A node needs root: it makes namespaces and mounts.'
  if (!existsSync('/etc/debian_version')) return 'The programs of the node are built on Debian.'
  const missing = OF_THE_MACHINE.filter((name) => !isOnPath(name))
  if (missing.length > 0) return `These programs are not installed: ${missing.join(', ')}.`
  const { status } = spawnSync('unshare', ['--net', '--mount', '--pid', '--fork', 'true'])
  return status === 0 ? undefined : 'The kernel does not allow new namespaces here.'
}

/** @returns the newest folder of an earlier run, if it is complete */
function findFolder(prefix: string, lastProgram: string): string | undefined {
  const folder = join(CACHE, 'control-plane')
  const names = existsSync(folder) ? readdirSync(folder) : []
  const found = names
    .filter((name) => name.startsWith(prefix))
    .sort()
    .reverse()
  return found.map((name) => join(folder, name)).find((path) => existsSync(join(path, lastProgram)))
}

/** Runs a script. @returns the last line of its output @throws Error when it fails */
function run(script: string): string {
  const { status, stdout } = spawnSync(join(import.meta.dirname, script), {
    stdio: ['ignore', 'pipe', 'inherit'],
    encoding: 'utf8',
    timeout: BUILD_LIMIT_MS,
  })
  if (status !== 0) throw new Error(`${script} failed`)
  return stdout.trim().split('\n').at(-1) ?? ''
}

/** @throws Error when a program cannot be built */
export function preparePrograms(): Programs {
  prepareBinaries({ withCrdLayer: true })
  const binaries = findBinaries()
  if (!binaries) throw new Error('kube-apiserver cannot be built here')
  return {
    apiServer: join(binaries.apiServer, '..'),
    packages: findFolder('node-packages-', 'usr/bin/buildah') ?? run('unpack-packages.sh'),
    kubernetes: findFolder('kubernetes-node-', 'kubectl') ?? run('build-kubernetes.sh'),
    crdLayer: findCrdLayer(),
  }
}
