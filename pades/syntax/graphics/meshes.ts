/**
 * Judges meshes (ISO 32000-2, 8.7.4.5.5 to 8.7.4.5.8): readers pad corners of whole and of broken
 * octets differently, and continue in different ways behind flags that do not exist and at the end.
 */
import type { Buffer } from 'node:buffer'
import { isInteger, type PdfDictionary, PdfStream, type PdfValue } from '../../pdf/values.ts'
import { decodeTable, entriesOf, type GraphicsContext, readNumbers } from './context.ts'
import { readFunction } from './functions.ts'

const [FREE_FORM, LATTICE, COONS, TENSOR] = [4, 5, 6, 7]
const BITS_PER_BYTE = 8
/** With these, each corner begins with an octet. MuPDF does not pad others. */
const COORDINATE_BITS: ReadonlySet<number> = new Set([8, 16, 24, 32])
const COMPONENT_BITS: ReadonlySet<number> = new Set([8, 16])
/** Numbers of `Decode` for the place of a corner. */
const NUMBERS_OF_PLACE = 4
/** Flags of a corner and of a patch that continue the one before. */
const LAST_CORNER_FLAG = 2
const LAST_PATCH_FLAG = 3
/** Points of a patch of its own, and of one that shares a side. */
const POINTS: Readonly<Record<number, readonly [own: number, sharing: number]>> = {
  [COONS]: [12, 8],
  [TENSOR]: [16, 12],
}
const COLOURS = [4, 2] as const
const LEAST_OF_ROW = 2

interface Layout {
  readonly pointBytes: number
  readonly colourBytes: number
}

/**
 * Judges a mesh.
 *
 * @param value any value; one that is not a mesh is known
 * @throws PadesError `LIMIT_EXCEEDED`
 */
export function isKnownMesh(context: GraphicsContext, value: PdfValue): boolean {
  const { document } = context
  const entries = entriesOf(value)
  const type = document.integer(entries?.get('ShadingType')) ?? 0
  if (!entries || type < FREE_FORM || type > TENSOR) return true
  const layout = readLayout(context, entries, type)
  const data = layout && value instanceof PdfStream ? decodeTable(context, value) : undefined
  if (!layout || !data || !hasKnownFunction(context, entries)) return false
  if (type === FREE_FORM) return areTriangles(data, layout)
  if (type !== LATTICE) return arePatches(data, layout, POINTS[type] ?? [0, 0])
  return areRows(data, layout, document.resolve(entries.get('VerticesPerRow')))
}

/** @returns undefined when corners are not whole octets */
function readLayout(
  context: GraphicsContext,
  entries: PdfDictionary,
  type: number,
): Layout | undefined {
  const bitsOf = (key: string) => context.document.integer(entries.get(key)) ?? 0
  const [coordinate, component] = [bitsOf('BitsPerCoordinate'), bitsOf('BitsPerComponent')]
  const decode = readNumbers(context, entries.get('Decode')) ?? []
  const components = (decode.length - NUMBERS_OF_PLACE) / 2
  const isFlagged = type === LATTICE || bitsOf('BitsPerFlag') === BITS_PER_BYTE
  const isWhole = COORDINATE_BITS.has(coordinate) && COMPONENT_BITS.has(component)
  return isFlagged && isWhole
    ? {
        pointBytes: (2 * coordinate) / BITS_PER_BYTE,
        colourBytes: (components * component) / BITS_PER_BYTE,
      }
    : undefined
}

/** pdf.js computes the function at the corners and mixes their colours, others the arguments. */
function hasKnownFunction(context: GraphicsContext, entries: PdfDictionary): boolean {
  const { document } = context
  const value = entries.get('Function')
  if (document.resolve(value) === null) return true
  const [low = 0, high = 0] = (readNumbers(context, entries.get('Decode')) ?? []).slice(
    NUMBERS_OF_PLACE,
  )
  const functions = document.array(value) ?? [value]
  return functions.every((one) => {
    const parts = entriesOf(document.resolve(one))
    const [domain] = readFunction(context, one)?.domain ?? []
    const isLinear =
      document.resolve(parts?.get('FunctionType')) === 2 && document.resolve(parts?.get('N')) === 1
    return isLinear && domain !== undefined && domain[0] <= low && high <= domain[1]
  })
}

function areTriangles(data: Buffer, { pointBytes, colourBytes }: Layout): boolean {
  const size = 1 + pointBytes + colourBytes
  // Corners that complete a triangle of its own; their flags do not count.
  let missing = 0
  for (let at = 0; at < data.length; at += size) {
    if (missing > 0) missing -= 1
    else if (data[at] === 0) missing = 2
    else if (at === 0 || data[at] > LAST_CORNER_FLAG) return false
  }
  return missing === 0 && data.length % size === 0
}

function arePatches(
  data: Buffer,
  { pointBytes, colourBytes }: Layout,
  points: readonly [number, number],
): boolean {
  let at = 0
  while (at < data.length) {
    const flag = data[at]
    if (flag > LAST_PATCH_FLAG || (at === 0 && flag !== 0)) return false
    const kind = flag === 0 ? 0 : 1
    at += 1 + points[kind] * pointBytes + COLOURS[kind] * colourBytes
  }
  return at === data.length
}

function areRows(data: Buffer, { pointBytes, colourBytes }: Layout, perRow: PdfValue): boolean {
  if (!isInteger(perRow) || perRow < LEAST_OF_ROW) return false
  const rows = data.length / (perRow * (pointBytes + colourBytes))
  return Number.isInteger(rows) && rows >= 2
}
