/** Reads hostile PDFs apart from everything else: no network, no disk, bounded memory and time. */

/** A page as the signing page and the placement of signatures need it, in points, as displayed. */
export interface PageSize {
  width: number
  height: number
}

/** What intake learns of an upload; `rejected` carries a sentence that a person can act on. */
export type IntakeVerdict =
  | { outcome: 'accepted'; pages: PageSize[]; carriesSignatures: boolean }
  | { outcome: 'rejected'; reason: string }

export interface PdfSandbox {
  /**
   * Judges whether the PDF can be signed by this service.
   * @throws Error when the sandbox itself failed (not the document's fault)
   */
  inspect(pdf: Uint8Array): Promise<IntakeVerdict>
  close(): Promise<void>
}
