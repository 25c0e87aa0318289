/** Where the programs of a control plane come from: named by the caller, or built on Debian. */
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'

const BUILDER = join(import.meta.dirname, 'build-kube-apiserver.sh')
/** Two cores need four minutes. */
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

/** The folder that the build scripts keep their results in. */
function cacheFolder(): string {
  const { SIGCASE_CACHE, XDG_CACHE_HOME } = process.env
  const cache = XDG_CACHE_HOME ?? join(homedir(), '.cache')
  return join(SIGCASE_CACHE ?? join(cache, 'sigcase'), 'control-plane')
}

/** The programs that are there already: `KUBEBUILDER_ASSETS`, else what was built before. */
export function findBinaries(): Binaries | undefined {
  const { KUBEBUILDER_ASSETS } = process.env
  if (KUBEBUILDER_ASSETS !== undefined) return binariesIn(KUBEBUILDER_ASSETS)
  const cache = cacheFolder()
  if (!existsSync(cache)) return undefined
  const built = readdirSync(cache).filter((name) => name.startsWith('kube-apiserver-'))
  return built
    .sort()
    .reverse()
    .map((name) => binariesIn(join(cache, name)))
    .find((binaries) => binaries !== undefined)
}

/** Builds the programs where that is possible: on Debian, with its packages' sources. */
export function buildBinaries(): Binaries | undefined {
  if (!existsSync('/etc/debian_version')) return undefined
  console.log('building kube-apiserver, once (about five minutes)')
  const { status } = spawnSync(BUILDER, {
    stdio: ['ignore', 'ignore', 'inherit'],
    timeout: BUILD_LIMIT_MS,
  })
  return status === 0 ? findBinaries() : undefined
}
