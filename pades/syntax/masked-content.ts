/**
 * Finds what is drawn beside the box of a soft mask (ISO 32000-2, 11.6.5.2): the mask hides it, but
 * pdf.js draws paths, shadings, groups and glyphs of Type 3 fonts that have no area in common with
 * the box, unless the mask states a background. Ghostscript draws inline images without any mask.
 */
import { SHOWING } from './content-operators.ts'
import {
  boxAround,
  type Box,
  concatenate,
  cornersOf,
  IDENTITY,
  intersect,
  type Matrix,
  type Point,
  transform,
  unite,
} from './matrices.ts'

/** A form, in the coordinates of the content that names it. */
export interface FormArea {
  readonly corners: readonly Point[]
  /** Whether it is a transparency group, which is masked as a whole. */
  readonly isGroup: boolean
}

/** A soft mask. */
export interface SoftMask {
  /** Corners of its box, in the coordinates of the content that sets it. */
  readonly corners: readonly Point[]
  /** Whether it states how bright it is beside its box (`BC`). */
  readonly hasBackground: boolean
}

/** What the resources of a content stream say about masks. */
export interface MaskResources {
  /** Returns the mask that a graphics state sets, or null when the state ends the mask. */
  mask(state: string): SoftMask | null | undefined
  form(name: string): FormArea | undefined
  isTypeThree(font: string): boolean
}

/** Operators that paint a path; those that stroke it widen its box. */
const FILLS: ReadonlySet<string> = new Set(['F', 'f', 'f*'])
const STROKES: ReadonlySet<string> = new Set(['B', 'B*', 'S', 'b', 'b*', 's'])
const POINTS: ReadonlySet<string> = new Set(['c', 'l', 'm', 'v', 'y'])
const CLIPS: ReadonlySet<string> = new Set(['W', 'W*'])
const EVERYWHERE: Box = [-Infinity, -Infinity, Infinity, Infinity]
const UNBOUNDED = { least: EVERYWHERE, most: EVERYWHERE }

/** A box that is surely filled from side to side, and one that is surely not exceeded. */
interface Extent {
  readonly least: Box
  readonly most: Box
}

interface State {
  matrix: Matrix
  clip: Extent
  isMasked: boolean
  /** Box of a mask without a background. */
  mask: Box | undefined
  lineWidth: number
  isTypeThree: boolean
}

/** An operator of which the masked content is followed. */
export interface MaskedOperation {
  readonly name: string
  readonly numbers: () => readonly number[]
  /** The name of the resource that it uses. */
  readonly resource: () => string
}

/** Follows what a content stream draws under masks. */
export class MaskedContent {
  readonly #resources: MaskResources
  #state: State
  readonly #saved: State[] = []
  #path: Extent | undefined
  #clips = false

  /** @param clip box of the form that the stream draws, in its own coordinates */
  constructor(resources: MaskResources, clip = EVERYWHERE) {
    this.#resources = resources
    const extent = { least: clip, most: clip }
    const none = { isMasked: false, mask: undefined, lineWidth: 0, isTypeThree: false }
    this.#state = { matrix: IDENTITY, clip: extent, ...none }
  }

  /** @returns false when readers mask differently what it draws */
  take(operation: MaskedOperation): boolean {
    const { name, numbers } = operation
    if (POINTS.has(name)) this.#addPairs(numbers())
    else if (name === 're') this.#addRectangle(numbers())
    else if (CLIPS.has(name)) this.#clips = true
    else if (name === 'n') this.#endPath()
    else if (FILLS.has(name) || STROKES.has(name)) return this.#paintPath(STROKES.has(name))
    else if (name === 'sh') return this.#isSeenAlike(UNBOUNDED)
    else if (SHOWING.has(name)) return !this.#state.isTypeThree || this.#isWithinMask(EVERYWHERE)
    else if (name === 'BI') return !this.#state.isMasked
    else if (name === 'Do') return this.#paintForm(operation.resource())
    else this.#setState(operation)
    return true
  }

  #setState({ name, numbers, resource }: MaskedOperation): void {
    const state = this.#state
    if (name === 'q') this.#saved.push({ ...state })
    else if (name === 'Q') this.#state = this.#saved.pop() ?? state
    else if (name === 'cm') state.matrix = concatenate(numbers(), state.matrix)
    else if (name === 'w') state.lineWidth = numbers()[0] ?? 0
    else if (name === 'Tf') state.isTypeThree = this.#resources.isTypeThree(resource())
    else if (name === 'gs') this.#setGraphicsState(this.#resources.mask(resource()))
  }

  #setGraphicsState(mask: SoftMask | null | undefined): void {
    if (mask !== undefined) {
      this.#state.isMasked = mask !== null
      this.#state.mask = mask && !mask.hasBackground ? this.#boxOf(mask.corners) : undefined
    }
    // It may set another width of lines.
    this.#state.lineWidth = 0
  }

  #boxOf(points: readonly Point[]): Box | undefined {
    return boxAround(points.map((point) => transform(point, this.#state.matrix)))
  }

  /** @param numbers pairs, of which the last one lies on the path and others may not */
  #addPairs(numbers: readonly number[]): void {
    const points: Point[] = []
    for (let index = 0; index + 1 < numbers.length; index += 2) {
      points.push([numbers[index] ?? 0, numbers[index + 1] ?? 0])
    }
    this.#addPoints(points, points.slice(-1))
  }

  #addRectangle([x = 0, y = 0, width = 0, height = 0]: readonly number[]): void {
    const corners = cornersOf([x, y, x + width, y + height])
    this.#addPoints(corners, corners)
  }

  #addPoints(points: readonly Point[], ends: readonly Point[]): void {
    const [most, least] = [this.#boxOf(points), this.#boxOf(ends)]
    if (!most || !least) return
    const path = this.#path ?? { most, least }
    this.#path = { most: unite(path.most, most), least: unite(path.least, least) }
  }

  #endPath(): void {
    if (this.#clips && this.#path) this.#state.clip = common(this.#state.clip, this.#path)
    this.#clips = false
    this.#path = undefined
  }

  #paintPath(isStroked: boolean): boolean {
    const path = this.#path
    const isAlike = !path || this.#isSeenAlike(isStroked ? this.#widen(path) : path)
    this.#endPath()
    return isAlike
  }

  /** By half of the line width, where the matrix makes it narrowest; it may be any width. */
  #widen({ least }: Extent): Extent {
    const { matrix, lineWidth } = this.#state
    const [a, b, c, d] = matrix
    const half = (Math.min(Math.hypot(a, b), Math.hypot(c, d)) * lineWidth) / 2
    const [left, bottom, right, top] = least
    return { least: [left - half, bottom - half, right + half, top + half], most: EVERYWHERE }
  }

  /** What a form draws may lie anywhere within its box; a group is masked as a whole. */
  #paintForm(name: string): boolean {
    const form = this.#resources.form(name)
    const box = form && this.#boxOf(form.corners)
    if (!box) return true
    return form.isGroup ? this.#isSeenAlike({ least: box, most: box }) : this.#isWithinMask(box)
  }

  /** Whether nothing of it is visible, or a part of it lies within the mask. */
  #isSeenAlike(extent: Extent): boolean {
    const { mask, clip } = this.#state
    if (!mask) return true
    const { least, most } = common(extent, clip)
    if (most[0] > most[2] || most[1] > most[3]) return true
    const [left, bottom, right, top] = mask
    const isVisible = least[0] <= least[2] && least[1] <= least[3]
    const isAcross = least[0] < right && least[2] > left
    return isVisible && isAcross && least[1] < top && least[3] > bottom
  }

  #isWithinMask(box: Box): boolean {
    const { mask, clip } = this.#state
    if (!mask) return true
    const [left, bottom, right, top] = intersect(box, clip.most)
    return left >= mask[0] && bottom >= mask[1] && right <= mask[2] && top <= mask[3]
  }
}

const common = (one: Extent, other: Extent): Extent => ({
  least: intersect(one.least, other.least),
  most: intersect(one.most, other.most),
})
