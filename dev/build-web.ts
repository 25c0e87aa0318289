/**
 * `npm run build:web`: builds the static pages in `web/dist` if their sources changed. `npm start`
 * runs it first.
 */
import { createHash } from 'node:crypto'
import { cpSync, existsSync, globSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { build, Plugin } from 'vite'
import { listRendered, packagesOf } from './build-programs.ts'
import { scalarFolder, writeScalar } from './scalar-script.ts'

const ROOT = join(import.meta.dirname, '..')
const WEB = join(ROOT, 'web')
const DIST = join(WEB, 'dist')
/** File with the digest of all sources of the pages. */
const STAMP = join(DIST, 'sources.sha256')
const SOURCES = [
  'web/**/*.{ts,tsx,css,html,svg}',
  'domain/**/*.ts',
  'pades/appearance/*.ts',
  'dev/scalar-script.ts',
  'package-lock.json',
]
/** File with the folders of the packages that the pages contain. */
const PACKAGES = join(DIST, 'packages.json')
/** Their files are copied. */
const COPIED_PACKAGES = ['node_modules/@scalar/fastify-api-reference', 'node_modules/pdfjs-dist']
/** HTML template of every page; `{{folder}}` is replaced with the folder of its script. */
const TEMPLATE = join(WEB, 'page.html')
const FOLDERS: Readonly<Record<string, string>> = {
  'index.html': 'home',
  'sign/index.html': 'sign',
  'console/index.html': 'console',
  'docs/index.html': 'docs',
  'embed/index.html': 'embed',
  'fields/index.html': 'fields',
  'graphql/index.html': 'graphql',
  'kiosk/index.html': 'kiosk',
  'mailbox/index.html': 'mailbox',
  'verify/index.html': 'verify',
}
/** Web components that other sites load; each is one file, and its name does not change. */
const COMPONENTS = ['embed/sigcase-sign', 'embed/sigcase-fields']
/** Folders of pdf.js that it loads on demand. */
const READER_FILES = ['cmaps', 'standard_fonts', 'wasm', 'iccs']
const COMPRESSED = /\.(js|mjs|css|wasm|ttf|pfb|bcmap|icc)$/
/** Scripts of the pages and the reader, without those of the reference. */
const SCRIPT = /^assets\/[^/]+\.m?js$/
const QUALITY = 9
/** Takes 8 % off the reader of PDFs, which phones wait for, and some seconds of the build. */
const SCRIPT_QUALITY = 11
/** The bundler warns of slow plugins on a busy machine, which says nothing about the pages. */
const QUIET = { bundlerTimings: false }
/** Smaller files fit into one packet without compression. */
const MINIMUM_COMPRESSED_BYTES = 1_400

function digestOfSources(): string {
  const hash = createHash('sha256').update(readFileSync(import.meta.filename))
  const files = globSync(SOURCES, { cwd: ROOT, exclude: ['web/dist/**'] }).sort()
  for (const file of files) hash.update(`${file}\0`).update(readFileSync(join(ROOT, file)))
  return hash.digest('hex')
}

function readerVersion(): string {
  const manifest = join(ROOT, 'node_modules/pdfjs-dist/package.json')
  return (JSON.parse(readFileSync(manifest, 'utf8')) as { version: string }).version
}

function copyReaderFiles(folder: string): void {
  for (const name of READER_FILES) {
    cpSync(join(ROOT, 'node_modules/pdfjs-dist', name), join(DIST, folder, name), {
      recursive: true,
    })
  }
}

const gzipped = promisify(gzip)
const brotliCompressed = promisify(brotliCompress)

/** Writes a compressed variant in each format. */
async function compressFile(file: string): Promise<void> {
  const path = join(DIST, file)
  const bytes = readFileSync(path)
  if (bytes.length < MINIMUM_COMPRESSED_BYTES) return
  const quality = SCRIPT.test(file) ? SCRIPT_QUALITY : QUALITY
  const params = { [constants.BROTLI_PARAM_QUALITY]: quality }
  const [br, gz] = [brotliCompressed(bytes, { params }), gzipped(bytes, { level: 9 })]
  writeFileSync(`${path}.br`, await br)
  writeFileSync(`${path}.gz`, await gz)
}

/** Compresses larger files on all cores, so that the server need not compress them. */
async function compressFiles(): Promise<void> {
  const files = globSync('assets/**/*', { cwd: DIST }).filter((file) => COMPRESSED.test(file))
  await Promise.all(files.map(compressFile))
}

/** Pages that show a document: the reader of PDF files loads beside their script. */
const READING = new Set(['sign/index.html', 'embed/index.html'])
const READER_CHUNK = /^assets\/pdf-[\w-]+\.js$/
const READER_WORKER = /^assets\/pdf\.worker[\w.-]*\.mjs$/

const preload: Plugin = {
  name: 'preload-reader',
  transformIndexHtml: {
    order: 'post',
    handler(_html, { path, bundle = {} }) {
      if (!READING.has(path.replace(/^\//, ''))) return []
      const find = (pattern: RegExp) => Object.keys(bundle).find((file) => pattern.test(file))
      const [chunk, worker] = [find(READER_CHUNK), find(READER_WORKER)]
      if (chunk === undefined || worker === undefined) throw new Error('the reader is missing')
      const link = (attrs: Record<string, string>) =>
        ({ tag: 'link', attrs: { ...attrs, fetchpriority: 'low' }, injectTo: 'head' }) as const
      return [
        link({ rel: 'modulepreload', href: `/${chunk}` }),
        // Browsers have no way to preload a worker: it is found in the cache.
        link({ rel: 'preload', as: 'script', crossorigin: '', href: `/${worker}` }),
      ]
    },
  },
}

/** Vite plugin that provides the HTML documents, which do not exist as files. */
const documents: Plugin = {
  name: 'documents',
  enforce: 'pre',
  resolveId: (id) => (relative(WEB, id) in FOLDERS ? id : undefined),
  load(id) {
    const folder = FOLDERS[relative(WEB, id)]
    return folder && readFileSync(TEMPLATE, 'utf8').replace('{{folder}}', folder)
  },
}

const isBuiltFrom = (digest: string) => existsSync(STAMP) && readFileSync(STAMP, 'utf8') === digest

/** Whether the pages exist and no source of them changed since they were built. */
export const isWebBuilt = (): boolean => isBuiltFrom(digestOfSources())

type Built = Awaited<ReturnType<typeof build>>

/** @returns folders of the packages whose code or fonts are in what was built, from the root */
function listPackages(built: readonly Built[]): string[] {
  const outputs = built.flat().flatMap((one) => ('output' in one ? one.output : []))
  const paths = outputs.flatMap((file) =>
    file.type === 'chunk'
      ? listRendered(file)
      : file.originalFileNames.map((name) => join(WEB, name)),
  )
  const folders = packagesOf(paths.map((path) => relative(ROOT, path)))
  return [...new Set([...folders, ...COPIED_PACKAGES])].sort()
}

/** Builds the pages if a source changed. @returns the folder with the pages */
export async function buildWeb(): Promise<string> {
  const digest = digestOfSources()
  if (isBuiltFrom(digest)) return DIST
  rmSync(DIST, { recursive: true, force: true })
  // Imported here, because loading Vite takes longer than finding that the pages are up to date.
  const vite = await import('vite')
  const readerFolder = `assets/pdfjs-${readerVersion()}`
  const pages = await vite.build({
    configFile: false,
    root: WEB,
    publicDir: false,
    logLevel: 'warn',
    define: {
      READER_FOLDER: JSON.stringify(`/${readerFolder}/`),
      REFERENCE_SCRIPT: JSON.stringify(`/${scalarFolder()}/scalar.js`),
    },
    plugins: [documents, preload],
    oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
    build: {
      outDir: DIST,
      target: 'es2022',
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      chunkSizeWarningLimit: 3_000,
      rolldownOptions: {
        input: Object.keys(FOLDERS).map((page) => join(WEB, page)),
        checks: QUIET,
      },
    },
    worker: { format: 'es' },
  })
  const built = [pages]
  for (const component of COMPONENTS) {
    const script = await vite.build({
      configFile: false,
      root: WEB,
      publicDir: false,
      logLevel: 'warn',
      build: {
        outDir: DIST,
        emptyOutDir: false,
        target: 'es2022',
        lib: { entry: `${component}.ts`, formats: ['es'], fileName: () => `${component}.js` },
        rolldownOptions: { checks: QUIET },
      },
    })
    built.push(script)
  }
  copyReaderFiles(readerFolder)
  await writeScalar(join(DIST, scalarFolder()))
  await compressFiles()
  writeFileSync(PACKAGES, JSON.stringify(listPackages(built)))
  writeFileSync(STAMP, digest)
  return DIST
}

if (import.meta.main) await buildWeb()
