/**
 * Has the sandbox read the document of a canary like an upload, because no case can proceed without
 * the sandbox.
 */
import {
  type ForeseenSigning,
  type PdfSandbox,
  SandboxBusyError,
} from '../domain/ports/pdf-sandbox.ts'
import { SEAL_FIELD_NAME, SEAL_NAME } from './finalise/signers.ts'

const SIGNING: ForeseenSigning = {
  signers: [
    {
      fieldName: 'canary',
      name: 'Canary',
      places: [{ page: 1, x: 10, y: 10, width: 100, height: 40, unit: 'pt' }],
    },
  ],
  seal: { fieldName: SEAL_FIELD_NAME, name: SEAL_NAME },
  archiveFieldName: 'canary-archive',
}

/**
 * Has the sandbox read a document that is known to be valid.
 *
 * @throws Error when the sandbox cannot be started or refuses the document; a sandbox that is
 *   merely slow passes
 */
export async function readCanary(sandbox: PdfSandbox, document: Uint8Array): Promise<void> {
  try {
    const verdict = await sandbox.inspect(document, SIGNING)
    if (verdict.outcome !== 'accepted') {
      throw new Error(`the sandbox refused the canary: ${verdict.reason}`)
    }
  } catch (error) {
    // A busy machine says nothing about the ability to sign.
    if (!(error instanceof SandboxBusyError)) throw error
  }
}
