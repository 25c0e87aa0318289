/** Builds images without a registry and without a daemon, by buildah with a storage of its own. */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { PODS_CACHE } from './layout.ts'

/** The first build fetches packages of npm and compiles the pages, on a busy machine. */
const BUILD_LIMIT_MS = 60 * 60 * 1000
/**
 * A build with changed packages adds about 2 GB, most of them packages that only build the pages.
 * The next build after a removal has to install all packages again.
 */
const MAXIMUM_KEPT_BYTES = 8_000_000_000
const FOLDER = join(PODS_CACHE, 'buildah')
const CERTIFICATES = '/etc/ssl/certs/ca-certificates.crt'

export interface ImageBuild {
  /** Name with its tag. */
  image: string
  /** Folder that the build can copy from. */
  context: string
  /** Text of a Containerfile; absent: the Dockerfile of the context. */
  containerfile?: string
  target?: string
  arguments?: Readonly<Record<string, string>>
}

function writeConfiguration(): void {
  mkdirSync(join(FOLDER, 'npm'), { recursive: true })
  const storage = [
    '[storage]',
    'driver = "overlay"',
    `graphroot = "${FOLDER}/root"`,
    `runroot = "${FOLDER}/run"`,
  ].join('\n')
  writeFileSync(join(FOLDER, 'storage.conf'), storage)
  writeFileSync(join(FOLDER, 'registries.conf'), 'unqualified-search-registries = []\n')
  const policy = { default: [{ type: 'insecureAcceptAnything' }] }
  writeFileSync(join(FOLDER, 'policy.json'), JSON.stringify(policy))
  // Authorities of this machine, where it has its own: mounted, so that they are not in the image.
  writeFileSync(join(FOLDER, 'npmrc'), `cafile=${CERTIFICATES}\nupdate-notifier=false\n`)
}

/** Runs buildah. @param packages folder of the unpacked Debian packages */
function buildah(packages: string, args: readonly string[]): string {
  // A mount namespace of its own: none of its mounts is left on the machine.
  const script = join(import.meta.dirname, 'buildah.sh')
  const command = ['--mount', 'sh', script, packages, FOLDER, ...args]
  const { status, stdout, error } = spawnSync('unshare', command, {
    env: {
      PATH: process.env.PATH ?? '',
      HOME: FOLDER,
      BUILDAH_ISOLATION: 'chroot',
      CONTAINERS_STORAGE_CONF: join(FOLDER, 'storage.conf'),
      CONTAINERS_REGISTRIES_CONF: join(FOLDER, 'registries.conf'),
    },
    stdio: ['ignore', 'pipe', 'inherit'],
    encoding: 'utf8',
    timeout: BUILD_LIMIT_MS,
  })
  if (status !== 0) throw new Error(`buildah ${args[0]} failed: ${error?.message ?? status}`)
  return stdout.trim()
}

const policyArguments = () => ['--signature-policy', join(FOLDER, 'policy.json')]

/** npm's cache and, where there are some, authorities of this machine. */
function volumes(): string[] {
  const all = [`${FOLDER}/npm:/root/.npm:rw`]
  if (existsSync(CERTIFICATES)) {
    all.push(`${CERTIFICATES}:${CERTIFICATES}:ro`, `${FOLDER}/npmrc:/root/.npmrc:ro`)
  }
  return all.flatMap((volume) => ['--volume', volume])
}

/** Builds an image. @returns its id, a digest */
export function buildImage(packages: string, build: ImageBuild): string {
  const { image, context, containerfile, target, arguments: values = {} } = build
  const file = join(FOLDER, 'Containerfile')
  writeConfiguration()
  const args = [
    'build',
    ...policyArguments(),
    ...['--pull-never', '--layers', '--network', 'host', '--quiet', '--tag', image],
    ...volumes(),
    ...(target === undefined ? [] : ['--target', target]),
    ...Object.entries(values).flatMap(([name, value]) => ['--build-arg', `${name}=${value}`]),
    ...(containerfile === undefined ? [] : ['--file', file]),
    context,
  ]
  if (containerfile !== undefined) writeFileSync(file, containerfile)
  return buildah(packages, args)
}

export interface ImageFacts {
  id: string
  bytes: number
}

/** Reads what is known of an image; undefined when it does not exist. */
export function inspectImage(packages: string, image: string): ImageFacts | undefined {
  writeConfiguration()
  const all = JSON.parse(buildah(packages, ['images', '--json']) || '[]') as
    { id: string; names?: string[]; size: string }[] | null
  const found = all?.find(({ names }) => names?.includes(image))
  return found && { id: found.id, bytes: bytesOf(found.size) }
}

/** Adds up the sizes of all layers; 0 before the first build. */
function layerBytes(): number {
  const file = join(FOLDER, 'root/overlay-layers/layers.json')
  if (!existsSync(file)) return 0
  const layers = JSON.parse(readFileSync(file, 'utf8')) as { 'diff-size'?: number }[]
  return layers.reduce((sum, layer) => sum + (layer['diff-size'] ?? 0), 0)
}

/** Removes the layers of earlier builds when they have become too many. Named images stay. */
export function pruneLayers(packages: string): void {
  if (layerBytes() <= MAXIMUM_KEPT_BYTES) return
  console.log('removing layers of earlier builds, which takes minutes')
  buildah(packages, ['rmi', '--prune'])
}

const UNITS = ['B', 'KB', 'MB', 'GB']

/** buildah prints sizes as `187 MB`. */
function bytesOf(size: string): number {
  const [amount = '0', unit = 'B'] = size.split(' ')
  return Math.round(Number(amount) * 1000 ** Math.max(0, UNITS.indexOf(unit)))
}

/** Writes an image to an archive that containerd can import. */
export function exportImage(packages: string, image: string, archive: string): void {
  buildah(packages, [
    'push',
    ...policyArguments(),
    '--quiet',
    image,
    `docker-archive:${archive}:${image}`,
  ])
}
