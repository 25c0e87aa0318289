/** Finds the programs of a control plane, or builds them on Debian. */
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'

/** Time limit of a build, which takes four minutes on two idle cores. */
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

/** Lists the folders of earlier builds, newest version first. */
function built(prefix: string): string[] {
  const { SIGCASE_CACHE, XDG_CACHE_HOME } = process.env
  const cache = XDG_CACHE_HOME ?? join(homedir(), '.cache')
  const folder = join(SIGCASE_CACHE ?? join(cache, 'sigcase'), 'control-plane')
  if (!existsSync(folder)) return []
  const names = readdirSync(folder).filter((name) => name.startsWith(prefix))
  const inOrder = names.sort(new Intl.Collator('en', { numeric: true }).compare).reverse()
  return inOrder.map((name) => join(folder, name))
}

/** Finds existing programs: in `KUBEBUILDER_ASSETS`, or from an earlier build. */
export function findBinaries(): Binaries | undefined {
  const { KUBEBUILDER_ASSETS } = process.env
  const folders = KUBEBUILDER_ASSETS ? [KUBEBUILDER_ASSETS] : built('kube-apiserver-')
  return folders.map(binariesIn).find((binaries) => binaries !== undefined)
}

/** Finds the newest CRD layer of earlier builds. */
export function findCrdLayer(): string | undefined {
  const programs = built('crd-layer-').map((folder) => join(folder, 'apiextensions-apiserver'))
  return programs.find((program) => existsSync(program))
}

/** Runs a build script. @returns whether its result exists */
function build(script: string): boolean {
  if (!existsSync('/etc/debian_version')) return false
  const { status } = spawnSync(join(import.meta.dirname, script), {
    stdio: ['ignore', 'ignore', 'inherit'],
    timeout: BUILD_LIMIT_MS,
  })
  return status === 0
}

export interface Preparation {
  /** Required by all cluster tests. */
  apiServer: boolean
  /** May be missing, because Debian's development suite changes and the build may fail. */
  crdLayer: boolean
}

/**
 * Builds missing programs from Debian's sources; this is possible only on Debian.
 *
 * @param options whether to build the CRD layer, which takes as long as the API server
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
