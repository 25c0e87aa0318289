/** The package of the TypeScript client as tenants install it: built, packed and unpacked. */
import { execFile } from 'node:child_process'
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { promisify } from 'node:util'
import type { Test } from 'tap'
import { afterLastFile } from '../../dev/test-suite/teardowns.ts'

export const run = promisify(execFile)
export const ROOT = join(import.meta.dirname, '../..')
const COMPILER = join(ROOT, 'node_modules/typescript/bin/tsc')
/** What a tenant compiles with: the types of browsers and of Node's global objects. */
const TENANT_CONFIG = {
  compilerOptions: {
    target: 'es2023',
    lib: ['es2023', 'dom', 'dom.iterable', 'dom.asynciterable'],
    module: 'nodenext',
    strict: true,
    noEmit: true,
    allowImportingTsExtensions: true,
    exactOptionalPropertyTypes: true,
    noPropertyAccessFromIndexSignature: true,
    types: ['node'],
    typeRoots: [join(ROOT, 'node_modules/@types')],
  },
  include: ['**/*.ts'],
  exclude: ['node_modules'],
}

/** Runs the compiler; throws with its output when it complains. */
export async function compile(project: string): Promise<void> {
  // Several checkers repeat work of each other.
  const options = ['--pretty', 'false', '--singleThreaded']
  try {
    await run(process.execPath, [COMPILER, '-p', project, ...options])
  } catch (error) {
    throw new Error((error as { stdout: string }).stdout, { cause: error })
  }
}

export interface PackedClient {
  /** The package, or an application in which it is installed. */
  folder: string
  /** Files of the package. */
  files: string[]
}

/** Builds and packs the client, and unpacks it into a folder `package` as an installation does. */
async function packClient(): Promise<PackedClient> {
  const folder = await mkdtemp(join(tmpdir(), 'sigcase-client-'))
  afterLastFile(() => rm(folder, { recursive: true, force: true }))
  const source = join(folder, 'source')
  const client = join(ROOT, 'clients/typescript')
  await cp(client, source, { recursive: true, filter: (path) => path !== join(client, 'dist') })
  await compile(join(source, 'tsconfig.build.json'))
  const pack = ['pack', '--json', '--ignore-scripts', '--pack-destination', folder]
  const { stdout } = await run('npm', pack, { cwd: source })
  const said: unknown = JSON.parse(stdout)
  const [{ filename, files }] = (Array.isArray(said) ? said : Object.values(said as object)) as [
    { filename: string; files: { path: string }[] },
  ]
  await run('tar', ['-xzf', join(folder, filename), '-C', folder])
  return { folder: join(folder, 'package'), files: files.map(({ path }) => path).sort() }
}

/** Packed once for all files of this process. */
let packed: Promise<PackedClient> | undefined

/** Installs the client in an application that is removed after the test. */
export async function installClient(t: Test): Promise<PackedClient> {
  packed ??= packClient()
  const { folder: source, files } = await packed
  const folder = await mkdtemp(join(tmpdir(), 'sigcase-app-'))
  t.teardown(() => rm(folder, { recursive: true, force: true }))
  await cp(source, join(folder, 'node_modules/@sigcase/client'), { recursive: true })
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }')
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(TENANT_CONFIG))
  return { folder, files }
}
