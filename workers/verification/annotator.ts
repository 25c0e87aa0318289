/** Completes the signatures of a report with facts that are not in the document. */
import { type CoreReport, type ValidationReport } from '../../domain/contract/validation-report.ts'
import { type SandboxValidation, type TrustedCertificate } from '../../domain/ports/pdf-sandbox.ts'
import { type Certificate, readCertificate } from '../../pades/index.ts'
import { qualifySignature, qualifyTimeStamp, type TrustedLists } from '../../trusted-lists/index.ts'
import { AnchorSources } from './trust.ts'

type CoreSignature = CoreReport['signatures'][number]
type CoreTimeStamp = Pick<
  CoreReport['documentTimestamps'][number],
  'certificateChain' | 'productionTime'
>

/**
 * Adds to a report the sources of the trust anchors, and what the trusted lists say about
 * signatures.
 */
export class Annotator {
  readonly #sources: AnchorSources
  readonly #lists: TrustedLists | undefined
  readonly #certificates: ReadonlyMap<string, Certificate>

  constructor(
    validation: SandboxValidation,
    own: readonly TrustedCertificate[],
    lists: TrustedLists | undefined,
  ) {
    this.#sources = new AnchorSources(own, lists)
    this.#lists = lists
    this.#certificates = new Map(
      validation.certificates.map(readCertificate).map((one) => [one.sha256, one]),
    )
  }

  /** Adds sources and qualification to a signature and its time-stamps. */
  signature(signature: CoreSignature): ValidationReport['signatures'][number] {
    const at = new Date(signature.bestSignatureTime)
    return {
      ...signature,
      certificateChain: this.#chain(signature, 'signature', at),
      qualification: this.#qualification(signature, at),
      timestamps: signature.timestamps.map((one) => this.timeStamp(one)),
    }
  }

  /** Adds sources and qualification to a time-stamp. */
  timeStamp<T extends CoreTimeStamp>(timeStamp: T): T {
    const at = new Date(timeStamp.productionTime ?? 0)
    const [certificate, ...issuers] = this.#chainOf(timeStamp)
    const qualification =
      certificate && this.#lists
        ? qualifyTimeStamp(certificate, issuers, this.#lists, at)
        : ('NA' as const)
    const certificateChain = this.#chain(timeStamp, 'time-stamp', at)
    return { ...timeStamp, certificateChain, qualification }
  }

  #qualification(signature: CoreSignature, bestSignatureTime: Date) {
    const [certificate, ...issuers] = this.#chainOf(signature)
    if (!certificate || !this.#lists) return { level: 'NA' }
    const { indication } = signature
    const asked = { certificate, issuers, indication, bestSignatureTime }
    return qualifySignature(asked, this.#lists)
  }

  #chainOf({ certificateChain }: Pick<CoreTimeStamp, 'certificateChain'>): Certificate[] {
    return certificateChain.flatMap(({ sha256 }) => this.#certificates.get(sha256) ?? [])
  }

  #chain(
    { certificateChain }: Pick<CoreTimeStamp, 'certificateChain'>,
    purpose: 'signature' | 'time-stamp',
    at: Date,
  ) {
    return certificateChain.map((certificate) =>
      certificate.trustAnchor
        ? { ...certificate, trustAnchor: this.#sources.of(certificate.sha256, purpose, at) }
        : certificate,
    )
  }
}
