/**
 * A second judge: pkijs verifies what our own reader has verified, from the octets on, and shares
 * nothing with it but the arithmetic of algorithms that WebCrypto lacks.
 */

import { createHash } from 'node:crypto'
import { judgeDocumentTimeStamp, judgeSignatureContainer } from './container.ts'
import type { KnownDigest } from './engine.ts'
import type { Opinion } from './opinion.ts'
import { judgePath } from './path.ts'
import { EvidenceJudge } from './revocation.ts'
import type { Evidence, StatusQuestion } from './revocation.ts'

/** A certification path that our reader has found good. */
export interface PathToJudge {
  /** DER, from the certificate up to the anchor. */
  readonly certificates: readonly Uint8Array[]
  readonly at: Date
  /** How many of them, from the first on, our reader knows not to have been revoked. */
  readonly checked: readonly boolean[]
  /** The time for which it knows that; `at` when absent. */
  readonly checkedAt?: Date
  /** Whether it counts the others as well, as long as nothing says that they were revoked. */
  readonly acceptsUnchecked?: boolean
}

/** A signature or document time-stamp. */
export interface ContainerToJudge {
  readonly kind: 'signature' | 'document-time-stamp'
  /** The octets of `/Contents`. */
  readonly contents: Uint8Array
  /** Digest of the signed bytes; see {@link KnownDigest}. */
  readonly digestOf: KnownDigest['digestOf']
  /** Its own path, when it is good, and those of its signature time-stamps. */
  readonly path: PathToJudge | undefined
  readonly timeStampPaths: readonly (PathToJudge | undefined)[]
}

/** What the second judge says of a signature or time-stamp. */
export interface JudgedContainer {
  /** Digest and signature value. */
  readonly value: Opinion
  /** Absent without a path to judge. */
  readonly path?: Opinion
  /** Absent when no revocation data were used. */
  readonly revocation?: Opinion
  /** Containers of the signature time-stamps, in the order of the CMS. */
  readonly timeStamps: readonly Omit<JudgedContainer, 'timeStamps'>[]
}

/** The gravest of several. */
const worst = (opinions: readonly Opinion[]): Opinion =>
  (['wrong', 'unknown'] as const).find((one) => opinions.includes(one)) ?? 'right'

/**
 * Judges every signature and document time-stamp of a document.
 *
 * @param evidence all revocation data that are at hand
 * @returns in the order of `containers`
 */
export async function judgeDocument(
  containers: readonly ContainerToJudge[],
  evidence: Evidence,
): Promise<JudgedContainer[]> {
  const judge = new DocumentJudge(evidence)
  const judged: JudgedContainer[] = []
  for (const container of containers) judged.push(await judge.container(container))
  return judged
}

class DocumentJudge {
  readonly #evidence: Evidence
  #evidenceJudge: EvidenceJudge | undefined
  /** Signatures of one document share paths. */
  readonly #paths = new Map<string, Promise<Opinion>>()

  constructor(evidence: Evidence) {
    this.#evidence = evidence
  }

  async container(one: ContainerToJudge): Promise<JudgedContainer> {
    const { contents, digestOf, path, timeStampPaths } = one
    if (one.kind === 'document-time-stamp') {
      const value = await judgeDocumentTimeStamp(contents, digestOf)
      return { value, ...(await this.#path(path)), timeStamps: [] }
    }
    const { value, timeStamps } = await judgeSignatureContainer(contents, digestOf)
    const judged: JudgedContainer['timeStamps'][number][] = []
    for (const [index, stamp] of timeStamps.entries()) {
      judged.push({ value: stamp, ...(await this.#path(timeStampPaths[index])) })
    }
    return { value, ...(await this.#path(path)), timeStamps: judged }
  }

  async #path(path: PathToJudge | undefined): Promise<{ path?: Opinion; revocation?: Opinion }> {
    if (!path) return {}
    const { certificates, at, checked, checkedAt = at, acceptsUnchecked = false } = path
    const opinions: Opinion[] = []
    for (const [index, certificate] of certificates.slice(0, -1).entries()) {
      const issuer = certificates[index + 1]
      if (checked[index]) {
        opinions.push(await this.#status({ certificate, issuer, at: checkedAt }))
      } else if (acceptsUnchecked && this.#hasEvidence) {
        const opinion = await this.#status({ certificate, issuer, at, mustBeGood: false })
        if (opinion !== 'right') opinions.push(opinion)
      }
    }
    return {
      path: await this.#chain(certificates, at),
      ...(opinions.length > 0 && { revocation: worst(opinions) }),
    }
  }

  get #hasEvidence(): boolean {
    const { revocationLists, ocspResponses } = this.#evidence
    return revocationLists.length + ocspResponses.length > 0
  }

  #status(question: StatusQuestion): Promise<Opinion> {
    this.#evidenceJudge ??= new EvidenceJudge(this.#evidence)
    return this.#evidenceJudge.judge(question)
  }

  #chain(certificates: readonly Uint8Array[], at: Date): Promise<Opinion> {
    const state = createHash('sha256').update(`${at.getTime()}`)
    for (const der of certificates) state.update(der)
    const key = state.digest('hex')
    const known = this.#paths.get(key) ?? judgePath(certificates, at)
    this.#paths.set(key, known)
    return known
  }
}
