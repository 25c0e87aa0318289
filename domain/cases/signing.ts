/** Judges what a participant asks to sign, beyond what its schema says. */
import type { SigningInput } from '../contract/signing-input.ts'
import type { ValidationProblem } from '../errors.ts'
import type { PageSize } from '../ports/pdf-sandbox.ts'
import { reachesBeyond } from './placement.ts'
import type { ParticipantDefinition } from './schema.ts'

/** Fields that the participant does not have. */
function fieldProblems(fieldIds: readonly string[], ids: readonly string[]): ValidationProblem[] {
  return fieldIds.flatMap((id, index) => {
    if (ids.includes(id)) return []
    return [
      {
        instancePath: `/fieldIds/${index}`,
        keyword: 'enum',
        params: { allowedValues: ids },
        message: 'must be one of the signature fields of the participant',
      },
    ]
  })
}

/** Own rectangles that lie on no page or reach beyond it. */
function rectangleProblems(input: SigningInput, pages: readonly PageSize[]): ValidationProblem[] {
  return (input.signatures ?? []).flatMap((rectangle, index): ValidationProblem[] => {
    const page = pages[rectangle.page - 1]
    const instancePath = `/signatures/${index}`
    if (!page) {
      const params = { pageCount: pages.length }
      const message = 'must be on a page of the document'
      return [{ instancePath: `${instancePath}/page`, keyword: 'insidePage', params, message }]
    }
    if (!reachesBeyond(rectangle, input.pageSize ?? page)) return []
    const params = { unit: rectangle.unit }
    return [{ instancePath, keyword: 'insidePage', params, message: 'must be inside the page' }]
  })
}

/**
 * Every problem with the places that the participant wants to sign; none when they can be used.
 *
 * @param pages of the document, in points, as displayed
 */
export function placeProblems(
  input: SigningInput,
  participant: ParticipantDefinition,
  pages: readonly PageSize[],
): ValidationProblem[] {
  const ids = participant.signatureFields.map(({ id }) => id)
  if (input.fieldIds) return fieldProblems(input.fieldIds, ids)
  if (input.signatures) return rectangleProblems(input, pages)
  if (ids.length > 0) return []
  return [
    {
      instancePath: '',
      keyword: 'required',
      params: { missingProperty: 'signatures' },
      message: 'must have fieldIds or signatures: the participant has no predefined fields',
    },
  ]
}
