/** What resources say about colours that content streams name (ISO 32000-2, 8.6.8 and 8.7.3.3). */
import { isArray, type PdfDictionary, PdfStream, type PdfValue } from '../../pdf/values.ts'
import type { ColourShape, NamedColours, Overprint } from '../content-colours.ts'
import { type ColourSpace, readColourSpace } from './colour-spaces.ts'
import { entriesOf, type GraphicsContext } from './context.ts'

const UNCOLOURED = 2
/** What paints with the current colour. */
const PAINTED_KINDS: ReadonlySet<string | undefined> = new Set(['Form', 'Type3'])

/** @param resources of the content stream */
export function namedColours(
  context: GraphicsContext,
  resources: PdfDictionary | undefined,
): NamedColours {
  const { document } = context
  const find = (category: string, name: string): PdfValue | undefined =>
    document.dictionary(resources?.get(category))?.get(name)
  const kindOf = (value: PdfValue | undefined) =>
    document.name(entriesOf(document.resolve(value))?.get('Subtype'))
  return {
    space: (name) => shapeOf(context, find('ColorSpace', name)),
    isUncoloured(name) {
      const pattern = document.resolve(find('Pattern', name))
      if (pattern === null) return undefined
      if (!(pattern instanceof PdfStream)) return false
      return document.integer(pattern.dictionary.get('PaintType')) === UNCOLOURED
    },
    overprint: (name, before) => overprintOf(context, find('ExtGState', name), before),
    isForm: (name) => kindOf(find('XObject', name)) === 'Form',
    usesColour(category, name) {
      const value = find(category, name)
      const entries = entriesOf(document.resolve(value))
      const isMask = document.resolve(entries?.get('ImageMask')) === true
      return PAINTED_KINDS.has(kindOf(value)) || isMask
    },
  }
}

/** Table 57: without `op`, `OP` counts for both. */
function overprintOf(
  { document }: GraphicsContext,
  value: PdfValue | undefined,
  before: Overprint,
): Overprint {
  const state = document.dictionary(value)
  const [strokes, fills, mode] = ['OP', 'op', 'OPM'].map((key) => document.resolve(state?.get(key)))
  const isTrue = (entry: PdfValue | undefined, otherwise: boolean) =>
    typeof entry === 'boolean' ? entry : otherwise
  const stroke = isTrue(strokes, before.stroke)
  return {
    stroke,
    fill: isTrue(fills, typeof strokes === 'boolean' ? stroke : before.fill),
    isNonzero: mode === null || mode === undefined ? before.isNonzero : mode === 1,
  }
}

const SPOT: ReadonlySet<string> = new Set(['Separation', 'DeviceN'])
const PROCESS_INKS = 4

function inksOf({ family, components }: ColourSpace): Pick<ColourShape, 'inks'> {
  if (SPOT.has(family)) return { inks: 'spot' }
  return components === PROCESS_INKS ? { inks: 'process' } : {}
}

const shapeIn = (space: ColourSpace, isPattern: boolean): ColourShape => ({
  ranges: space.ranges,
  isIndex: space.family === 'Indexed',
  isPattern,
  ...inksOf(space),
})

function shapeOf(context: GraphicsContext, value: PdfValue | undefined): ColourShape | undefined {
  const { document } = context
  const space = document.resolve(value)
  const isPattern = document.name(isArray(space) ? space[0] : space) === 'Pattern'
  if (!isPattern) {
    const found = readColourSpace(context, value)
    return found && shapeIn(found, isPattern)
  }
  const base = isArray(space) && space.length > 1 ? readColourSpace(context, space[1]) : undefined
  return base ? shapeIn(base, isPattern) : { ranges: [], isIndex: false, isPattern }
}
