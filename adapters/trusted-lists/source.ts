/** Opens the configured source of trusted lists: a URL or a folder. */
import type { OutboundHttp } from '../../domain/ports/outbound-http.ts'
import type { TrustedListSource } from '../../domain/ports/trusted-lists.ts'
import { readAnchors } from './anchors.ts'
import { FileTrustedLists } from './file-source.ts'
import { HttpTrustedLists } from './http-source.ts'

export interface NamedSource {
  /** URL of the list of lists (http or https), or the path of a folder of files. */
  source: string
  /** File or folder with certificates. */
  anchorsPath: string
  publication?: string
}

/** @throws Error when the anchors cannot be read */
export function trustedListSource(
  { source, anchorsPath, publication }: NamedSource,
  outboundHttp: OutboundHttp,
): TrustedListSource {
  const certificates = readAnchors(anchorsPath)
  const anchors = { certificates, ...(publication !== undefined && { publication }) }
  const isAddress = /^https?:/.test(source)
  return isAddress
    ? new HttpTrustedLists(outboundHttp, source, anchors)
    : new FileTrustedLists(source, anchors)
}
