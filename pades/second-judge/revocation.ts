/** Has pkijs verify revocation lists and OCSP answers (RFC 5280, 6.3; RFC 6960, 3.2). */

import type { Certificate, CertificateRevocationList } from 'pkijs'
import { AnswerJudge } from './answer-judge.ts'
import { Answers } from './answers.ts'
import {
  hasSigned,
  hasWeakKey,
  isNeverChecked,
  isSelfIssued,
  keyOf,
  mayIssueLists,
  publishesRevocation,
} from './certificate-facts.ts'
import { JudgeEngine } from './engine.ts'
import { isInTime, retainedSince } from './late-evidence.ts'
import { ALL_REASONS, HOLD_REASON, reasonsInScope } from './list-scope.ts'
import { isListed, type List, readList, revocationsOf } from './lists.ts'
import type { Opinion } from './opinion.ts'
import { judgePath } from './path.ts'
import { readCertificate } from './read-certificate.ts'
import { HOLD, isRevokedAt, isUntimely, REMOVED, type Revocation } from './revoked-entry.ts'

/** Lists that are looked at for one document. */
const MAX_LISTS = 100
/** All lists of one document; our reader alone judges by what is beyond. */
const MAX_LIST_BYTES = 8 * 1_048_576

/** Lists and answers by which alone certificates are judged. */
const MAX_DIRECT = 100

/** The deltaCRLIndicator (RFC 5280, 5.2.4). */
const DELTA_INDICATOR = '2.5.29.27'

/** DER of lists and answers. */
export interface Evidence {
  readonly revocationLists: readonly Uint8Array[]
  readonly ocspResponses: readonly Uint8Array[]
  /** What is from later than this does not count. */
  readonly until?: Date
  /** Certificates that may be of other keys of an authority; both as DER. */
  readonly otherKeys?: (authority: Uint8Array) => readonly Uint8Array[]
  /** What our reader takes as enough to show that a certificate was not revoked; all as DER. */
  readonly directSources?: DirectSources
  /** Paths of those who may have issued a list about certificates of another issuer. */
  readonly listIssuers?: (list: Uint8Array, issuer: Uint8Array) => readonly ListIssuerPath[]
}

/** Gives lists and answers that the key of the issuer signed; undefined where others are needed. */
type DirectSources = (
  certificate: Uint8Array,
  issuer: Uint8Array,
  at: Date,
) => Pick<Evidence, 'revocationLists' | 'ocspResponses'> | undefined

/** The path of an issuer of lists, which our reader has found good. */
export interface ListIssuerPath {
  /** DER, from the issuer of the list up to the anchor. */
  readonly certificates: readonly Uint8Array[]
  /** Which of them, from the first on, our reader knows not to have been revoked. */
  readonly checked: readonly boolean[]
}

/** A certificate whose status is asked for, and its issuer, as DER. */
export interface StatusQuestion {
  readonly certificate: Uint8Array
  readonly issuer: Uint8Array
  /** When it must not have been revoked. */
  readonly at: Date
  /** Whether something must say that it was good; else nothing may say that it was revoked. */
  readonly mustBeGood?: boolean
}

/** Lists that are small enough, and can be read. */
function readLists(pieces: readonly Uint8Array[]): List[] {
  let left = MAX_LIST_BYTES
  return pieces.slice(0, MAX_LISTS).flatMap((der) => {
    if (der.length > left) return []
    left -= der.length
    try {
      return [readList(der)]
    } catch {
      return []
    }
  })
}

const isDelta = ({ crlExtensions }: CertificateRevocationList): boolean =>
  crlExtensions?.extensions.some(({ extnID }) => extnID === DELTA_INDICATOR) ?? false

function isInScope(list: CertificateRevocationList, certificate: Certificate): boolean {
  try {
    return reasonsInScope(list, certificate) !== 0
  } catch {
    return false
  }
}

/** A certificate of another key of an authority. */
interface OtherKey {
  readonly other: Certificate
  /** Whether this key has signed the authority's certificate. */
  readonly isAbove: boolean
}

/** Lists and answers that belong together, read once. */
export class EvidenceJudge {
  readonly #lists: readonly List[]
  readonly #answers: Answers
  readonly #hasEveryList: boolean
  readonly #deltas: readonly List[]
  readonly #otherKeys: NonNullable<Evidence['otherKeys']>
  readonly #listIssuers: NonNullable<Evidence['listIssuers']>
  readonly #directSources: DirectSources
  /** Judges by one list or answer alone. */
  readonly #direct = new Map<Uint8Array, EvidenceJudge>()
  readonly #until: Date | undefined
  readonly #engine = new JudgeEngine()
  readonly #answerJudge: AnswerJudge
  /** Whether a key has signed a list, by the list and the octets of the key. */
  readonly #signed = new Map<CertificateRevocationList, Map<string, Promise<boolean>>>()
  /** Other keys of an authority, by its octets. */
  readonly #rolled = new Map<string, Promise<OtherKey[]>>()

  constructor({
    revocationLists,
    ocspResponses,
    until,
    otherKeys = () => [],
    listIssuers = () => [],
    directSources = () => undefined,
  }: Evidence) {
    this.#until = until
    this.#directSources = directSources
    this.#otherKeys = otherKeys
    this.#listIssuers = listIssuers
    const lists = readLists(revocationLists)
    // pkijs does not combine lists, and takes a delta list for a complete one.
    const complete = lists.filter(({ list }) => !isDelta(list))
    const isTimely = ({ list }: List) => !until || list.thisUpdate.value <= until
    this.#lists = complete.filter(isTimely)
    this.#deltas = lists.filter((one) => !complete.includes(one) && isTimely(one))
    this.#answers = new Answers(ocspResponses)
    this.#answerJudge = new AnswerJudge(this.#engine, {
      ...(until && { until }),
      isGoodResponder: (...question) => this.#isGoodResponder(...question),
    })
    this.#hasEveryList = complete.length === revocationLists.length
  }

  /**
   * Whether something valid says that a certificate was not revoked: an answer, or lists that
   * together cover every reason (RFC 5280, 6.3.3 (l)). What says that it was revoked counts first.
   *
   * @returns `unknown` when not all of the evidence was looked at, nor what our reader relies on
   */
  async judge(question: StatusQuestion): Promise<Opinion> {
    const { certificate: der, issuer: issuerDer, at, mustBeGood = true } = question
    const certificate = readCertificate(der)
    const issuer = readCertificate(issuerDer)
    for (const one of await this.#revocations(certificate, issuer)) {
      if (!isRevokedAt(one, at)) continue
      if (!(await this.#hasEnded(one, certificate, issuer, at))) return 'wrong'
    }
    if (!mustBeGood) return 'right'
    if (await this.#hasGoodAnswer(certificate, issuer, at)) return 'right'
    let covered = await this.#reasonsOmitted(certificate, issuer, at)
    if (covered !== ALL_REASONS) covered |= await this.#byOtherKeys(certificate, issuerDer, at)
    if (covered !== ALL_REASONS) covered |= await this.#byListIssuers(certificate, issuerDer, at)
    if (covered === ALL_REASONS) return 'right'
    if (this.#hasEveryList && this.#answers.isWhole) return 'wrong'
    return this.#judgeDirectly(question)
  }

  /** Judges by what our reader relies on alone: what is beside it may be too much to look at. */
  async #judgeDirectly({ certificate, issuer, at }: StatusQuestion): Promise<Opinion> {
    const sources = this.#directSources(certificate, issuer, at)
    const [piece, ...more] = [
      ...(sources?.revocationLists ?? []),
      ...(sources?.ocspResponses ?? []),
    ]
    if (!sources || !piece) return 'unknown'
    const known = more.length === 0 ? this.#direct.get(piece) : undefined
    if (!known && this.#direct.size >= MAX_DIRECT) return 'unknown'
    const until = this.#until && { until: this.#until }
    const judge = known ?? new EvidenceJudge({ ...sources, ...until })
    this.#direct.set(piece, judge)
    return judge.judge({ certificate, issuer, at })
  }

  /** Reasons that lists of the authority's other keys cover. */
  async #byOtherKeys(certificate: Certificate, issuerDer: Uint8Array, at: Date): Promise<number> {
    const issuer = readCertificate(issuerDer)
    let covered = 0
    const key = Buffer.from(issuerDer).toString('base64')
    const rolled = this.#rolled.get(key) ?? this.#rolledOver(issuerDer, issuer)
    this.#rolled.set(key, rolled)
    const lists = this.#lists.filter(({ list }) => list.issuer.isEqual(issuer.subject))
    for (const { other, isAbove } of await rolled) {
      // A certificate above is part of the path; one below counts when its issuer says it is good.
      const mustBeGood = !isAbove && (publishesRevocation(other) || (mayIssueLists(issuer) ?? true))
      for (const { list } of lists) {
        const reasons = await this.#omittedBy(list, certificate, other, at)
        if (reasons === 0 || isListed(list, other)) continue
        const until = at > list.thisUpdate.value ? at : list.thisUpdate.value
        if (!mustBeGood || (await this.#isGood(other, issuer, until))) covered |= reasons
      }
    }
    return covered
  }

  /** Reasons that indirect lists of other authorities cover (6.3.3 (f)). */
  async #byListIssuers(certificate: Certificate, issuerDer: Uint8Array, at: Date): Promise<number> {
    let covered = 0
    for (const { list, der } of this.#lists) {
      if (list.issuer.isEqual(certificate.issuer)) continue
      for (const path of this.#listIssuers(der, issuerDer)) {
        const signer = readCertificate(path.certificates[0])
        const reasons = await this.#omitted(list, certificate, signer, at)
        if (reasons === 0 || !(await this.#isConfirmed(path, list.thisUpdate.value))) continue
        covered |= reasons
      }
    }
    return covered
  }

  async #isConfirmed({ certificates, checked }: ListIssuerPath, at: Date): Promise<boolean> {
    const parsed = certificates.map(readCertificate)
    if (mayIssueLists(parsed[0]) === false) return false
    for (const [index, isChecked] of checked.entries()) {
      const issuer = parsed[index + 1]
      if (isChecked && issuer && !(await this.#isGood(parsed[index], issuer, at))) return false
    }
    return (await judgePath(certificates, at)) === 'right'
  }

  /** Whether the issuer, with its own key, says that a certificate was not revoked. */
  async #isGood(certificate: Certificate, issuer: Certificate, at: Date): Promise<boolean> {
    return (
      (await this.#hasGoodAnswer(certificate, issuer, at)) ||
      (await this.#reasonsOmitted(certificate, issuer, at)) === ALL_REASONS
    )
  }

  async #hasGoodAnswer(certificate: Certificate, issuer: Certificate, at: Date): Promise<boolean> {
    for (const answer of this.#answers.about(certificate)) {
      if (await this.#answerJudge.saysGood(answer, certificate, issuer, at)) return true
    }
    return false
  }

  /** The reasons that lists cover that one key has signed. */
  async #reasonsOmitted(certificate: Certificate, signer: Certificate, at: Date): Promise<number> {
    let covered = 0
    for (const { list } of this.#lists) {
      covered |= await this.#omitted(list, certificate, signer, at)
    }
    return covered
  }

  /**
   * Certificates of the authority with other keys: one of both is self-issued, and the other's key
   * signed it (RFC 5280, 3.2).
   */
  async #rolledOver(der: Uint8Array, issuer: Certificate): Promise<OtherKey[]> {
    const others: OtherKey[] = []
    for (const other of this.#otherKeys(der).map(readCertificate)) {
      if (!other.subject.isEqual(issuer.subject) || !mayIssueLists(other)) continue
      const isBelow = isSelfIssued(other) && (await hasSigned(issuer, other, this.#engine))
      const isAbove = isSelfIssued(issuer) && (await hasSigned(other, issuer, this.#engine))
      if ((isBelow && !(await this.#isRevoked(other, issuer))) || isAbove) {
        others.push({ other, isAbove })
      }
    }
    return others
  }

  /**
   * Revocations of a certificate that the issuer has signed, on delta lists, too. A delta list may
   * have ended one that was a hold.
   */
  async #revocations(certificate: Certificate, issuer: Certificate): Promise<Revocation[]> {
    const found = await this.#listedRevocations(certificate, issuer)
    for (const answer of this.#answers.about(certificate)) {
      found.push(...(await this.#answerJudge.revocations(answer, certificate, issuer)))
    }
    const onDeltas = await this.#listedRevocations(certificate, issuer, this.#deltas)
    found.push(...onDeltas.filter(({ reason }) => reason !== REMOVED))
    return found.filter(({ reason }) => !(reason === HOLD && this.#deltas.length > 0))
  }

  /** Whether a hold had ended at a time, as the issuer said after the hold and until then. */
  async #hasEnded(
    { reason, saidAt }: Revocation,
    certificate: Certificate,
    issuer: Certificate,
    at: Date,
  ): Promise<boolean> {
    if (reason !== HOLD) return false
    const isBetween = (time: Date) => time > saidAt && time <= at
    for (const { list } of this.#lists) {
      const time = list.thisUpdate.value
      if (!isBetween(time)) continue
      if ((await this.#omitted(list, certificate, issuer, time)) & HOLD_REASON) return true
    }
    for (const answer of this.#answers.about(certificate)) {
      const times = await this.#answerJudge.timesOfGood(answer, certificate, issuer)
      if (times.some(isBetween)) return true
    }
    return false
  }

  async #listedRevocations(
    certificate: Certificate,
    issuer: Certificate,
    lists = this.#lists,
  ): Promise<Revocation[]> {
    const found: Revocation[] = []
    for (const { list } of lists) {
      if (!list.issuer.isEqual(issuer.subject)) continue
      const entries = revocationsOf(list, certificate)
      if (entries.length === 0 || !isInScope(list, certificate)) continue
      if (!(await this.#isSigned(list, issuer).catch(() => false))) continue
      found.push(...entries.map((one) => ({ ...one, saidAt: list.thisUpdate.value })))
    }
    return found
  }

  /** RFC 6960, 4.2.2.2.1. Lists alone say it: a responder does not vouch for itself. */
  async #isGoodResponder(responder: Certificate, issuer: Certificate, at: Date): Promise<boolean> {
    if (isNeverChecked(responder)) return true
    const revocations = await this.#listedRevocations(responder, issuer)
    if (revocations.some((one) => isRevokedAt(one, at) || isUntimely(one))) return false
    if (revocations.length > 0 || !publishesRevocation(responder)) return true
    return (await this.#reasonsOmitted(responder, issuer, at)) === ALL_REASONS
  }

  /** Whether a list that the issuer has signed names the certificate. */
  async #isRevoked(certificate: Certificate, issuer: Certificate): Promise<boolean> {
    for (const { list } of this.#lists) {
      if (!list.issuer.isEqual(issuer.subject) || !isListed(list, certificate)) continue
      if (await this.#isSigned(list, issuer).catch(() => false)) return true
    }
    return false
  }

  /** The reasons for which a list says that a certificate was not revoked; 0 when it does not. */
  async #omitted(
    list: CertificateRevocationList,
    certificate: Certificate,
    signer: Certificate,
    at: Date,
  ): Promise<number> {
    return list.issuer.isEqual(signer.subject) ? this.#omittedBy(list, certificate, signer, at) : 0
  }

  /** @param signer has the name of the issuer of the list */
  async #omittedBy(
    list: CertificateRevocationList,
    certificate: Certificate,
    signer: Certificate,
    at: Date,
  ): Promise<number> {
    const { nextUpdate, thisUpdate } = list
    if (!nextUpdate || nextUpdate.value < at) return 0
    const retained = retainedSince(list.crlExtensions?.extensions, certificate)
    if (!isInTime(thisUpdate.value, retained, certificate)) return 0
    try {
      if (
        hasWeakKey(signer) ||
        mayIssueLists(signer) === false ||
        !(await this.#isSigned(list, signer))
      )
        return 0
      const reasons = reasonsInScope(list, certificate)
      return isListed(list, certificate) ? 0 : reasons
    } catch {
      return 0
    }
  }

  /**
   * Several certificates of a document share a list, and anybody can put certificates into a file
   * that have the name and the key of an authority: each key is tried once.
   *
   * @param issuer has the name of the issuer of the list
   */
  #isSigned(list: CertificateRevocationList, issuer: Certificate): Promise<boolean> {
    const own = this.#signed.get(list) ?? new Map<string, Promise<boolean>>()
    this.#signed.set(list, own)
    const key = keyOf(issuer)
    const known = own.get(key) ?? list.verify({ issuerCertificate: issuer }, this.#engine)
    own.set(key, known)
    return known
  }
}
