/** Reads a file with the certificate authorities that a server's certificate must chain to. */
import { readFileSync } from 'node:fs'
import { certificatesOfPem } from '../../domain/pem.ts'
import type { EnvironmentReader } from './reader.ts'

function parseAuthorities(path: string): string | undefined {
  try {
    const text = readFileSync(path, 'utf8')
    return certificatesOfPem(text).length > 0 ? text : undefined
  } catch {
    return undefined
  }
}

/** @returns the text of the PEM file that the variable names; undefined when it is absent */
export function readAuthoritiesFile(reader: EnvironmentReader, name: string): string | undefined {
  return reader.read<string | undefined>(
    name,
    undefined,
    'a file with certificates in PEM',
    parseAuthorities,
  )
}
