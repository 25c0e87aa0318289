/**
 * `node dev/build-programs.ts`: bundles the service on one machine, its processes on a cluster, the
 * programs that they start and the commands of images, if their sources changed: into
 * `runtime/dist`, and what they share into `runtime/node_modules`. `npm start` runs it first
 * (decisions 288 and 297).
 */
import { createHash } from 'node:crypto'
import { existsSync, globSync, readFileSync, statSync, writeFileSync, rmSync } from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'
import type { OutputChunk, Plugin } from 'rolldown'

const ROOT = join(import.meta.dirname, '..')
const RUNTIME = join(ROOT, 'runtime')
const DIST = join(RUNTIME, 'dist')
/**
 * Deno loads a file in `node_modules` as Node does. Any other one it parses itself, which doubles
 * CPU time and memory of a start. As deep as `DIST`, for the places of sources.
 */
const CHUNKS = 'node_modules'
/** File with the digest of all sources. */
const STAMP = join(DIST, 'sources.sha256')
/** File with the {@link BundleFile} of each file. */
const CONTENT = join(DIST, 'bundles.json')
/** Each program or thread, and its bundle; they share chunks. */
const PROGRAMS: Readonly<Record<string, string>> = {
  'runtime/embedded/main.ts': 'main',
  'runtime/api.ts': 'api',
  'runtime/controller.ts': 'controller',
  'runtime/worker.ts': 'worker',
  'runtime/reader.ts': 'reader',
  'runtime/pkcs11.ts': 'pkcs11',
  'cli/sigcase.ts': 'sigcase',
  'cli/check-installation.ts': 'check-installation',
  'adapters/drawings/child.ts': 'drawings',
  'adapters/embedded/objects/thread.ts': 'objects',
  'adapters/pdf-sandbox/child.ts': 'sandbox',
}
export const SOURCES = [
  '{adapters,api,application,cli,controllers,domain,runtime,workers}/**/*.{ts,json,graphql}',
  '{pades,trusted-lists}/**/*.{ts,json}',
  'package-lock.json',
]
/**
 * They find their own files by their place, or get objects of Google's authentication, which must
 * be of the class that they import themselves.
 */
const NOT_BUNDLED =
  /^(pdfjs-dist|harfbuzzjs|deno|@google-cloud\/.*|google-gax|google-auth-library|pino)(\/|$)/
/** Running services may still load files of the former build. */
const KEEP_MS = 24 * 3_600_000

function digestOfSources(): string {
  const hash = createHash('sha256').update(readFileSync(import.meta.filename))
  const files = globSync(SOURCES, { cwd: ROOT, exclude: ['runtime/dist/**'] }).sort()
  for (const file of files) hash.update(`${file}\0`).update(readFileSync(join(ROOT, file)))
  return hash.digest('hex')
}

const OWN_PLACE = /new URL\('([^']+\.ts)', import\.meta\.url\)|import\.meta\.(url|dirname)/g

/**
 * Replaces the place of the bundle by that of the source, from which sources find files of the
 * repository, and the path of a program by that of its bundle.
 *
 * @param path of the source, from the root
 */
export function placeSource(text: string, path: string): string {
  return text.replace(OWN_PLACE, (found, program: string | undefined, name: string | undefined) => {
    if (name === 'dirname') return `(import.meta.dirname + '/../../${dirname(path)}')`
    const own = `new URL('../../${path}', import.meta.url).href`
    if (program === undefined) return own
    const bundle = PROGRAMS[join(dirname(path), program)]
    if (bundle !== undefined) return `new URL('../dist/${bundle}.js', import.meta.url)`
    throw new Error(
      `${path} starts ${program}, which is not among the programs to bundle: ${found}`,
    )
  })
}

const placed: Plugin = {
  name: 'placed-sources',
  transform: {
    filter: { id: { include: /\.ts$/, exclude: /node_modules/ }, code: /import\.meta\./ },
    // Lines stay as they are, which is all that stack traces need.
    handler: (text, id) => ({ code: placeSource(text, relative(ROOT, id)), map: null }),
  },
}

/** Nothing uses the typed API of Kubernetes (decision 110). */
const untypedKubernetes: Plugin = {
  name: 'untyped-kubernetes',
  transform: {
    filter: { id: /@kubernetes\/client-node\/dist\/gen\/index\.js$/ },
    handler: (code) => ({
      code: code
        .split('\n')
        .filter((line) => !/"\.\/(models|apis)\/|\/types\//.test(line))
        .join('\n'),
      map: { mappings: '' },
    }),
  },
}

/** Maps of packages would be two thirds of all maps, which Node reads at each start. */
const unmappedPackages: Plugin = {
  name: 'unmapped-packages',
  transform: {
    filter: { id: { include: /node_modules.*\.[cm]?js$/ } },
    handler: (code) => ({ code, map: { mappings: '' } }),
  },
}

/** Removes the files of earlier builds that no running service is likely to load. */
function removeOld(current: ReadonlySet<string>): void {
  const leastMs = Date.now() - KEEP_MS
  const pattern = `{${basename(DIST)},${CHUNKS}}/*.{js,mjs,js.map,mjs.map}`
  for (const file of globSync(pattern, { cwd: RUNTIME })) {
    const path = join(RUNTIME, file)
    if (!current.has(file) && statSync(path).mtimeMs < leastMs) rmSync(path)
  }
}

/** What one file of the bundles loads, and the code of packages that it contains. */
export interface BundleFile {
  /** Paths of other files, from `runtime`, and names of packages and of modules of Node. */
  imports: string[]
  /** Folders, from the root. */
  packages: string[]
}

const PACKAGE = /^.*node_modules\/(@[^/]+\/)?[^/]+/

/** @param modules paths from the root @returns folders of packages, sorted */
export function packagesOf(modules: readonly string[]): string[] {
  const folders = modules.map((path) => PACKAGE.exec(path)?.[0])
  return [...new Set(folders.filter((folder) => folder !== undefined))].sort()
}

/** @returns paths of the modules whose code is in the chunk */
export function listRendered({ modules }: Pick<OutputChunk, 'modules'>): string[] {
  const rendered = Object.entries(modules).filter(([, { renderedLength }]) => renderedLength > 0)
  return rendered.map(([path]) => path)
}

function describeChunk(chunk: OutputChunk): BundleFile {
  return {
    imports: [...chunk.imports, ...chunk.dynamicImports],
    packages: packagesOf(listRendered(chunk).map((path) => relative(ROOT, path))),
  }
}

/** @returns by path from `runtime`, what each file of the bundles loads and contains */
export function readBundles(): Readonly<Record<string, BundleFile>> {
  const text = readFileSync(CONTENT, 'utf8')
  return JSON.parse(text) as Record<string, BundleFile>
}

/**
 * Bundles programs.
 *
 * @param programs path of each from the root, and the name of its bundle
 * @param folder of the programs, two levels below the one that has packages; files that they share
 *   are in `node_modules` beside it
 */
export async function bundle(programs: Readonly<Record<string, string>>, folder: string) {
  // Imported here, because most starts find that nothing changed.
  const { build } = await import('rolldown')
  const input = Object.entries(programs).map(([path, name]) => [name, join(ROOT, path)])
  const { output } = await build({
    cwd: ROOT,
    input: Object.fromEntries(input) as Record<string, string>,
    platform: 'node',
    external: (id) => NOT_BUNDLED.test(id),
    plugins: [placed, untypedKubernetes, unmappedPackages],
    logLevel: 'warn',
    output: {
      dir: dirname(folder),
      format: 'esm',
      entryFileNames: `${basename(folder)}/[name].js`,
      chunkFileNames: `${CHUNKS}/[name]-[hash].mjs`,
      sourcemap: true,
      sourcemapExcludeSources: true,
      // Descriptions of packages are a sixth of all; licences stay.
      comments: { legal: true, annotation: false, jsdoc: false },
    },
  })
  return output
}

/** Bundles the programs if a source changed. @returns folder of the bundles */
export async function buildPrograms(): Promise<string> {
  const digest = digestOfSources()
  if (existsSync(STAMP) && readFileSync(STAMP, 'utf8') === digest) return DIST
  const output = await bundle(PROGRAMS, DIST)
  removeOld(new Set(output.map(({ fileName }) => fileName)))
  const chunks = output.filter((file) => file.type === 'chunk')
  const content = Object.fromEntries(chunks.map((one) => [one.fileName, describeChunk(one)]))
  writeFileSync(CONTENT, JSON.stringify(content, undefined, 1))
  writeFileSync(STAMP, digest)
  return DIST
}

if (import.meta.main) await buildPrograms()
