/** Predicts, before anybody has signed, what finalising will add to the PDF. */
import type { CaseDefinition } from '../../domain/cases/definition.ts'
import type { ForeseenSigning } from '../../domain/ports/pdf-sandbox.ts'
import { ARCHIVE_FIELD_NAME } from '../pki/long-term.ts'
import { SEAL_FIELD_NAME, SEAL_NAME, signatureContent } from './signers.ts'

/** Placeholder for the rectangle that a participant without predefined fields will choose. */
const CHOSEN_LATER = [{ page: 1, x: 0, y: 0, width: 1, height: 1, unit: 'fraction' as const }]

/** All participants in all of their fields, then the seal and the document time-stamp. */
export function foreseenSigning({ participants }: CaseDefinition): ForeseenSigning {
  return {
    signers: participants.map((participant) => {
      const isPlaced = participant.signatureFields.length > 0
      return signatureContent(isPlaced ? {} : { rectangles: CHOSEN_LATER }, participant)
    }),
    seal: { fieldName: SEAL_FIELD_NAME, name: SEAL_NAME },
    archiveFieldName: ARCHIVE_FIELD_NAME,
  }
}
