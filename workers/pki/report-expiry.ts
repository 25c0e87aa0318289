/** Reports when the certificates of the signing keys and the published revocation lists expire. */
import { publishedFile, publishedKey, type AuthorityName } from '../../domain/pki.ts'
import type { Metrics } from '../../domain/ports/metrics.ts'
import type { SigningKeyName } from '../../domain/ports/signing.ts'
import { readCertificate, readRevocationList } from '../../pades/index.ts'
import type { WorkerDeps } from '../deps.ts'
import { ownAuthorities, type Authority } from './authorities.ts'

export type ExpiryDeps = Pick<WorkerDeps, 'signingDevice' | 'objects' | 'metrics' | 'log'>

/** Keys whose certificates sign documents or other certificates. */
const KEYS = ['issuing-ca', 'seal', 'time-stamp-authority'] as const satisfies SigningKeyName[]
const MILLISECONDS_PER_SECOND = 1_000

async function reportKey(key: SigningKeyName, deps: ExpiryDeps, metrics: Metrics): Promise<void> {
  const { certificates } = await deps.signingDevice.describe(key)
  const ends = certificates.map((der) => readCertificate(der).notAfter.getTime())
  const seconds = Math.min(...ends) / MILLISECONDS_PER_SECOND
  metrics.set('sigcase_certificate_expiry_timestamp_seconds', { key }, seconds)
}

/** Returns when the published list ends, in milliseconds since 1970; undefined without a list. */
async function endOfList(
  { name, keyId }: Authority,
  { objects }: ExpiryDeps,
): Promise<number | undefined> {
  const stored = await objects.get(publishedKey(publishedFile(name, 'crl', keyId)))
  return stored && readRevocationList(stored.bytes).nextUpdate?.getTime()
}

/** @returns whether the issuing authority has published a list */
async function reportLists(deps: ExpiryDeps, metrics: Metrics): Promise<boolean> {
  const authorities = await ownAuthorities(deps.signingDevice)
  const first = new Map<AuthorityName, number>()
  for (const { issuing, root } of authorities) {
    for (const authority of [issuing, root]) {
      const endMs = await endOfList(authority, deps)
      const earlier = first.get(authority.name) ?? Number.POSITIVE_INFINITY
      if (endMs !== undefined) first.set(authority.name, Math.min(endMs, earlier))
    }
  }
  for (const [authority, endMs] of first) {
    const seconds = endMs / MILLISECONDS_PER_SECOND
    metrics.set('sigcase_revocation_list_expiry_timestamp_seconds', { authority }, seconds)
  }
  return first.has('issuing')
}

/**
 * Reads all certificates and lists, and reports when they expire. What cannot be read keeps its
 * last value: the canary reports keys that do not work.
 *
 * @returns whether the issuing authority has published a list, as it does soon after the start
 */
export async function reportExpiry(deps: ExpiryDeps): Promise<boolean> {
  const { metrics, log } = deps
  const noteFailure = (subject: string) => (error: unknown) => {
    log.info({ err: error, subject }, 'the expiry could not be read')
    return false
  }
  for (const key of KEYS) await reportKey(key, deps, metrics).catch(noteFailure(key))
  return reportLists(deps, metrics).catch(noteFailure('revocation lists'))
}
