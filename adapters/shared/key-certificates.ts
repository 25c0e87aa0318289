/** Reads certificates from a folder, and again after they were replaced. */
import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { certificatesOfPem } from '../../domain/pem.ts'
import type { SigningKeyName } from '../../domain/ports/signing.ts'
import { readRootList, rootListOf } from './authorities.ts'
import { readWhole } from './damaged-file.ts'

interface KeyCertificates {
  certificates: readonly Uint8Array[]
  revocationLists: readonly Uint8Array[]
}

interface Read extends KeyCertificates {
  /** Distinguishes a file from its replacement. */
  identity: string
}

async function readChain(path: string): Promise<Uint8Array[]> {
  return certificatesOfPem(await readFile(path, 'utf8'))
}

/** Certificates by the name of their key. */
export class KeyCertificatesFolder {
  readonly #folder: string
  readonly #read = new Map<SigningKeyName, Read>()

  constructor(folder: string) {
    this.#folder = folder
  }

  /**
   * @throws DamagedFileError when a file is damaged
   * @throws Error when the key has no certificate
   */
  async read(name: SigningKeyName): Promise<KeyCertificates> {
    const path = join(this.#folder, `${name}.pem`)
    const identity = await stat(path).then(
      ({ ino, mtimeMs, size }) => `${ino} ${mtimeMs} ${size}`,
      () => undefined,
    )
    if (identity === undefined) throw new Error(`no certificate of ${name} found`)
    const known = this.#read.get(name)
    if (known?.identity === identity) return known
    const certificates = await readWhole(path, readChain)
    if (certificates.length === 0) throw new Error(`no certificate of ${name} found`)
    const list = await readWhole(join(this.#folder, rootListOf(name)), readRootList)
    const revocationLists = list ? [list] : []
    const read = { identity, certificates, revocationLists }
    this.#read.set(name, read)
    return read
  }
}
