/** Reads certificates from a folder, and again after they were replaced. */
import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { certificatesOfPem } from '../../domain/pem.ts'
import type { SigningKeyName } from '../../domain/ports/signing.ts'
import { readRootList } from './authorities.ts'

interface KeyCertificates {
  certificates: readonly Uint8Array[]
  revocationLists: readonly Uint8Array[]
}

interface Read extends KeyCertificates {
  /** Distinguishes a file from its replacement. */
  identity: string
}

/** Certificates by the name of their key. */
export class KeyCertificatesFolder {
  readonly #folder: string
  readonly #read = new Map<SigningKeyName, Read>()

  constructor(folder: string) {
    this.#folder = folder
  }

  /** @throws Error when the key has no certificate */
  async read(name: SigningKeyName): Promise<KeyCertificates> {
    const path = join(this.#folder, `${name}.pem`)
    const identity = await stat(path).then(
      ({ ino, mtimeMs, size }) => `${ino} ${mtimeMs} ${size}`,
      () => undefined,
    )
    if (identity === undefined) throw new Error(`no certificate of ${name} found`)
    const known = this.#read.get(name)
    if (known?.identity === identity) return known
    const certificates = certificatesOfPem(await readFile(path, 'utf8'))
    if (certificates.length === 0) throw new Error(`no certificate of ${name} found`)
    const list = await readRootList(this.#folder, name)
    const revocationLists = list ? [list] : []
    const read = { identity, certificates, revocationLists }
    this.#read.set(name, read)
    return read
  }
}
