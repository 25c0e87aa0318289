/** Reads where EU trusted lists come from. */
import type { EnvironmentReader } from './reader.ts'

export interface TrustedListsConfig {
  /** URL of the list of lists (http or https), or the absolute path of a folder of files. */
  source: string
  /** Absolute path of the file or folder with the certificates that the Official Journal names. */
  anchorsPath: string
  /** URL of that publication, as in the list of lists. */
  publication?: string
}

/** Reads the variables about trusted lists; undefined without a source. */
export function readTrustedLists(reader: EnvironmentReader): TrustedListsConfig | undefined {
  const source = reader.get('TRUSTED_LISTS')
  const anchorsPath = reader.get('TRUSTED_LISTS_ANCHORS')
  const publication = reader.get('TRUSTED_LISTS_PUBLICATION')
  if (source === undefined) return undefined
  if (!reader.has('TRUSTED_LISTS_ANCHORS')) {
    reader.faults.push(
      'TRUSTED_LISTS_ANCHORS is required with TRUSTED_LISTS: the certificates that sign the list',
    )
  }
  if (anchorsPath === undefined) return undefined
  return { source, anchorsPath, ...(publication !== undefined && { publication }) }
}
