/** Reads hostile PDFs apart from everything else: no network, no disk, bounded memory and time. */
import type { CoreReport } from '../contract/validation-report.ts'
import type { Rectangle } from '../cases/rectangle.ts'
import type { RevocationData, RevocationQuestion } from './revocation.ts'

/** A page as the signing page and the placement of signatures need it, in points, as displayed. */
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
  /** Number of the annotation's object. */
  object: number
  /** PDF source of the annotation's entries that change; null removes an entry. */
  entries: Record<string, string | null>
  /** Absent when it keeps its own. */
  appearance?: {
    /** Of a check box or radio button, PDF source of the name of its state. */
    state?: string
    /** PDF source of the entries of the stream, without its length. */
    entries: string
    /** One character per byte. */
    content: string
  }
}

/**
 * What intake learns of an upload; `rejected` carries a sentence that a person can act on, and the
 * pages when it has any.
 */
export type IntakeVerdict =
  | {
      outcome: 'accepted'
      pages: PageSize[]
      carriesSignatures: boolean
      /** Absent when every annotation has its own. */
      drawn?: AnnotationAppearance[]
      /** Form fields of a document that carries signatures; absent when there are none. */
      occupied?: OccupiedPlace[]
    }
  | { outcome: 'rejected'; reason: string; pages?: PageSize[] }

/** What is going to be put into the PDF when everybody has signed, as far as it is known before. */
export interface ForeseenSigning {
  signers: readonly {
    fieldName: string
    name: string
    places: readonly Rectangle[]
  }[]
  seal: { fieldName: string; name: string }
  /** Of the document time-stamp. */
  archiveFieldName: string
}

/** Whom a validation trusts, for what and when. */
export interface TrustedCertificate {
  /** DER. */
  certificate: Uint8Array
  /** For everything when absent. */
  purposes?: readonly ('signature' | 'time-stamp')[]
  /** Ever when absent. */
  periods?: readonly { from: Date; until?: Date }[]
}

export interface ValidationRequest {
  trustAnchors: readonly TrustedCertificate[]
  validationTime: Date
  /** What authorities said when they were asked. */
  revocationData?: RevocationData
}

/** What a validation found, and what it would have needed to find more. */
export interface SandboxValidation {
  report: CoreReport
  /** DER of the certificates in the report's chains. */
  certificates: readonly Uint8Array[]
  /** Digests (hex) of the document up to the end (offset) of each signed revision, and whole. */
  revisions: readonly { end: number; sha256: string }[]
  lacking: {
    revocation: readonly RevocationQuestion[]
    /** Paths, DER from the first certificate up, that lead to nobody who is trusted. */
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
    super(`the sandbox did not end within ${wallMs} ms`)
  }
}

export interface PdfSandbox {
  /**
   * Judges whether the PDF can be signed by this service, and rehearses it.
   *
   * @throws SandboxBusyError when it took too long on the clock
   * @throws Error when the sandbox itself failed (not the document's fault)
   */
  inspect(pdf: Uint8Array, signing: ForeseenSigning): Promise<IntakeVerdict>
  /**
   * Validates the signatures of the PDF.
   *
   * @param timeMs how long it may take, when that is less than the sandbox's own limit
   * @throws SandboxBusyError when it took too long on the clock
   * @throws Error when the sandbox itself failed (not the document's fault)
   */
  validate(pdf: Uint8Array, request: ValidationRequest, timeMs?: number): Promise<ValidationVerdict>
  /**
   * Validates a PDF that this service accepted and signed. One that exceeds the usual limits is
   * validated again with ample ones, so that limits do not fail a case that everybody signed.
   *
   * @throws SandboxBusyError when it took too long on the clock
   * @throws Error when the sandbox itself failed (not the document's fault)
   */
  validateSigned(pdf: Uint8Array, request: ValidationRequest): Promise<ValidationVerdict>
  close(): Promise<void>
}
