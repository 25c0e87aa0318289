/** What the sandbox and its parent say to each other: one document in, one answer out. */
import type { PageSize } from '../../domain/ports/pdf-sandbox.ts'

/** Octets of the length (big-endian) that goes before the document. */
export const LENGTH_BYTES = 4

/** The child's answer, one line of JSON. */
export type SandboxAnswer =
  | { outcome: 'inspected'; pages: PageSize[]; carriesSignatures: boolean }
  /** The document cannot be signed; the code is one of `pades`. */
  | { outcome: 'refused'; code: string; message: string }
  /** The reader met what it does not know: a fault of ours, and nothing that can be signed. */
  | { outcome: 'broke'; fault: string }
