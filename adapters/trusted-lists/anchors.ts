/** Reads the certificates that may sign the list of lists from a file or a folder of files. */
import { Buffer } from 'node:buffer'
import { X509Certificate } from 'node:crypto'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { certificatesOfPem } from '../../domain/pem.ts'

const CERTIFICATE_FILE = /\.(cer|crt|der|pem)$/i
/** The Official Journal names fewer than ten certificates. */
const MAXIMUM_FILES = 100

function readCertificates(path: string): Uint8Array[] {
  const octets = readFileSync(path)
  const found = certificatesOfPem(octets.toString('latin1'))
  return found.length > 0 ? found : [new Uint8Array(new X509Certificate(octets).raw)]
}

/**
 * @param path a file with certificates in PEM or one in DER, or a folder of such files
 * @returns DER, at least one
 * @throws Error when there is none, there are too many files, or one cannot be read
 */
export function readAnchors(path: string): Uint8Array[] {
  const isFolder = statSync(path).isDirectory()
  const files = isFolder
    ? readdirSync(path)
        .filter((name) => CERTIFICATE_FILE.test(name))
        .map((name) => join(path, name))
    : [path]
  if (files.length > MAXIMUM_FILES) throw new Error(`too many anchors in ${path}`)
  const unique = new Map(
    files.flatMap(readCertificates).map((der) => [Buffer.from(der).toString('base64'), der]),
  )
  if (unique.size === 0) throw new Error(`no certificate in ${path}`)
  return [...unique.values()]
}
