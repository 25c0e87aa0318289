/** Has pkijs verify answers about the status of a certificate, and who gave them (RFC 6960). */

import { Buffer } from 'node:buffer'
import { BasicOCSPResponse, ResponseData } from 'pkijs'
import type { Certificate, SingleResponse } from 'pkijs'
import { hasWeakKey, keyOf, mayAnswer } from './certificate-facts.ts'
import type { JudgeEngine } from './engine.ts'
import { isInTime, namesOther, retainedSince } from './late-evidence.ts'
import { readRevokedInfo, type Revocation } from './revoked-entry.ts'

/** Certificates in an answer: the responder's and those of its path. */
const MAX_RESPONDERS = 5
const GOOD = 0
const REVOKED = 1

/** What answers are judged by. */
export interface AnswerRules {
  /** Whether a responder was not revoked when it answered. */
  readonly isGoodResponder: (
    responder: Certificate,
    issuer: Certificate,
    answeredAt: Date,
  ) => Promise<boolean>
  /** What is from later than this does not count. */
  readonly until?: Date
}

/** One of the statements of an answer, and the status that it gives to a certificate. */
interface Said {
  readonly single: SingleResponse
  readonly status: number
}

/** Verifies each answer once, also when several signatures of a document ask about it. */
export class AnswerJudge {
  readonly #engine: JudgeEngine
  readonly #rules: AnswerRules
  /** The responders whose key has signed an answer, by the issuer that authorises them. */
  readonly #authorised = new Map<BasicOCSPResponse, Map<string, Promise<Certificate[]>>>()

  constructor(engine: JudgeEngine, rules: AnswerRules) {
    this.#engine = engine
    this.#rules = rules
  }

  /** Whether a fresh answer of an authorised responder says that a certificate was not revoked. */
  async saysGood(
    answer: BasicOCSPResponse,
    certificate: Certificate,
    issuer: Certificate,
    at: Date,
  ): Promise<boolean> {
    try {
      const { producedAt } = answer.tbsResponseData
      const said = await this.#statuses(answer, certificate, issuer)
      const isGood = ({ single, status }: Said) =>
        status === GOOD &&
        (single.nextUpdate ?? producedAt) >= at &&
        !this.#isFuture(single) &&
        !namesOther(single.singleExtensions, certificate) &&
        isTimely(single, certificate)
      if (said.length === 0 || !said.every(isGood)) return false
      for (const responder of await this.#responders(answer, issuer)) {
        if (hasWeakKey(responder)) continue
        if (responder === issuer) return true
        if (await this.#rules.isGoodResponder(responder, issuer, producedAt)) return true
      }
      return false
    } catch {
      return false
    }
  }

  /** When an answer says that a certificate was not revoked, each time that it says so. */
  async timesOfGood(
    answer: BasicOCSPResponse,
    certificate: Certificate,
    issuer: Certificate,
  ): Promise<Date[]> {
    const times = singlesAbout(answer, certificate).map(({ thisUpdate }) => thisUpdate)
    const [first] = times
    return first && (await this.saysGood(answer, certificate, issuer, first)) ? times : []
  }

  /** Revocations of a certificate in an answer of an authorised responder. */
  async revocations(
    answer: BasicOCSPResponse,
    certificate: Certificate,
    issuer: Certificate,
  ): Promise<Revocation[]> {
    try {
      const said = await this.#statuses(answer, certificate, issuer)
      const revoking = said.filter(
        ({ single, status }) => status === REVOKED && !this.#isFuture(single),
      )
      if (revoking.length === 0) return []
      if ((await this.#responders(answer, issuer)).length === 0) return []
      return revoking.map(({ single }) => ({
        ...readRevokedInfo(single),
        saidAt: single.thisUpdate,
      }))
    } catch {
      return []
    }
  }

  #isFuture({ thisUpdate }: SingleResponse): boolean {
    return this.#rules.until !== undefined && thisUpdate > this.#rules.until
  }

  /** All that an answer says of a certificate; of several, pkijs reads only the first. */
  async #statuses(
    answer: BasicOCSPResponse,
    certificate: Certificate,
    issuer: Certificate,
  ): Promise<Said[]> {
    const said: Said[] = []
    for (const single of singlesAbout(answer, certificate)) {
      const alone = new BasicOCSPResponse({
        tbsResponseData: new ResponseData({ responses: [single] }),
      })
      const one = await alone.getCertificateStatus(certificate, issuer, this.#engine)
      if (one.isForCertificate) said.push({ single, status: one.status })
    }
    return said
  }

  /** Several signatures of a document ask about one certificate: each answer is verified once. */
  #responders(answer: BasicOCSPResponse, issuer: Certificate): Promise<Certificate[]> {
    const own = this.#authorised.get(answer) ?? new Map<string, Promise<Certificate[]>>()
    this.#authorised.set(answer, own)
    const key = keyOf(issuer)
    const known = own.get(key) ?? this.#findResponders(answer, issuer)
    own.set(key, known)
    return known
  }

  /** RFC 6960, 4.2.2.2: the issuer itself, or responders that it has certified. */
  async #findResponders(answer: BasicOCSPResponse, issuer: Certificate): Promise<Certificate[]> {
    const found: Certificate[] = []
    for (const responder of [issuer, ...(answer.certs ?? []).slice(0, MAX_RESPONDERS)]) {
      const isIssuer = responder === issuer
      if (!isIssuer && !mayAnswer(responder)) continue
      const signed = this.#engine.verifyWithPublicKey(
        Uint8Array.from(answer.tbsResponseData.tbsView),
        answer.signature,
        responder.subjectPublicKeyInfo,
        answer.signatureAlgorithm,
      )
      if (!(await signed.catch(() => false))) continue
      const isCertified = isIssuer || (await isBy(responder, issuer, this.#engine))
      if (isCertified) found.push(responder)
    }
    return found
  }
}

const isBy = (responder: Certificate, issuer: Certificate, engine: JudgeEngine) =>
  responder.verify(issuer, engine).catch(() => false)

const serialOf = (octets: Uint8Array) => Buffer.from(octets).toString('hex')

/** What an answer says of certificates with the serial number of one. */
function singlesAbout(answer: BasicOCSPResponse, { serialNumber }: Certificate): SingleResponse[] {
  const serial = serialOf(serialNumber.valueBlock.valueHexView)
  return answer.tbsResponseData.responses.filter(
    ({ certID }) => serialOf(certID.serialNumber.valueBlock.valueHexView) === serial,
  )
}

const isTimely = ({ thisUpdate, singleExtensions }: SingleResponse, certificate: Certificate) =>
  isInTime(thisUpdate, retainedSince(singleExtensions, certificate), certificate)
