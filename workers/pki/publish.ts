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
 *
 * @param list DER; absent when the authority has none
 * @param formers those before a current authority, whose list the plain name may still have;
 *   absent for an authority that is not current
 */
async function publishAuthority(
  authority: Authority,
  list: Uint8Array | undefined,
  formers: readonly Authority[] | undefined,
  deps: PublishDeps,
): Promise<void> {
  const { name, keyId, certificate } = authority
  const pieces: [PublishedKind, Uint8Array][] = [
    ['pem', new TextEncoder().encode(pemOfCertificate(certificate.der))],
    ['cer', certificate.der],
    ...(list ? [['crl', list] satisfies [PublishedKind, Uint8Array]] : []),
  ]
  for (const [kind, bytes] of pieces) {
    const piece = { bytes, contentType: PUBLISHED_TYPES[kind] }
    const publish = (file: string, issuers: readonly Authority[]) =>
      put(deps.objects, publishedKey(file), piece, (stored) => {
        if (kind !== 'crl' || stored.contentType !== PUBLISHED_TYPES.crl) return false
        const own = readOwnList(stored, issuers, deps)
        // A list must never be replaced by an older one of the same authority.
        return own?.issuer.keyId === keyId && isLaterList(own.list, readRevocationList(bytes))
      })
    await publish(publishedFile(name, kind, keyId), [authority])
    if (formers) await publish(publishedFile(name, kind), [authority, ...formers])
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
  const [present, ...formers] = await ownAuthorities(signingDevice)
  for (const own of [present, ...formers]) {
    const list = await currentRevocationList(own, deps, 0)
    const { root, issuing, rootLists } = own
    const before = own === present ? formers : undefined
    const formerIssuing = before?.map((former) => former.issuing)
    const formerRoots = before?.map((former) => former.root)
    await publishAuthority(issuing, list, formerIssuing, deps)
    await publishAuthority(root, rootLists[0], formerRoots, deps)
    authorities.push(described(root, rootLists.length > 0, baseUrl))
    authorities.push(described(issuing, true, baseUrl))
  }
  const description = { bytes: encodeJson({ authorities }), contentType: 'application/json' }
  await put(objects, AUTHORITIES_KEY, description)
}
