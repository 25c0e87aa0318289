/** Reads where EU trusted lists come from. */
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import type { EnvironmentReader } from './reader.ts'

export interface TrustedListsConfig {
  /** URL of the list of lists (http or https), or the absolute path of a folder of files. */
  source: string
  /** Absolute path of the file or folder with the certificates that the Official Journal names. */
  anchorsPath: string
  /** URL of that publication, as in the list of lists. */
  publication?: string
}

const HTTP_URL = /^https?:\/\//

/** Keeps the text unchanged, because the library compares it literally with the list of lists. */
const parseUrl = (text: string) => (HTTP_URL.test(text) && URL.parse(text) ? text : undefined)

/** Reads the variables about trusted lists; undefined without a source. */
export function readTrustedLists(reader: EnvironmentReader): TrustedListsConfig | undefined {
  const readText = (name: string, parse: (text: string) => string | undefined, wanted: string) =>
    reader.read<string | undefined>(name, undefined, wanted, parse)
  const source = readText(
    'TRUSTED_LISTS',
    (text) => (/^[a-z]+:\/\//i.test(text) ? parseUrl(text) : resolve(text)),
    'a folder, or an http or https URL',
  )
  const anchorsPath = readText(
    'TRUSTED_LISTS_ANCHORS',
    (text) => (existsSync(text) ? resolve(text) : undefined),
    'an existing file or folder',
  )
  const publication = readText('TRUSTED_LISTS_PUBLICATION', parseUrl, 'an http or https URL')
  if (source === undefined) return undefined
  if (!reader.has('TRUSTED_LISTS_ANCHORS')) {
    reader.faults.push(
      'TRUSTED_LISTS_ANCHORS is required with TRUSTED_LISTS: the certificates that sign the list',
    )
  }
  if (anchorsPath === undefined) return undefined
  return { source, anchorsPath, ...(publication !== undefined && { publication }) }
}
