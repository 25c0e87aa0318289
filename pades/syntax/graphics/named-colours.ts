/** What resources say about colours that content streams name (ISO 32000-2, 8.6.8 and 8.7.3.3). */
import { isArray, type PdfDictionary, PdfStream, type PdfValue } from '../../pdf/values.ts'
import type { ColourShape, NamedColours } from '../content-colours.ts'
import { readColourSpace } from './colour-spaces.ts'
import type { GraphicsContext } from './context.ts'

const UNCOLOURED = 2

/** @param resources of the content stream */
export function namedColours(
  context: GraphicsContext,
  resources: PdfDictionary | undefined,
): NamedColours {
  const { document } = context
  const find = (category: string, name: string): PdfValue | undefined =>
    document.dictionary(resources?.get(category))?.get(name)
  return {
    space: (name) => shapeOf(context, find('ColorSpace', name)),
    isUncoloured(name) {
      const pattern = document.resolve(find('Pattern', name))
      if (pattern === null) return undefined
      if (!(pattern instanceof PdfStream)) return false
      return document.integer(pattern.dictionary.get('PaintType')) === UNCOLOURED
    },
  }
}

function shapeOf(context: GraphicsContext, value: PdfValue | undefined): ColourShape | undefined {
  const { document } = context
  const space = document.resolve(value)
  const isPattern = document.name(isArray(space) ? space[0] : space) === 'Pattern'
  if (!isPattern) {
    const found = readColourSpace(context, value)
    return found && { ranges: found.ranges, isIndex: found.family === 'Indexed', isPattern }
  }
  const base = isArray(space) && space.length > 1 ? readColourSpace(context, space[1]) : undefined
  return { ranges: base?.ranges ?? [], isIndex: base?.family === 'Indexed', isPattern }
}
