/** The samples of `/docs` compile, run, and send the request of their operation. */
import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import process from 'node:process'
import { promisify } from 'node:util'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import t, { type Test } from 'tap'
import { withCodeSamples, type CodeSample } from '../../../api/document/code-samples.ts'
import { CLIENT_PATHS, linkClient } from '../../clients/linked.ts'
import { compile, ROOT } from '../../clients/packed.ts'
import { missingPython, PYTHON_ENVIRONMENT } from '../../clients/python.ts'
import {
  codeBlocksOf,
  operationsOf,
  readDocument,
  type ApiDocument,
} from '../../fixtures/api-document.ts'
import { has } from '../../e2e/harness.ts'
import { SAMPLE_ENVIRONMENT, serveSamples } from '../../fixtures/sample-service.ts'

t.setTimeout(300_000)

const run = promisify(execFile)
const RUN_LIMIT_MS = 200_000
const LABELS = ['curl', 'TypeScript', 'Python']
/** It reads a stream without an end, so the server of this test refuses it. */
const ENDLESS = 'deviceEvents'

const noPython = await missingPython()
const noTypes = (await has('mypy')) ? false : 'there is no mypy'

type Sampled = Record<string, { source: string; label: string }>

/** Samples of one language by operation. */
function samplesOf(document: ApiDocument, label: string): Sampled {
  const entries = operationsOf(document).map(({ operation }) => {
    const samples = (operation as unknown as { 'x-codeSamples': CodeSample[] })['x-codeSamples']
    return [operation.operationId, samples.find((one) => one.label === label)] as const
  })
  return Object.fromEntries(entries) as Sampled
}

/** Samples of one language, and the scripts of "Getting started". */
function allOf(document: ApiDocument, label: string): Sampled {
  const blocks = codeBlocksOf(String(document.info['description']), label.toLowerCase())
  const scripts = blocks.map((source, index) => [`gettingStarted${index}`, { source, label }])
  return { ...samplesOf(withCodeSamples(document), label), ...Object.fromEntries(scripts) }
}

/** A folder with a file for each sample and the documents that samples read. */
async function writeSamples(t: Test, samples: Sampled, extension: string): Promise<string> {
  const folder = t.testdir({
    'contract.pdf': '%PDF-1.7',
    'contract-signed.pdf': '%PDF-1.7',
  })
  await linkClient(folder)
  for (const [id, { source: code }] of Object.entries(samples)) {
    await writeFile(join(folder, `${id}.${extension}`), `${code}\n`)
  }
  return folder
}

interface Language {
  label: string
  extension: string
  program: string
  /** Runs the samples that its arguments name, after telling the server which one comes. */
  runner: string
  file: string
  environment?: NodeJS.ProcessEnv
}

const SHELL: Language = {
  label: 'curl',
  extension: 'sh',
  program: 'sh',
  file: 'run-all',
  runner: `set -eu
for name in "$@"; do
  curl -sS -X POST "$SERVER/next/$name" >/dev/null
  sh "./$name.sh" >/dev/null || echo "$name"
done`,
}
const TYPESCRIPT: Language = {
  label: 'TypeScript',
  extension: 'ts',
  program: process.execPath,
  file: 'run-all.mjs',
  runner: `const failed = []
const { log } = console
console.log = () => {}
for (const name of process.argv.slice(2)) {
  await fetch(process.env.SERVER + '/next/' + name, { method: 'POST' })
  await import('./' + name + '.ts').catch((error) => {
    console.error(name, error)
    failed.push(name)
  })
}
log(failed.join('\\n'))`,
}
const PYTHON: Language = {
  label: 'Python',
  extension: 'py',
  program: 'python3',
  file: 'run-all.py',
  environment: PYTHON_ENVIRONMENT,
  runner: `import contextlib, io, os, runpy, sys
from urllib.request import Request, urlopen
for name in sys.argv[1:]:
    urlopen(Request(os.environ["SERVER"] + "/next/" + name, method="POST")).close()
    try:
        with contextlib.redirect_stdout(io.StringIO()):
            runpy.run_path(name + ".py")
    except Exception as error:
        print(name, repr(error), file=sys.stderr)
        print(name)`,
}

/** Runs all samples of a language. @returns the document with the calls, and what failed */
async function runSamples(t: Test, { label, extension, program, ...language }: Language) {
  const plain = await readDocument(t)
  const { origin, calls } = await serveSamples(t, plain)
  const document = withCodeSamples({ ...plain, servers: [{ url: origin }] })
  const samples = samplesOf(document, label)
  const folder = await writeSamples(t, samples, extension)
  await writeFile(join(folder, language.file), language.runner)
  const names = Object.keys(samples)
  const { stdout, stderr } = await run(program, [language.file, ...names], {
    cwd: folder,
    timeout: RUN_LIMIT_MS,
    env: {
      ...(language.environment ?? process.env),
      ...SAMPLE_ENVIRONMENT,
      SERVER: origin,
    },
  })
  const failed = stdout.split('\n').filter((line) => line !== '')
  return { document, calls, names, failed, stderr }
}

/** Every sample ended well and sent the request of its operation, with its token and body. */
async function checkSamples(t: Test, language: Language): Promise<void> {
  const { document, calls, names, failed, stderr } = await runSamples(t, language)
  t.same(failed, [ENDLESS], 'every sample ends well, but the refused one', { stderr })
  t.equal(names.length, operationsOf(document).length)
  const ajv = addFormats.default(new Ajv2020({ strict: false }))
  for (const { operation } of operationsOf(document)) {
    const { operationId, requestBody, security } = operation
    const call = calls.find((one) => one.sample === operationId && one.operationId === operationId)
    t.ok(call, `${operationId} sends its request`)
    const [scheme] = Object.keys(security[0] ?? {})
    const tokens = { tenant: 'tenant', signingLink: 'signing-link', device: 'device' }
    const token = tokens[scheme as keyof typeof tokens]
    const expected = token === undefined ? undefined : `Bearer token-of-${token}`
    t.equal(call?.authorization, expected, `${operationId} sends its token`)
    const { schema } = requestBody?.content['application/json'] ?? {}
    if (schema === undefined || call?.body === undefined) continue
    const isValid = ajv.compile({ ...schema, components: document.components })
    t.ok(isValid(call.body), `${operationId}: ${ajv.errorsText(isValid.errors)}`)
  }
}

t.test('every operation has a sample in three languages, openapi.json none', async (t) => {
  const document = await readDocument(t)
  t.notMatch(JSON.stringify(document), 'x-codeSamples')
  for (const { operation } of operationsOf(withCodeSamples(document))) {
    const samples = (operation as unknown as { 'x-codeSamples': CodeSample[] })['x-codeSamples']
    t.same(
      samples.map(({ label }) => label),
      LABELS,
      operation.operationId,
    )
  }
})

t.test('every operation is a method of our clients, in both languages', async (t) => {
  const document = await readDocument(t)
  for (const [language, name] of [
    ['TypeScript', /from '@sigcase\/client'/],
    ['Python', /^from sigcase import/m],
  ] as const) {
    for (const [id, { source }] of Object.entries(samplesOf(withCodeSamples(document), language))) {
      t.match(source, name, `${id} in ${language}`)
      t.notMatch(source, /fetch\(|urllib/, `${id} in ${language}`)
    }
  }
  const unknown = { '/new': { get: { operationId: 'new', responses: {} } } }
  t.throws(() => withCodeSamples({ paths: unknown }), /no method for new/)
})

t.test('the samples for curl send their requests', async (t) => {
  await checkSamples(t, SHELL)
})

t.test('the samples in TypeScript send their requests', async (t) => {
  await checkSamples(t, TYPESCRIPT)
})

t.test('the samples in Python send their requests', { skip: noPython }, async (t) => {
  await checkSamples(t, PYTHON)
})

t.test('the samples in TypeScript have no error of types', async (t) => {
  const samples = allOf(await readDocument(t), 'TypeScript')
  const folder = await writeSamples(t, samples, 'ts')
  const compilerOptions = {
    target: 'es2024',
    module: 'nodenext',
    strict: true,
    noEmit: true,
    noUnusedLocals: true,
    moduleDetection: 'force',
    allowImportingTsExtensions: true,
    lib: ['es2024', 'dom', 'dom.iterable', 'dom.asynciterable'],
    types: ['node'],
    typeRoots: [join(ROOT, 'node_modules/@types')],
    paths: CLIENT_PATHS,
  }
  const config = JSON.stringify({ compilerOptions, include: ['*.ts'] })
  await writeFile(join(folder, 'tsconfig.json'), config)
  // The compiler sees faults: this is the only one.
  await writeFile(
    join(folder, 'wrong.ts'),
    `import '@sigcase/client'\nexport const a: string = 1\n`,
  )
  await t.rejects(compile(folder), { message: /^\S+wrong\.ts\(2,14\): error TS2322.*\s*$/ })
})

t.test('the samples in Python have no error of types', { skip: noTypes }, async (t) => {
  const samples = allOf(await readDocument(t), 'Python')
  const folder = await writeSamples(t, samples, 'py')
  const files = Object.keys(samples).map((name) => `${name}.py`)
  const env = { ...process.env, MYPYPATH: join(ROOT, 'clients/python/src') }
  // Each is a module of its own, so one run can check all of them.
  const { stdout } = await run('mypy', ['--cache-dir', '.mypy', ...files], { cwd: folder, env })
  t.match(stdout, /^Success/)
})
