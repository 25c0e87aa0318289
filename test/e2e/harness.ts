/**
 * What the end-to-end tests share: a folder that goes away, a client, a PDF, and the outside judge.
 */
import type { Buffer } from 'node:buffer'
import { execFile } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Test } from 'tap'
import { openWholeKeyring } from '../../adapters/embedded/keyring.ts'
import { FileObjectStore } from '../../adapters/embedded/object-store.ts'
import { mintTenantToken } from '../../adapters/jose/local-identity.ts'
import { readConfig, type Config } from '../../runtime/embedded/config.ts'
import { keyringFolder, rootCertificatePath } from '../../runtime/embedded/paths.ts'
import { Client } from './client.ts'

export const TENANT = 'acme'
const run = promisify(execFile)

/** A service on a busy machine can be cut off, and then writes until its last job has ended. */
const REMOVAL = { recursive: true, force: true, maxRetries: 20, retryDelay: 100 } as const

/** A data directory that is removed after the test. */
export async function dataDirectory(t: Pick<Test, 'teardown'>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'sigcase-'))
  t.teardown(() => rm(folder, REMOVAL))
  return folder
}

export const configFor = (folder: string, more: Record<string, string> = {}): Config =>
  readConfig({ PORT: '0', DATA_DIR: folder, LOG_LEVEL: 'error', ...more })

/** The objects of a service, seen beside it. */
export function openObjects(folder: string): FileObjectStore {
  const keyring = openWholeKeyring(keyringFolder(folder))
  const objects = join(folder, 'objects')
  return new FileObjectStore({ folder: objects, baseUrl: 'http://localhost', keyring })
}

/** A client of the tenant whose keys lie in the data directory. */
export async function clientFor(
  folder: string,
  baseUrl: () => string,
  patienceMs = 0,
): Promise<Client> {
  const token = await mintTenantToken(openWholeKeyring(keyringFolder(folder)), TENANT, new Date())
  return new Client({ baseUrl, token, patienceMs })
}

/** Whether a program is installed. */
export async function has(program: string): Promise<boolean> {
  try {
    await run(program, ['--version'])
    return true
  } catch (error) {
    return (error as { code?: unknown }).code !== 'ENOENT'
  }
}

/** Databases of `certutil` that trust one root, by that root in PEM. */
const databases = new Map<string, Promise<Map<string, Buffer>>>()

/** Makes the files of a database that trusts the root. */
async function buildDatabase(root: string): Promise<Map<string, Buffer>> {
  const folder = await mkdtemp(join(tmpdir(), 'sigcase-certutil-'))
  try {
    const file = join(folder, 'root.pem')
    await writeFile(file, root)
    await run('certutil', ['-N', '-d', folder, '--empty-password'])
    await run('certutil', ['-A', '-d', folder, '-n', 'root', '-t', 'CT,C,C', '-a', '-i', file])
    await rm(file)
    const names = await readdir(folder)
    return new Map(
      await Promise.all(
        names.map(async (name) => [name, await readFile(join(folder, name))] as const),
      ),
    )
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Writes the files of a database that trusts the root; `certutil` makes them once per root. */
async function writeDatabase(folder: string, root: string): Promise<void> {
  const building = databases.get(root) ?? buildDatabase(root)
  databases.set(root, building)
  const files = [...(await building)]
  await Promise.all(files.map(([name, bytes]) => writeFile(join(folder, name), bytes)))
}

/**
 * What `pdfsig` says of a PDF when the root of the data directory is trusted.
 *
 * @returns its sentences on signature and certificate, one pair per signature; it does not verify
 *   document time-stamps
 */
export async function judgedByPdfsig(
  pdf: Uint8Array,
  dataFolder: string,
): Promise<{ signature: string; certificate: string }[]> {
  const folder = await mkdtemp(join(tmpdir(), 'sigcase-pdfsig-'))
  try {
    const file = join(folder, 'signed.pdf')
    await writeFile(file, pdf)
    await writeDatabase(folder, await readFile(rootCertificatePath(dataFolder), 'utf8'))
    const { stdout } = await run('pdfsig', ['-nssdir', folder, file])
    const sentence = (part: string, name: string) =>
      new RegExp(`- ${name} Validation: (.*)`).exec(part)?.[1] as string
    return stdout
      .split(/^Signature #/m)
      .slice(1)
      .filter((part) => !part.includes('Signature Type: unknown'))
      .map((part) => ({
        signature: sentence(part, 'Signature'),
        certificate: sentence(part, 'Certificate'),
      }))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** The complaint of `qpdf --check`, or undefined when it has none. */
export async function complaintOfQpdf(pdf: Uint8Array): Promise<string | undefined> {
  const folder = await mkdtemp(join(tmpdir(), 'sigcase-qpdf-'))
  try {
    const file = join(folder, 'signed.pdf')
    await writeFile(file, pdf)
    await run('qpdf', ['--check', file])
    return undefined
  } catch (error) {
    return String((error as { stderr?: string }).stderr ?? error)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
