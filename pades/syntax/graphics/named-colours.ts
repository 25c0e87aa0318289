/** What resources say about colours that content streams name (ISO 32000-2, 8.6.8 and 8.7.3.3). */
import { isArray, type PdfDictionary, PdfStream, type PdfValue } from '../../pdf/values.ts'
import type {
  Blending,
  ColourShape,
  NamedColours,
  Overprint,
  PaintedKind,
} from '../content-colours.ts'
import { type ColourSpace, readColourSpace } from './colour-spaces.ts'
import { entriesOf, type GraphicsContext } from './context.ts'

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
    overprint: (name, before) => overprintOf(context, find('ExtGState', name), before),
    blending: (name) => blendingOf(context, find('ExtGState', name)),
    kindOf: (category, name) => kindOf(context, find(category, name)),
  }
}

function kindOf({ document }: GraphicsContext, value: PdfValue | undefined): PaintedKind {
  const entries = entriesOf(document.resolve(value))
  const subtype = document.name(entries?.get('Subtype'))
  if (subtype === 'Type3') return 'glyphs'
  if (subtype === 'Form') return document.dictionary(entries?.get('Group')) ? 'group' : 'form'
  if (subtype !== 'Image') return 'other'
  if (document.resolve(entries?.get('ImageMask')) === true) return 'mask'
  return document.resolve(entries?.get('SMask')) === null ? 'image' : 'soft'
}

const PLAIN_MODES: ReadonlySet<string | undefined> = new Set(['Compatible', 'Normal'])

function blendingOf({ document }: GraphicsContext, value: PdfValue | undefined): Partial<Blending> {
  const state = document.dictionary(value)
  const [mode = null, mask = null, fills, lines] = ['BM', 'SMask', 'ca', 'CA'].map((key) =>
    document.resolve(state?.get(key)),
  )
  const modes = isArray(mode) ? mode : [mode]
  const hasMode = !modes.every((one) => PLAIN_MODES.has(document.name(one)))
  return {
    ...(mode !== null && { hasMode }),
    ...(mask !== null && { isMasked: entriesOf(mask) !== undefined }),
    ...(typeof fills === 'number' && { isTranslucent: fills < 1 }),
    ...(typeof lines === 'number' && { hasLightLines: lines < 1 }),
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
