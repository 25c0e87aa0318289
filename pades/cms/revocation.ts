/**
 * Determines from CRLs and OCSP answers whether a certificate was revoked (RFC 5280, 6.3; RFC
 * 6960).
 */

import { Buffer } from 'node:buffer'
import { KEY_USAGE } from './certificate-reader.ts'
import type { Certificate } from './certificate-reader.ts'
import { compareOctets } from './der.ts'
import { combinedRevocation, completes, newestOf, replaces } from './delta-list.ts'
import { ALL_REASONS, reasonsCovered } from './distribution-points.ts'
import { keyStrength } from './key-strength.ts'
import { isAbove } from './other-keys.ts'
import type { FindOtherKeys } from './other-keys.ts'
import type { OcspResponse } from './ocsp-reader.ts'
import { readOcspResponse } from './ocsp-reader.ts'
import { OID } from './object-identifiers.ts'
import { isNeverChecked } from './responders.ts'
import { readRevocationList } from './revocation-list-reader.ts'
import type { RevocationList } from './revocation-list-reader.ts'
import { isUntimely } from './revocation-list.ts'
import { statusBy } from './revocation-statements.ts'
import type { RevocationStatus, Statement } from './revocation-statements.ts'
import { knownAlgorithm, signatureIsRight, WEAK_HASHES } from './signature-algorithms.ts'

/** Lists and answers looked at for one document, and signatures of them that are verified. */
const MAX_PIECES = 1_000
const MAX_SIGNATURES_TRIED = 500

/** DER of revocation data, as it is handed in or found. */
export interface RevocationData {
  readonly revocationLists: readonly Uint8Array[]
  readonly ocspResponses: readonly Uint8Array[]
}

/**
 * Gives the certificates that are trusted, at a time, to issue lists under a DER name about
 * certificates of another issuer.
 */
export type FindListIssuers = (
  name: Uint8Array,
  at: Date,
  issuer: Certificate,
) => readonly Certificate[]

/** Who signed a list. */
interface ListSigner {
  readonly signer: Certificate
  /** Whether the key is known not to be revoked; without that, only revocations count. */
  readonly isKnown: boolean
}

/** Whom one believes, beside the issuer itself. */
interface Delegates {
  /** Gives the certificate of another key that signed a list. */
  readonly otherSigner: (list: RevocationList) => ListSigner | undefined
  /** Whether a responder was not revoked when it answered. */
  readonly isGoodResponder: (responder: Certificate, at: Date) => boolean
}

/** The issuer is believed alone, in questions about such delegates. */
const ISSUER_ALONE: Delegates = { otherSigner: () => undefined, isGoodResponder: () => false }

/** For which reasons a list covers a certificate never changes: names are compared once. */
const reasonsOfLists = new WeakMap<RevocationList, WeakMap<Certificate, ReadonlySet<number>>>()

function reasonsOf(list: RevocationList, certificate: Certificate): ReadonlySet<number> {
  const known = reasonsOfLists.get(list) ?? new WeakMap<Certificate, ReadonlySet<number>>()
  reasonsOfLists.set(list, known)
  const reasons = known.get(certificate) ?? readReasons(list, certificate)
  known.set(certificate, reasons)
  return reasons
}

/** What cannot be read is about nothing. */
function readReasons(list: RevocationList, certificate: Certificate): ReadonlySet<number> {
  try {
    return reasonsCovered(list, certificate)
  } catch {
    return new Set()
  }
}

/** Whether a key has signed a piece never changes: it is verified once. Keys by their octets. */
const verdictsOfPieces = new WeakMap<object, Map<string, boolean>>()

/** Revocation data that belongs together; what is learnt of it is kept. */
export class RevocationEvidence {
  readonly #lists: readonly RevocationList[]
  readonly #responses: readonly OcspResponse[]
  readonly #until: Date | undefined
  readonly #listIssuers: FindListIssuers
  readonly #otherKeys: FindOtherKeys
  #tried = 0

  /**
   * @param data what cannot be read is passed over, as if it were not there
   * @param until what is from later than this is passed over
   * @param listIssuers finds who may issue a list about the certificates of others
   * @param otherKeys finds other keys of an authority, which may sign its lists
   */
  constructor(
    { revocationLists, ocspResponses }: RevocationData,
    until?: Date,
    listIssuers: FindListIssuers = () => [],
    otherKeys: FindOtherKeys = () => [],
  ) {
    this.#lists = readAll(revocationLists, readRevocationList)
    this.#responses = readAll(ocspResponses, readOcspResponse)
    this.#until = until
    this.#listIssuers = listIssuers
    this.#otherKeys = otherKeys
  }

  /** Whether there is nothing in it that can be read. */
  get isEmpty(): boolean {
    return this.#lists.length === 0 && this.#responses.length === 0
  }

  /**
   * Whether a certificate was revoked, according to these data. A statement that it was revoked
   * counts whenever it was made; that it was not counts for every `at` until the next update. Made
   * after the certificate expired, it counts only where it would still name it (RFC 5280, 3.3).
   *
   * @param issuer whose certificate is known to have issued it
   */
  statusOf(certificate: Certificate, issuer: Certificate, at: Date): RevocationStatus {
    const otherSigner = (list: RevocationList) => this.#rolledOver(list, issuer, at)
    return this.#statusBy(certificate, issuer, at, {
      otherSigner,
      isGoodResponder: (responder, answeredAt) =>
        this.#isGoodResponder(responder, issuer, answeredAt, otherSigner),
    })
  }

  #statusBy(
    certificate: Certificate,
    issuer: Certificate,
    at: Date,
    delegates: Delegates,
  ): RevocationStatus {
    const statements = [
      ...this.#lists.flatMap((list) => this.#listed(list, certificate, issuer, delegates)),
      ...this.#responses.flatMap((one) => this.#answered(one, certificate, issuer, delegates)),
    ].filter(({ thisUpdate }) => !this.#until || thisUpdate <= this.#until)
    return statusBy(statements, at)
  }

  #listed(
    list: RevocationList,
    certificate: Certificate,
    issuer: Certificate,
    { otherSigner }: Delegates,
  ): Statement[] {
    if (list.isPartial) return []
    if (list.baseNumber) return this.#listedOnDelta(list, certificate, issuer)
    const covered = reasonsOf(list, certificate)
    if (covered.size === 0) return []
    const isOwn = compareOctets(list.issuer, issuer.subject) === 0
    const signers = isOwn ? [issuer] : this.#listIssuers(list.issuer, list.thisUpdate, issuer)
    const direct = signers.find((one) => this.#isListBy(list, one))
    const other = !direct && isOwn ? otherSigner(list) : undefined
    const found = direct ? { signer: direct, isKnown: true } : other
    if (!found) return []
    const { signer, isKnown } = found
    const delta = this.#deltaOf(list, signer)
    const entryWith = (newest?: RevocationList) => combinedRevocation(list, newest, certificate)
    // A hold that the delta list ended was one until then.
    const hasEndedHold = delta && !entryWith(delta) && entryWith()
    return (hasEndedHold ? [undefined, delta] : [delta]).flatMap((newest) => {
      const source = newest ?? list
      const { thisUpdate, nextUpdate } = source
      // A list from before the certificate was issued cannot contain it.
      if (thisUpdate < certificate.notBefore) return []
      const { revokedAt, reason = 'unspecified' } = entryWith(newest) ?? { revokedAt: undefined }
      const isRetained = isInTime(source, certificate)
      const isDirect = signer === issuer && !newest
      const said = { source, thisUpdate, nextUpdate, revokedAt, reason, isRetained, isDirect }
      return [{ ...said, isKnown: isKnown && !hasWeakKey(signer), covered }]
    })
  }

  /**
   * A revocation on a delta list counts by itself, also where the complete list is not there or is
   * a newer one. Elsewhere a delta list counts only together with a complete one. A hold may have
   * ended: it counts unless a complete list says what became of it.
   */
  #listedOnDelta(
    delta: RevocationList,
    certificate: Certificate,
    issuer: Certificate,
  ): Statement[] {
    const entry = combinedRevocation(delta, undefined, certificate)
    if (!entry || entry.reason === 'removeFromCRL') return []
    const covered = reasonsOf(delta, certificate)
    const isOwn = compareOctets(delta.issuer, issuer.subject) === 0
    if (!isOwn || covered.size === 0 || !this.#isListBy(delta, issuer)) return []
    const isReplaced = (one: RevocationList) =>
      (completes(delta, one) || replaces(one, delta)) && this.#isListBy(one, issuer)
    if (entry.reason === 'certificateHold' && this.#lists.some(isReplaced)) return []
    const { thisUpdate, nextUpdate } = delta
    const said = { source: delta, thisUpdate, nextUpdate, ...entry }
    return [{ ...said, isKnown: false, isRetained: false, isDirect: false, covered }]
  }

  /**
   * The certificate of another key of the same authority that signed a list. RFC 5280 lets an
   * authority sign its lists with a newer key, an older one or one for lists alone. The certificate
   * of that key must say that it may sign lists, and the key must not be revoked (6.3.3 (f)).
   */
  #rolledOver(list: RevocationList, issuer: Certificate, at: Date): ListSigner | undefined {
    const signers = this.#otherKeys(issuer).filter(
      (one) =>
        one.keyUsage?.has(KEY_USAGE.crlSign) === true &&
        this.#isListBy(list, one) &&
        !isListed(list, one) &&
        !this.#lists.some((own) => this.#isListBy(own, issuer) && isListed(own, one)),
    )
    const until = at > list.thisUpdate ? at : list.thisUpdate
    const known = signers.find(
      (one) => isAbove(one, issuer) || this.#isKnownGood(one, issuer, until),
    )
    const signer = known ?? signers.at(0)
    return signer && { signer, isKnown: known !== undefined }
  }

  /**
   * Whether the issuer itself, with its own key, says that another key was not revoked. An issuer
   * whose key may not sign lists need not say it of a key that publishes no revocation.
   */
  #isKnownGood(other: Certificate, issuer: Certificate, at: Date): boolean {
    const mayBeRevoked = other.publishesRevocation || maySignLists(issuer)
    return !mayBeRevoked || this.#statusBy(other, issuer, at, ISSUER_ALONE).status === 'good'
  }

  /** The newest delta list that the same authority issued for a complete list. */
  #deltaOf(list: RevocationList, signer: Certificate): RevocationList | undefined {
    const until = this.#until
    const deltas = this.#lists.filter(
      (one) =>
        completes(one, list) && !(until && one.thisUpdate > until) && this.#isListBy(one, signer),
    )
    return newestOf(deltas)
  }

  #isListBy(list: RevocationList, signer: Certificate): boolean {
    return (
      isWithin(list.thisUpdate, signer) && maySignLists(signer) && this.#isSignedBy(list, signer)
    )
  }

  #answered(
    answer: OcspResponse,
    certificate: Certificate,
    issuer: Certificate,
    { isGoodResponder }: Delegates,
  ): Statement[] {
    const said = answer.statusOf(certificate, issuer)
    if (!said || said.thisUpdate < certificate.notBefore) return []
    const responders = [issuer, ...answer.certificates].filter((one) => answer.isBy(one))
    const authorised = responders.filter(
      (one) =>
        isWithin(answer.producedAt, one) &&
        (one === issuer || this.#isDelegate(one, issuer)) &&
        this.#isSignedBy(answer, one),
    )
    if (authorised.length === 0) return []
    const isGood = (one: Certificate) =>
      !hasWeakKey(one) &&
      (one === issuer || isNeverChecked(one) || isGoodResponder(one, answer.producedAt))
    const { thisUpdate, nextUpdate, revokedAt, reason, status } = said
    // An answer without the time of the next update is for the moment it was made (4.2.2.1).
    const until = nextUpdate ?? answer.producedAt
    return [
      {
        source: answer,
        thisUpdate,
        nextUpdate: until,
        revokedAt,
        reason,
        isKnown: status === 'good' && authorised.some(isGood),
        isRetained: said.hasDigest || isInTime(said, certificate),
        isDirect: authorised.includes(issuer),
        covered: ALL_REASONS,
      },
    ]
  }

  /** RFC 6960, 4.2.2.2: issued by the authority itself, for nothing but answering. */
  #isDelegate(responder: Certificate, issuer: Certificate): boolean {
    return (
      compareOctets(responder.issuer, issuer.subject) === 0 &&
      responder.extendedKeyUsage?.includes(OID.ocspSigning) === true &&
      this.#isSignedBy(responder, issuer)
    )
  }

  /**
   * Whether a responder was not revoked when it answered (RFC 6960, 4.2.2.2.1). Where its issuer
   * publishes nothing about it, it counts unless something says that it was revoked.
   *
   * @param at when it answered; any time if its key may have been in wrong hands
   */
  #isGoodResponder(
    responder: Certificate,
    issuer: Certificate,
    at: Date,
    otherSigner: Delegates['otherSigner'],
  ): boolean {
    const delegates = { ...ISSUER_ALONE, otherSigner }
    const { status, revokedAt, reason } = this.#statusBy(responder, issuer, at, delegates)
    if (revokedAt) return revokedAt > at && !isUntimely(reason)
    return status === 'good' || !responder.publishesRevocation
  }

  #isSignedBy(piece: RevocationList | OcspResponse | Certificate, signer: Certificate): boolean {
    const verdicts = verdictsOfPieces.get(piece) ?? new Map<string, boolean>()
    verdictsOfPieces.set(piece, verdicts)
    const key = Buffer.from(signer.publicKeySpki).toString('base64')
    const known = verdicts.get(key)
    if (known !== undefined) return known
    if (++this.#tried > MAX_SIGNATURES_TRIED) return false
    const { signatureAlgorithm, toBeSigned, signature } = piece
    const algorithm = knownAlgorithm(signatureAlgorithm)
    const isStrong = algorithm !== undefined && !WEAK_HASHES.has(algorithm.hash)
    const verdict = isStrong && signatureIsRight(algorithm, signer, toBeSigned, signature) === true
    verdicts.set(key, verdict)
    return verdict
  }
}

/**
 * Whether an authority issued the list: its name and its signature are the authority's. The time of
 * the list is not judged.
 */
export function isListOf(list: RevocationList, issuer: Certificate): boolean {
  const { signatureAlgorithm, toBeSigned, signature } = list
  const algorithm = knownAlgorithm(signatureAlgorithm)
  if (!algorithm || compareOctets(list.issuer, issuer.subject) !== 0) return false
  return signatureIsRight(algorithm, issuer, toBeSigned, signature) === true
}

/** Whether the list says that the certificate was revoked; one that cannot be read may say so. */
function isListed(list: RevocationList, certificate: Certificate): boolean {
  try {
    return combinedRevocation(list, undefined, certificate) !== undefined
  } catch {
    return true
  }
}

/** What others may have forged shows nothing, but that a certificate was revoked. */
const hasWeakKey = ({ publicKeyKind }: Certificate): boolean =>
  keyStrength(publicKeyKind) === 'weak'

/** RFC 5280, 4.2.1.3: without a key usage, a key may be used for everything. */
const maySignLists = ({ keyUsage }: Certificate): boolean =>
  keyUsage?.has(KEY_USAGE.crlSign) ?? true

/** Whether a piece is from before a certificate expired, or still names those that expired then. */
const isInTime = (
  { thisUpdate, retainedSince }: Pick<RevocationList, 'thisUpdate' | 'retainedSince'>,
  { notAfter }: Certificate,
): boolean => thisUpdate <= notAfter || (retainedSince !== undefined && retainedSince <= notAfter)

const isWithin = (time: Date, { notBefore, notAfter }: Certificate) =>
  time >= notBefore && time <= notAfter

function readAll<T>(pieces: readonly Uint8Array[], read: (der: Uint8Array) => T): T[] {
  return pieces.slice(0, MAX_PIECES).flatMap((der) => {
    try {
      return [read(der)]
    } catch {
      return []
    }
  })
}
