/** Has pkijs verify answers about the status of a certificate, and who gave them (RFC 6960). */

import type { BasicOCSPResponse, Certificate } from 'pkijs'
import { keyOf, mayAnswer } from './certificate-facts.ts'
import type { JudgeEngine } from './engine.ts'

/** Certificates in an answer: the responder's and those of its path. */
const MAX_RESPONDERS = 5
const GOOD = 0

/** Verifies each answer once, also when several signatures of a document ask about it. */
export class AnswerJudge {
  readonly #engine: JudgeEngine
  /** Whether a key, or one that it has certified, has signed an answer. */
  readonly #authorised = new Map<BasicOCSPResponse, Map<string, Promise<boolean>>>()

  constructor(engine: JudgeEngine) {
    this.#engine = engine
  }

  /** Whether a fresh answer of an authorised responder says that a certificate was not revoked. */
  async saysGood(
    answer: BasicOCSPResponse,
    certificate: Certificate,
    issuer: Certificate,
    at: Date,
  ): Promise<boolean> {
    try {
      const { producedAt, responses } = answer.tbsResponseData
      const isFresh = responses.some(({ nextUpdate }) => (nextUpdate ?? producedAt) >= at)
      if (!isFresh) return false
      const said = await answer.getCertificateStatus(certificate, issuer, this.#engine)
      if (!said.isForCertificate || said.status !== GOOD) return false
      return await this.#isAuthorised(answer, issuer)
    } catch {
      return false
    }
  }

  /** Several signatures of a document ask about one certificate: each answer is verified once. */
  #isAuthorised(answer: BasicOCSPResponse, issuer: Certificate): Promise<boolean> {
    const own = this.#authorised.get(answer) ?? new Map<string, Promise<boolean>>()
    this.#authorised.set(answer, own)
    const key = keyOf(issuer)
    const known = own.get(key) ?? this.#isByResponder(answer, issuer)
    own.set(key, known)
    return known
  }

  /** RFC 6960, 4.2.2.2: the issuer itself, or a responder that it has certified. */
  async #isByResponder(answer: BasicOCSPResponse, issuer: Certificate): Promise<boolean> {
    const responders = [issuer, ...(answer.certs ?? []).slice(0, MAX_RESPONDERS)]
    for (const responder of responders) {
      const isIssuer = responder === issuer
      if (!isIssuer && !mayAnswer(responder)) continue
      const signed = this.#engine.verifyWithPublicKey(
        Uint8Array.from(answer.tbsResponseData.tbsView),
        answer.signature,
        responder.subjectPublicKeyInfo,
        answer.signatureAlgorithm,
      )
      if (!(await signed.catch(() => false))) continue
      if (isIssuer || (await responder.verify(issuer, this.#engine).catch(() => false))) return true
    }
    return false
  }
}
