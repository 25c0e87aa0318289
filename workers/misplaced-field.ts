/**
 * Finds a predefined signature field that lies where the PDF has no page, cannot be seen, or covers
 * a field of a signed PDF, and participants who have nowhere to sign.
 */
import { coversField, isTooSmall, reachesBeyond } from '../domain/cases/placement.ts'
import type { CaseDefinition, ParticipantDefinition } from '../domain/cases/definition.ts'
import type { SignatureField } from '../domain/cases/rectangle.ts'
import { MINIMUM_RECTANGLE_PT } from '../domain/limits.ts'
import type { OccupiedPlace, PageSize } from '../domain/ports/pdf-sandbox.ts'

type Person = Pick<ParticipantDefinition, 'firstName' | 'lastName'>

const nameOf = ({ id }: SignatureField, { firstName, lastName }: Person): string =>
  `The signature field "${id}" of ${firstName} ${lastName}`

/**
 * Finds a field over a form field of a PDF that others signed: it would count as a change after
 * their signatures.
 *
 * @param document what the sandbox found; every field lies on one of its pages
 * @returns a sentence that names field and participant, or undefined when none covers another
 */
export function coveringField(
  { participants }: CaseDefinition,
  { pages, occupied = [] }: { pages: readonly PageSize[]; occupied?: readonly OccupiedPlace[] },
): string | undefined {
  for (const participant of participants) {
    for (const field of participant.signatureFields) {
      if (!coversField(field, pages[field.page - 1] as PageSize, occupied)) continue
      return (
        `${nameOf(field, participant)} covers a signature or another form field that the PDF ` +
        'already has, which would invalidate its earlier signatures; place it beside'
      )
    }
  }
  return undefined
}

/**
 * @param pages sizes in points, as displayed
 * @returns a sentence that names field and participant, or undefined when all fields are visible
 */
export function misplacedField(
  { participants, ownPlaces = true }: CaseDefinition,
  pages: readonly PageSize[],
): string | undefined {
  for (const { firstName, lastName, signatureFields } of participants) {
    // `POST /cases` refuses this, but an applied resource can contain it.
    if (!ownPlaces && signatureFields.length === 0) {
      return `${firstName} ${lastName} has no signature field and may not choose a place`
    }
    for (const field of signatureFields) {
      const name = nameOf(field, { firstName, lastName })
      const page = pages[field.page - 1]
      if (!page) {
        const count = pages.length === 1 ? '1 page' : `${pages.length} pages`
        return `${name} is on page ${field.page}, but the PDF has ${count}`
      }
      if (isTooSmall(field, page)) {
        return `${name} is too small; it must be at least ${MINIMUM_RECTANGLE_PT} pt wide and high`
      }
      if (!reachesBeyond(field, page)) continue
      const size = `${Math.round(page.width)} × ${Math.round(page.height)} pt`
      return `${name} reaches beyond page ${field.page} of the PDF, which measures ${size}`
    }
  }
  return undefined
}
