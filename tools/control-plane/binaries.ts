/** Where the programs of a control plane come from: named by the caller, or built on Debian. */
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'

/** Two cores need four minutes when nothing else runs. */
const BUILD_LIMIT_MS = 40 * 60 * 1000

/** Paths of the two programs. */
export interface Binaries {
  etcd: string
  apiServer: string
}

function binariesIn(folder: string): Binaries | undefined {
  const binaries = { etcd: join(folder, 'etcd'), apiServer: join(folder, 'kube-apiserver') }
  return existsSync(binaries.etcd) && existsSync(binaries.apiServer) ? binaries : undefined
}

/** Folders that a build script left, the newest version first. */
function built(prefix: string): string[] {
  const { SIGCASE_CACHE, XDG_CACHE_HOME } = process.env
  const cache = XDG_CACHE_HOME ?? join(homedir(), '.cache')
  const folder = join(SIGCASE_CACHE ?? join(cache, 'sigcase'), 'control-plane')
  if (!existsSync(folder)) return []
  const names = readdirSync(folder).filter((name) => name.startsWith(prefix))
  const inOrder = names.sort(new Intl.Collator('en', { numeric: true }).compare).reverse()
  return inOrder.map((name) => join(folder, name))
}

/** The programs that are there already: `KUBEBUILDER_ASSETS`, else what was built before. */
export function findBinaries(): Binaries | undefined {
  const { KUBEBUILDER_ASSETS } = process.env
  const folders = KUBEBUILDER_ASSETS ? [KUBEBUILDER_ASSETS] : built('kube-apiserver-')
  return folders.map(binariesIn).find((binaries) => binaries !== undefined)
}

/** The newest CRD layer that was built before. */
export function findCrdLayer(): string | undefined {
  const programs = built('crd-layer-').map((folder) => join(folder, 'apiextensions-apiserver'))
  return programs.find((program) => existsSync(program))
}

/** @returns whether the script built what it is for, now or before */
function build(script: string): boolean {
  if (!existsSync('/etc/debian_version')) return false
  const { status } = spawnSync(join(import.meta.dirname, script), {
    stdio: ['ignore', 'ignore', 'inherit'],
    timeout: BUILD_LIMIT_MS,
  })
  return status === 0
}

export interface Preparation {
  /** Without one no test of the cluster runs. */
  apiServer: boolean
  /** Debian's development suite moves: a layer that cannot be built is no fault of ours. */
  crdLayer: boolean
}

/**
 * Builds what is not there yet, where that is possible: on Debian, from its own sources.
 *
 * @param options the CRD layer takes as long to build as the API server: only its tests need it
 */
export function prepareBinaries({ withCrdLayer = true } = {}): Preparation {
  const say = (what: string) => console.log(`building ${what}, once (four minutes on two cores)`)
  if (!findBinaries()) {
    say('kube-apiserver')
    build('build-kube-apiserver.sh')
  }
  if (withCrdLayer && !findCrdLayer()) {
    say('the CRD layer of the newest Kubernetes')
    build('build-crd-layer.sh')
  }
  return { apiServer: findBinaries() !== undefined, crdLayer: findCrdLayer() !== undefined }
}
