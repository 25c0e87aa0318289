/**
 * Finds predefined signature fields that are on a missing page or not visible, and participants who
 * have no place to sign.
 */
import { isTooSmall, reachesBeyond } from '../domain/cases/placement.ts'
import type { CaseDefinition } from '../domain/cases/definition.ts'
import { MINIMUM_RECTANGLE_PT } from '../domain/limits.ts'
import type { PageSize } from '../domain/ports/pdf-sandbox.ts'

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
      const name = `The signature field "${field.id}" of ${firstName} ${lastName}`
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
