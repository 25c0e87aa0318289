/**
 * `node dev/build-programs.ts`: bundles the service on one machine and the programs that it starts
 * into `runtime/dist` if their sources changed. `npm start` runs it first (decision 297).
 */
import { createHash } from 'node:crypto'
import { existsSync, globSync, readFileSync, statSync, writeFileSync, rmSync } from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'
import type { Plugin } from 'rolldown'

const ROOT = join(import.meta.dirname, '..')
const DIST = join(ROOT, 'runtime', 'dist')
/** File with the digest of all sources. */
const STAMP = join(DIST, 'sources.sha256')
/** The bundle of the service. */
const BUNDLED_SERVICE = 'runtime/dist/main.js'
/** Each program or thread, and its bundle. */
const PROGRAMS: Readonly<Record<string, string>> = {
  'runtime/embedded/main.ts': 'main',
  'adapters/drawings/child.ts': 'drawings',
  'adapters/embedded/objects/thread.ts': 'objects',
  'adapters/pdf-sandbox/child.ts': 'sandbox',
}
const SOURCES = [
  '{adapters,api,application,controllers,domain,runtime,workers}/**/*.{ts,json,graphql}',
  '{pades,trusted-lists}/**/*.{ts,json}',
  'package-lock.json',
]
/** They find their own files by their place. */
const NOT_BUNDLED = /^(pdfjs-dist|harfbuzzjs|deno|@google-cloud\/.*|google-gax|pino)(\/|$)/
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
    if (bundle !== undefined) return `new URL('${bundle}.js', import.meta.url)`
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
  for (const file of globSync('*.{js,js.map}', { cwd: DIST })) {
    const path = join(DIST, file)
    if (!current.has(file) && statSync(path).mtimeMs < leastMs) rmSync(path)
  }
}

/** Bundles the programs if a source changed. @returns path of the service's bundle */
export async function buildPrograms(): Promise<string> {
  const digest = digestOfSources()
  const service = join(ROOT, BUNDLED_SERVICE)
  if (existsSync(STAMP) && readFileSync(STAMP, 'utf8') === digest) return service
  // Imported here, because most starts find that nothing changed.
  const { build } = await import('rolldown')
  const input = Object.entries(PROGRAMS).map(([path, name]) => [name, join(ROOT, path)])
  const { output } = await build({
    cwd: ROOT,
    input: Object.fromEntries(input) as Record<string, string>,
    platform: 'node',
    external: (id) => NOT_BUNDLED.test(id),
    plugins: [placed, unmappedPackages],
    logLevel: 'warn',
    output: {
      dir: DIST,
      format: 'esm',
      entryFileNames: '[name].js',
      sourcemap: true,
      sourcemapExcludeSources: true,
    },
  })
  removeOld(new Set(output.map(({ fileName }) => basename(fileName))))
  writeFileSync(STAMP, digest)
  return service
}

if (import.meta.main) await buildPrograms()
