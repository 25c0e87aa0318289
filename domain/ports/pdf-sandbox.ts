/**
 * The port for reading untrusted PDFs in isolation: without network and disk, with limited memory
 * and time.
 */
import type { CoreReport } from '../contract/validation-report.ts'
import type { Rectangle } from '../cases/rectangle.ts'
import type { Rejection } from '../cases/reject-codes.ts'
import type { RevocationData, RevocationQuestion } from './revocation.ts'

/**
 * Size of a page in points, as displayed; the signing page and the placement of signatures need it.
 */
export interface PageSize {
  width: number
  height: number
}

/**
 * Where a signed document has a form field, in points on the page as displayed. Another signature
 * field over it would invalidate the earlier signatures.
 */
export interface OccupiedPlace {
  /** The first is 1. */
  page: number
  x: number
  y: number
  width: number
  height: number
}

/**
 * An appearance for an annotation of the upload that has none: what the signing page shows, so that
 * every viewer shows the same in the signed PDF.
 */
export interface AnnotationAppearance {
  /** Object number of the annotation. */
  object: number
  /** Changed entries of the annotation as PDF source; null removes an entry. */
  entries: Record<string, string | null>
  /** Absent when the annotation keeps its own. */
  appearance?: {
    /** For a check box or radio button: the name of its state as PDF source. */
    state?: string
    /** Entries of the stream as PDF source, without its length. */
    entries: string
    /** One character per byte. */
    content: string
  }
}

/**
 * The verdict of intake. `rejected` contains a code, a sentence for the user about what to change,
 * and the pages if the document has any.
 */
export type IntakeVerdict =
  | {
      outcome: 'accepted'
      pages: PageSize[]
      carriesSignatures: boolean
      /** Absent when every annotation has its own appearance. */
      drawn?: AnnotationAppearance[]
      /** Form fields of a document that carries signatures; absent when there are none. */
      occupied?: OccupiedPlace[]
    }
  | ({ outcome: 'rejected'; pages?: PageSize[] } & Rejection)

/** What signing will add to the PDF, as far as it is known before. */
export interface ForeseenSigning {
  signers: readonly {
    fieldName: string
    name: string
    places: readonly Rectangle[]
  }[]
  seal: { fieldName: string; name: string }
  /** Field name of the document time-stamp. */
  archiveFieldName: string
}

/** A trust anchor of a validation, with its purposes and periods. */
export interface TrustedCertificate {
  /** DER. */
  certificate: Uint8Array
  /** Absent means all purposes. */
  purposes?: readonly ('signature' | 'time-stamp')[]
  /** Absent means always. */
  periods?: readonly { from: Date; until?: Date }[]
}

export interface ValidationRequest {
  trustAnchors: readonly TrustedCertificate[]
  validationTime: Date
  /** Revocation data that was fetched from authorities. */
  revocationData?: RevocationData
  /** DER of certificates that may complete paths; they are not trusted. */
  intermediates?: readonly Uint8Array[]
  /**
   * Names of signature values that this process has verified, so that the sandbox need not: for a
   * PDF that this service has just signed.
   */
  rightValues?: readonly string[]
}

/** The result of a validation, and the data that it lacked. */
export interface SandboxValidation {
  report: CoreReport
  /** DER of the certificates in the report's chains. */
  certificates: readonly Uint8Array[]
  /**
   * SHA-256 (hex) of the document up to the end (offset) of each signed revision, and of the whole
   * file.
   */
  revisions: readonly { end: number; sha256: string }[]
  lacking: {
    revocation: readonly RevocationQuestion[]
    /**
     * Certificate paths (DER, from the first certificate upwards) that do not end at a trust
     * anchor.
     */
    anchors: readonly (readonly Uint8Array[])[]
  }
}

export type ValidationVerdict =
  | { outcome: 'validated'; validation: SandboxValidation }
  | { outcome: 'not-a-pdf' }
  | { outcome: 'unreadable' }

/**
 * The sandbox exceeded its wall-clock limit; the document is not at fault, and a retry may help.
 */
export class SandboxBusyError extends Error {
  override readonly name = 'SandboxBusyError'

  constructor(wallMs: number) {
    super(`the sandbox did not finish within ${wallMs} ms`)
  }
}

export interface PdfSandbox {
  /**
   * Checks whether this service can sign the PDF, by a trial run of signing.
   *
   * @param owner who uploaded the PDF: its process may have read other documents of the same owner;
   *   without one, a fresh process reads it
   * @throws SandboxBusyError when it exceeded its wall-clock limit
   * @throws Error when the sandbox itself failed (not the document's fault)
   */
  inspect(pdf: Uint8Array, signing: ForeseenSigning, owner?: string): Promise<IntakeVerdict>
  /**
   * Validates the signatures of the PDF.
   *
   * @param timeMs time limit, if it is shorter than the sandbox's own
   * @throws SandboxBusyError when it exceeded its wall-clock limit
   * @throws Error when the sandbox itself failed (not the document's fault)
   */
  validate(pdf: Uint8Array, request: ValidationRequest, timeMs?: number): Promise<ValidationVerdict>
  /**
   * Validates a PDF that this service accepted and signed. A PDF that exceeds the usual limits is
   * validated again with larger ones, so that limits do not fail a case that everybody signed.
   *
   * @param owner as for {@link inspect}
   * @throws SandboxBusyError when it exceeded its wall-clock limit
   * @throws Error when the sandbox itself failed (not the document's fault)
   */
  validateSigned(
    pdf: Uint8Array,
    request: ValidationRequest,
    owner?: string,
  ): Promise<ValidationVerdict>
  close(): Promise<void>
}
