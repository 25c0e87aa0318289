/** Who may issue indirect revocation lists (RFC 5280, 6.3.3 (f)). */

import { Buffer } from 'node:buffer'
import type { Certificate } from '../cms/certificate-reader.ts'
import { findIssuer } from '../cms/certification-path.ts'
import type { PathFinder } from '../cms/certification-path.ts'
import { compareOctets } from '../cms/der.ts'
import type { FindListIssuers, RevocationEvidence } from '../cms/revocation.ts'
import type { Anchors } from './trust-anchors.ts'

/** Certificates of one name that are looked at, and those of them whose paths are searched. */
const MAX_NAMESAKES = 100
const MAX_CANDIDATES = 10

export interface ListIssuerTrust {
  readonly anchors: Anchors
  readonly paths: PathFinder
  /** From any origin; those that the caller gave come first. */
  readonly certificates: readonly Certificate[]
  /** Data that show whether an issuer was revoked; lists of others do not count there. */
  readonly evidence: RevocationEvidence
  readonly acceptUncheckedRevocation: boolean
}

/**
 * Finds issuers of lists among certificates: each has a valid path to an anchor at that time, its
 * key may sign lists, and nothing on the path was revoked. Certificates that an anchor has issued
 * come first, so that others of the same name do not hide them.
 */
export function findListIssuers(trust: ListIssuerTrust): FindListIssuers {
  const verdicts = new Map<string, boolean>()
  const candidates = new Map<string, readonly Certificate[]>()
  return (name, at) => {
    const nameKey = Buffer.from(name).toString('base64')
    const named = candidates.get(nameKey) ?? candidatesFor(name, trust)
    candidates.set(nameKey, named)
    return named.filter((certificate) => {
      const key = `${certificate.sha256} ${at.getTime()}`
      const verdict = verdicts.get(key) ?? mayIssueLists(certificate, at, trust)
      verdicts.set(key, verdict)
      return verdict
    })
  }
}

function candidatesFor(
  name: Uint8Array,
  { anchors, certificates }: ListIssuerTrust,
): readonly Certificate[] {
  const namesakes = certificates
    .filter(({ subject }) => compareOctets(subject, name) === 0)
    .slice(0, MAX_NAMESAKES)
  const isByAnchor = (one: Certificate) => findIssuer(anchors.certificates, one) !== undefined
  const byAnchors = new Set(namesakes.filter(isByAnchor))
  const others = namesakes.filter((one) => !byAnchors.has(one))
  return [...byAnchors, ...others].slice(0, MAX_CANDIDATES)
}

function mayIssueLists(
  certificate: Certificate,
  at: Date,
  { anchors, paths, certificates, evidence, acceptUncheckedRevocation }: ListIssuerTrust,
): boolean {
  const path = paths.find(certificate, {
    anchors: anchors.for('signature', at),
    intermediates: certificates,
    at,
    purpose: 'revocation-list',
  })
  if (!path.anchored || path.problems.length > 0) return false
  return path.certificates.slice(0, -1).every((one, index) => {
    const { status } = evidence.statusOf(one, path.certificates[index + 1], at)
    const isUnknown = acceptUncheckedRevocation || !one.publishesRevocation
    return status === 'good' || (status !== 'revoked' && isUnknown)
  })
}
