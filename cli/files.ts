/** Reads and writes the files of developer commands, and loads the certificates to trust. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { rootCertificatePath } from '../runtime/embedded/paths.ts'
import { certificatesOfPem } from '../domain/pem.ts'
import type { Trust } from './evidence/link-check.ts'
import { UsageError } from './usage.ts'

/** @throws UsageError when the file cannot be read */
export function readGiven(path: string, calledFrom: string): Uint8Array<ArrayBuffer> {
  try {
    return new Uint8Array(readFileSync(resolve(calledFrom, path)))
  } catch {
    throw new UsageError(`${path} cannot be read`)
  }
}

/** @throws UsageError when the file cannot be written */
export function writeMade(path: string, bytes: Uint8Array, calledFrom: string): void {
  try {
    writeFileSync(resolve(calledFrom, path), bytes)
  } catch {
    throw new UsageError(`${path} cannot be written`)
  }
}

/** @throws UsageError when the file cannot be read, or has no valid certificate */
function certificatesAt(path: string, calledFrom: string): Uint8Array[] {
  const text = new TextDecoder().decode(readGiven(path, calledFrom))
  let found: Uint8Array[]
  try {
    found = certificatesOfPem(text)
  } catch {
    throw new UsageError(`${path} contains a certificate that cannot be read`)
  }
  if (found.length === 0) throw new UsageError(`${path} contains no PEM certificate`)
  return found
}

/** The path of the root of the service on this machine, if there is one. */
function ownRoot(dataDirectory: string): string[] {
  const path = rootCertificatePath(dataDirectory)
  return existsSync(path) ? [path] : []
}

/**
 * Loads the given roots (PEM), or else the root of the service in the data directory.
 *
 * @throws UsageError when a file cannot be read or contains no certificate
 */
export function readTrust(
  paths: readonly string[],
  dataDirectory: string,
  calledFrom: string,
): { trust?: Trust } {
  const chosen = paths.length > 0 ? paths : ownRoot(dataDirectory)
  const certificates = chosen.flatMap((path) => certificatesAt(path, calledFrom))
  return certificates.length > 0 ? { trust: { certificates, origin: chosen.join(', ') } } : {}
}
