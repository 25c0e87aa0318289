/** Who may issue indirect revocation lists (RFC 5280, 6.3.3 (f)). */

import { Buffer } from 'node:buffer'
import type { Certificate } from '../cms/certificate-reader.ts'
import { findIssuer } from '../cms/issuers.ts'
import type { PathFinder } from '../cms/certification-path.ts'
import { compareOctets } from '../cms/der.ts'
import type { RevocationEvidence } from '../cms/revocation.ts'
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

/** A certificate that may issue lists about certificates of others, and why. */
export interface ListIssuer {
  readonly certificate: Certificate
  /** From the certificate up to the anchor. */
  readonly path: readonly Certificate[]
  /** Which of the path, from the first on, are known not to have been revoked. */
  readonly checked: readonly boolean[]
}

/** Gives those who may issue lists under a DER name about certificates of another issuer. */
export type FindPaths = (name: Uint8Array, at: Date, issuer: Certificate) => readonly ListIssuer[]

/**
 * Finds issuers of lists among certificates: each has a valid path to an anchor at that time, to
 * which the issuer of the certificate in question has a path, too; its key may sign lists, and
 * nothing on the path was revoked. An issuer of lists that only its own list says to be good is not
 * good: validating its path would need the list whose issuer is to be validated. Certificates that
 * an anchor has issued come first, so that others of the same name do not hide them.
 */
export function findListIssuers(trust: ListIssuerTrust): FindPaths {
  const verdicts = new Map<string, ListIssuer | undefined>()
  const candidates = new Map<string, readonly Certificate[]>()
  return (name, at, issuer) => {
    const nameKey = Buffer.from(name).toString('base64')
    const named = candidates.get(nameKey) ?? candidatesFor(name, trust)
    candidates.set(nameKey, named)
    return named.flatMap((certificate) => {
      const key = `${certificate.sha256} ${at.getTime()} ${issuer.sha256}`
      const found = verdicts.has(key)
        ? verdicts.get(key)
        : asListIssuer(certificate, { at, issuer, trust })
      verdicts.set(key, found)
      return found ?? []
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

interface Question {
  readonly at: Date
  /** The issuer of the certificates that the list is about. */
  readonly issuer: Certificate
  readonly trust: ListIssuerTrust
}

function asListIssuer(
  certificate: Certificate,
  { at, issuer, trust }: Question,
): ListIssuer | undefined {
  const { anchors, paths, certificates, evidence, acceptUncheckedRevocation } = trust
  const options = { intermediates: certificates, at, purpose: 'revocation-list' } as const
  const anchored = anchors.for('signature', at)
  const {
    anchored: isAnchored,
    problems,
    ...found
  } = paths.find(certificate, {
    ...options,
    anchors: anchored,
  })
  if (!isAnchored || problems.length > 0) return undefined
  // RFC 5280, 6.3.3 (f): the trust anchor must be that of the certificate in question.
  const anchor = found.certificates.slice(-1)
  if (!paths.find(issuer, { ...options, anchors: anchor }).anchored) return undefined
  const statuses = found.certificates
    .slice(0, -1)
    .map((one, index) => evidence.statusOf(one, found.certificates[index + 1], at).status)
  const isGood = statuses.every((status, index) => {
    const isUnknown = acceptUncheckedRevocation || !found.certificates[index].publishesRevocation
    return status === 'good' || (status !== 'revoked' && isUnknown)
  })
  const checked = statuses.map((status) => status === 'good')
  return isGood ? { certificate, path: found.certificates, checked } : undefined
}
