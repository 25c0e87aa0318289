/** Publishes the service's own authorities: certificates, lists, and what they are called. */
import { Buffer } from 'node:buffer'
import {
  AUTHORITIES_KEY,
  publishedFile,
  publishedKey,
  PUBLISHED_TYPES,
  publishedUrls,
  type PublishedAuthority,
  type PublishedKind,
} from '../../domain/pki.ts'
import { encodeJson } from '../../domain/json-object.ts'
import { pemOfCertificate } from '../../domain/pem.ts'
import { readRevocationList } from '../../pades/index.ts'
import { ownAuthorities, type Authority } from './authorities.ts'
import {
  currentRevocationList,
  type ListStore,
  type RevocationListDeps,
} from './revocation-list.ts'

export interface PublishDeps extends RevocationListDeps {
  baseUrl: string
}

/** A list must never be followed by one that is older. */
const isOlder = (list: Uint8Array, stored: Uint8Array) =>
  readRevocationList(list).thisUpdate < readRevocationList(stored).thisUpdate

/** Another process that was first wrote the same, or something newer. */
async function put(objects: ListStore, key: string, bytes: Uint8Array, contentType: string) {
  const stored = await objects.get(key)
  if (stored && Buffer.compare(stored.bytes, bytes) === 0) return
  if (stored && contentType === PUBLISHED_TYPES.crl && isOlder(bytes, stored.bytes)) return
  await objects.compareAndSwap(key, bytes, { contentType, generation: stored?.generation })
}

/** Under the name of its key for ever, and under the plain name while it is the present one. */
async function publishAuthority(
  { name, keyId, certificate }: Authority,
  list: Uint8Array | undefined,
  isPresent: boolean,
  objects: ListStore,
): Promise<void> {
  const pieces: [PublishedKind, Uint8Array][] = [
    ['pem', new TextEncoder().encode(pemOfCertificate(certificate.der))],
    ['cer', certificate.der],
    ...(list ? [['crl', list] satisfies [PublishedKind, Uint8Array]] : []),
  ]
  for (const [kind, bytes] of pieces) {
    const files = [publishedFile(name, kind, keyId)]
    if (isPresent) files.push(publishedFile(name, kind))
    for (const file of files) {
      await put(objects, publishedKey(file), bytes, PUBLISHED_TYPES[kind])
    }
  }
}

function described({ name, keyId, certificate }: Authority, hasList: boolean, baseUrl: string) {
  const { crlUrl, issuerCertificateUrl } = publishedUrls(baseUrl, name, keyId)
  const authority: PublishedAuthority = {
    name,
    subject: certificate.subjectText,
    sha256: certificate.sha256,
    notBefore: certificate.notBefore.toISOString(),
    notAfter: certificate.notAfter.toISOString(),
    certificate: issuerCertificateUrl,
    ...(hasList ? { revocationList: crlUrl } : {}),
  }
  return authority
}

/**
 * Makes new lists of revoked certificates and publishes them with all that verifiers ask for.
 *
 * @throws Error when the key or the store fails
 */
export async function publishAuthorities(deps: PublishDeps): Promise<void> {
  const { objects, signingDevice, baseUrl } = deps
  const authorities: PublishedAuthority[] = []
  for (const [index, own] of (await ownAuthorities(signingDevice)).entries()) {
    const { root, issuing, rootLists } = own
    const list = await currentRevocationList(own, deps, 0)
    await publishAuthority(issuing, list, index === 0, objects)
    await publishAuthority(root, rootLists[0], index === 0, objects)
    authorities.push(described(root, rootLists.length > 0, baseUrl))
    authorities.push(described(issuing, true, baseUrl))
  }
  await put(objects, AUTHORITIES_KEY, encodeJson({ authorities }), 'application/json')
}
