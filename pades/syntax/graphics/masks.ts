/** What resources say about soft masks (ISO 32000-2, 11.6.5.2). */
import { type PdfDictionary, PdfStream, type PdfValue } from '../../pdf/values.ts'
import type { FormArea, MaskResources } from '../masked-content.ts'
import { cornersOf, IDENTITY, type Matrix, transform } from '../matrices.ts'
import { entriesOf, type GraphicsContext, readNumbers } from './context.ts'

/**
 * Reads the masks that resources name.
 *
 * @param resources of the content stream
 * @returns undefined when there are none
 */
export function maskResources(
  context: GraphicsContext,
  resources: PdfDictionary | undefined,
): MaskResources | undefined {
  const { document } = context
  const states = document.dictionary(resources?.get('ExtGState'))
  const maskOf = (state: PdfValue | undefined) =>
    entriesOf(document.resolve(document.dictionary(state)?.get('SMask')))
  if (![...(states?.values() ?? [])].some(maskOf)) return undefined
  const find = (category: string, name: string): PdfValue =>
    document.resolve(document.dictionary(resources?.get(category))?.get(name))
  return {
    mask(name) {
      const state = document.dictionary(states?.get(name))
      const mask = maskOf(state)
      if (!mask) return document.resolve(state?.get('SMask')) === null ? undefined : null
      const corners = formArea(context, mask.get('G'))?.corners ?? []
      return { corners, hasBackground: mask.has('BC') }
    },
    form: (name) => formArea(context, find('XObject', name)),
    isTypeThree: (name) => document.name(entriesOf(find('Font', name))?.get('Subtype')) === 'Type3',
  }
}

/** @returns undefined for anything else than a form with a box */
function formArea(context: GraphicsContext, value: PdfValue | undefined): FormArea | undefined {
  const form = context.document.resolve(value)
  if (!(form instanceof PdfStream)) return undefined
  const { dictionary } = form
  if (context.document.name(dictionary.get('Subtype')) !== 'Form') return undefined
  const [x0 = 0, y0 = 0, x1 = 0, y1 = 0] = readNumbers(context, dictionary.get('BBox')) ?? []
  const matrix = readNumbers(context, dictionary.get('Matrix')) as Matrix | undefined
  const corners = cornersOf([x0, y0, x1, y1]).map((corner) => transform(corner, matrix ?? IDENTITY))
  const group = context.document.dictionary(dictionary.get('Group'))
  return { corners, isGroup: context.document.name(group?.get('S')) === 'Transparency' }
}
