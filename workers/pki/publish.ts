/**
 * Publishes the service's own authorities: certificates, revocation lists, and an index of them.
 */
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
import type { StoredObject } from '../../domain/ports/object-store.ts'
import { readRevocationList } from '../../pades/index.ts'
import { ownAuthorities, type Authority } from './authorities.ts'
import {
  currentRevocationList,
  type ListStore,
  readOwnList,
  type RevocationListDeps,
  isLaterList,
} from './revocation-list.ts'

export interface PublishDeps extends RevocationListDeps {
  baseUrl: string
}

/**
 * Stores an object unless it is already stored or newer. When another process won the race, it
 * wrote the same or something newer.
 *
 * @param isNewer whether the stored object must not be replaced
 */
async function put(
  objects: ListStore,
  key: string,
  { bytes, contentType }: { bytes: Uint8Array; contentType: string },
  isNewer: (stored: StoredObject) => boolean = () => false,
) {
  const stored = await objects.get(key)
  if (stored && (Buffer.compare(stored.bytes, bytes) === 0 || isNewer(stored))) return
  await objects.compareAndSwap(key, bytes, { contentType, generation: stored?.generation })
}

/**
 * Publishes under the id of the key for ever, and under the plain name while the authority is
 * current.
 */
async function publishAuthority(
  authority: Authority,
  list: Uint8Array | undefined,
  isPresent: boolean,
  deps: PublishDeps,
): Promise<void> {
  const { name, keyId, certificate } = authority
  // A published list must never be replaced by an older one.
  const isNewer = (stored: StoredObject) => {
    if (!list || stored.contentType !== PUBLISHED_TYPES.crl) return false
    const own = readOwnList(stored, authority, deps)
    return own !== undefined && isLaterList(own, readRevocationList(list))
  }
  const pieces: [PublishedKind, Uint8Array][] = [
    ['pem', new TextEncoder().encode(pemOfCertificate(certificate.der))],
    ['cer', certificate.der],
    ...(list ? [['crl', list] satisfies [PublishedKind, Uint8Array]] : []),
  ]
  for (const [kind, bytes] of pieces) {
    const files = [publishedFile(name, kind, keyId)]
    if (isPresent) files.push(publishedFile(name, kind))
    for (const file of files) {
      const contentType = PUBLISHED_TYPES[kind]
      const piece = { bytes, contentType }
      await put(deps.objects, publishedKey(file), piece, kind === 'crl' ? isNewer : undefined)
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
 * Issues new revocation lists and publishes them with everything else that verifiers ask for.
 *
 * @throws Error when the key or the store fails
 */
export async function publishAuthorities(deps: PublishDeps): Promise<void> {
  const { objects, signingDevice, baseUrl } = deps
  const authorities: PublishedAuthority[] = []
  for (const [index, own] of (await ownAuthorities(signingDevice)).entries()) {
    const { root, issuing, rootLists } = own
    const list = await currentRevocationList(own, deps, 0)
    await publishAuthority(issuing, list, index === 0, deps)
    await publishAuthority(root, rootLists[0], index === 0, deps)
    authorities.push(described(root, rootLists.length > 0, baseUrl))
    authorities.push(described(issuing, true, baseUrl))
  }
  const description = { bytes: encodeJson({ authorities }), contentType: 'application/json' }
  await put(objects, AUTHORITIES_KEY, description)
}
