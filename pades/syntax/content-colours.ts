/**
 * Follows the colours of a content stream (ISO 32000-2, 8.6.8 and 8.7.3): readers take other
 * amounts from too many or too few operands, convert amounts that do not exist to any colour, and
 * paint differently while a pattern is not chosen.
 */
import type { FaultCode } from './faults.ts'
import { areWithin, CMYK, GREY, type Interval, RGB } from './graphics/amounts.ts'

/** A colour space as `sc` and `scn` use it. */
export interface ColourShape {
  /** The range of each amount; in a space of patterns, of those of an uncoloured pattern. */
  readonly ranges: readonly Interval[]
  /** Whether the amount is an index of a palette. */
  readonly isIndex: boolean
  readonly isPattern: boolean
}

/** What the resources say about colours; undefined for what they lack. */
export interface NamedColours {
  space(name: string): ColourShape | undefined
  /** Whether a pattern takes its colour from the operands. */
  isUncoloured(pattern: string): boolean | undefined
}

/** The operands of an operator. */
export interface ColourOperands {
  readonly kinds: string
  /** The last of them without its solidus. */
  readonly name: () => string
  /** Those that are numbers. */
  readonly amounts: () => readonly number[]
}

/** A current colour space. */
interface Current {
  /** Undefined: one that is not known. */
  readonly shape: ColourShape | undefined
  readonly isChosen: boolean
  /** Whether this content stream has set it. */
  readonly isOwn: boolean
}

interface Colours {
  readonly fill: Current
  readonly stroke: Current
}
type Use = keyof Colours

const shapeOf = (ranges: readonly Interval[]): ColourShape => ({
  ranges,
  isIndex: false,
  isPattern: false,
})
const [G, RGB_SHAPE, K] = [shapeOf(GREY), shapeOf(RGB), shapeOf(CMYK)]
const PATTERN: ColourShape = { ranges: [], isIndex: false, isPattern: true }
const BUILT_IN: Readonly<Record<string, ColourShape>> = {
  ...{ DeviceGray: G, DeviceRGB: RGB_SHAPE, DeviceCMYK: K, Pattern: PATTERN },
  ...{ G, RGB: RGB_SHAPE, CMYK: K },
}
/** Operators that set both a device colour space and a colour. */
const DEVICE_OPERATORS: ReadonlyMap<string, readonly [Use, ColourShape]> = new Map([
  ['g', ['fill', G]],
  ['rg', ['fill', RGB_SHAPE]],
  ['k', ['fill', K]],
  ['G', ['stroke', G]],
  ['RG', ['stroke', RGB_SHAPE]],
  ['K', ['stroke', K]],
])
const STROKES: ReadonlySet<string> = new Set(['B', 'B*', 'S', 'b', 'b*', 's'])
const FILLS: ReadonlySet<string> = new Set([
  ...['B', 'B*', 'BI', 'Do', 'F', 'TJ', 'Tj', 'b', 'b*', 'f', 'f*', "'", '"'],
])

/** The colour spaces of a reader between operators. */
export class ColourState {
  readonly #named: NamedColours | undefined
  readonly #onInherited: (() => void) | undefined
  #current: Colours
  readonly #saved: Colours[] = []

  /**
   * @param onInherited called when amounts depend on the space of the content that draws this part;
   *   they are taken for grey, in which an appearance begins
   */
  constructor(named: NamedColours | undefined, onInherited?: () => void) {
    this.#named = named
    this.#onInherited = onInherited
    const first = { shape: G, isChosen: true, isOwn: false }
    this.#current = { fill: first, stroke: first }
  }

  /** Whether this content stream has set the colour of lines. */
  get hasOwnStroke(): boolean {
    return this.#current.stroke.isOwn
  }

  /** Takes an operator. */
  take(operator: string, operands: ColourOperands): FaultCode | undefined {
    const device = DEVICE_OPERATORS.get(operator)
    if (device) {
      this.#set(device[0], device[1])
      return areWithin(operands.amounts(), device[1].ranges) ? undefined : 'CONTENT_VALUE'
    }
    if (operator === 'q') this.#saved.push(this.#current)
    else if (operator === 'Q') this.#current = this.#saved.pop() ?? this.#current
    else if (operator === 'cs' || operator === 'CS')
      return this.#select(useOf(operator), operands.name())
    else if (/^scn?$/i.test(operator)) return this.#choose(useOf(operator), operands)
    else if (STROKES.has(operator) && !this.#current.stroke.isChosen) return 'CONTENT_VALUE'
    else if (FILLS.has(operator) && !this.#current.fill.isChosen) return 'CONTENT_VALUE'
    return undefined
  }

  #set(use: Use, shape: ColourShape | undefined, isChosen = true): void {
    this.#current = { ...this.#current, [use]: { shape, isChosen, isOwn: true } }
  }

  #select(use: Use, name: string): undefined {
    const shape = Object.hasOwn(BUILT_IN, name) ? BUILT_IN[name] : this.#named?.space(name)
    this.#set(use, shape, shape?.isPattern !== true)
    return undefined
  }

  #choose(use: Use, operands: ColourOperands): FaultCode | undefined {
    const { shape, isOwn } = this.#current[use]
    const { kinds } = operands
    const isNamed = kinds.endsWith('/')
    this.#set(use, shape)
    if (kinds === '') return 'CONTENT_OPERANDS'
    if (!this.#named) return undefined
    if (!isOwn) this.#onInherited?.()
    if (shape?.isPattern !== isNamed) return 'CONTENT_OPERANDS'
    const isUncoloured = isNamed ? this.#named.isUncoloured(operands.name()) : true
    // Readers that do not find a pattern paint nothing.
    if (isUncoloured === undefined) return undefined
    const expected = isUncoloured ? shape.ranges.length : 0
    const isPossible = !isUncoloured || expected > 0
    if (!isPossible || kinds.length - (isNamed ? 1 : 0) !== expected) return 'CONTENT_OPERANDS'
    return expected === 0 || isColour(operands.amounts(), shape) ? undefined : 'CONTENT_VALUE'
  }
}

/** Readers round an index, or drop its fraction. */
const isColour = (amounts: readonly number[], { ranges, isIndex }: ColourShape): boolean =>
  areWithin(amounts, ranges) && (!isIndex || amounts.every(Number.isInteger))

const useOf = (operator: string): Use =>
  operator.startsWith('s') || operator === 'cs' ? 'fill' : 'stroke'
