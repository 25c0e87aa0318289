/**
 * Follows the colours of a content stream (ISO 32000-2, 8.6.8 and 8.7.3): readers take other
 * amounts from too many or too few operands, convert amounts that do not exist to any colour, paint
 * differently while a pattern is not chosen, and with overprint show what a light colour covers.
 */
import type { FaultCode } from './faults.ts'
import { areWithin, CMYK, GREY, type Interval, RGB } from './graphics/amounts.ts'
import { plainLightness } from './graphics/profiles/lightness.ts'

/** A colour space as `sc` and `scn` use it. */
export interface ColourShape {
  /** The range of each amount; in a space of patterns, of those of an uncoloured pattern. */
  readonly ranges: readonly Interval[]
  /** Whether the amount is an index of a palette. */
  readonly isIndex: boolean
  readonly isPattern: boolean
  /** Whether the amounts are those of four process inks, or of other inks, which overprint. */
  readonly inks?: 'process' | 'spot'
}

/** Which painting leaves other inks that are beneath (8.6.7). */
export interface Overprint {
  readonly fill: boolean
  readonly stroke: boolean
  /** Whether it leaves process inks whose own amount is zero. */
  readonly isNonzero: boolean
}

/** What the resources say about colours; undefined for what they lack. */
export interface NamedColours {
  space(name: string): ColourShape | undefined
  /** Whether a pattern takes its colour from the operands. */
  isUncoloured(pattern: string): boolean | undefined
  /** Overprint after a graphics state has been set. */
  overprint(state: string, before: Overprint): Overprint
  isForm(name: string): boolean
  /** Whether a form, a mask or a glyph paints with the current colour. */
  usesColour(category: 'Font' | 'XObject', name: string): boolean
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
  /** Absent: the first ones of the space, which are dark. */
  readonly amounts?: readonly number[]
}

type Use = 'fill' | 'stroke'
interface Colours extends Readonly<Record<Use, Current>> {
  readonly overprint: Overprint
}

const NO_OVERPRINT: Overprint = { fill: false, stroke: false, isNonzero: false }
/** Lightness and amount from which a colour shows what is beneath, if that is left. */
const LIGHT = 50
const LEAST_TINT = 0.5

const PLAIN = { isIndex: false, isPattern: false }
const G: ColourShape = { ...PLAIN, ranges: GREY }
const RGB_SHAPE: ColourShape = { ...PLAIN, ranges: RGB }
const K: ColourShape = { ...PLAIN, ranges: CMYK, inks: 'process' }
const PATTERN: ColourShape = { ...PLAIN, ranges: [], isPattern: true }
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
    this.#current = { fill: first, stroke: first, overprint: NO_OVERPRINT }
  }

  /** Whether this content stream has set the colour of lines. */
  get hasOwnStroke(): boolean {
    return this.#current.stroke.isOwn
  }

  /** Whether a pattern is one of the current colours. */
  get hasPattern(): boolean {
    const { fill, stroke } = this.#current
    return [fill, stroke].some(({ shape }) => shape?.isPattern === true)
  }

  /** Takes an operator. */
  take(operator: string, operands: ColourOperands): FaultCode | undefined {
    const device = DEVICE_OPERATORS.get(operator)
    if (device) {
      const [use, shape] = device
      const amounts = operands.amounts()
      this.#set(use, { shape, amounts })
      return areWithin(amounts, shape.ranges) ? undefined : 'CONTENT_VALUE'
    }
    if (operator === 'gs') return this.#setState(operands.name())
    if (operator === 'q') this.#saved.push(this.#current)
    else if (operator === 'Q') this.#current = this.#saved.pop() ?? this.#current
    else if (operator === 'cs' || operator === 'CS')
      return this.#select(useOf(operator), operands.name())
    else if (/^scn?$/i.test(operator)) return this.#choose(useOf(operator), operands)
    const isStroke = STROKES.has(operator)
    const isFill = FILLS.has(operator)
    if (isStroke && !this.#current.stroke.isChosen) return 'CONTENT_VALUE'
    if (isFill && !this.#current.fill.isChosen) return 'CONTENT_VALUE'
    const { overprint } = this.#current
    if (!overprint.fill && !overprint.stroke) return undefined
    const isSeen = (isStroke && this.#leaves('stroke')) || (isFill && this.#leaves('fill'))
    const isForm = operator === 'Do' && this.#named?.isForm(operands.name()) === true
    return isSeen || isForm ? 'STATE_ODD' : undefined
  }

  #set(use: Use, colour: Omit<Current, 'isChosen' | 'isOwn'>, isChosen = true): void {
    this.#current = { ...this.#current, [use]: { ...colour, isChosen, isOwn: true } }
  }

  #setState(name: string): undefined {
    const { overprint } = this.#current
    const next = this.#named?.overprint(name, overprint) ?? overprint
    this.#current = { ...this.#current, overprint: next }
    return undefined
  }

  /** Whether readers that overprint show much of what the current colour covers for others. */
  #leaves(use: Use): boolean {
    const { overprint } = this.#current
    const { shape, amounts } = this.#current[use]
    if (!overprint[use] || !amounts?.length || !shape?.inks) return false
    if (shape.inks === 'spot') return Math.max(...amounts) < LEAST_TINT
    return overprint.isNonzero && plainLightness(amounts) > LIGHT
  }

  #select(use: Use, name: string): undefined {
    const shape = Object.hasOwn(BUILT_IN, name) ? BUILT_IN[name] : this.#named?.space(name)
    this.#set(use, { shape }, shape?.isPattern !== true)
    return undefined
  }

  #choose(use: Use, operands: ColourOperands): FaultCode | undefined {
    const { shape, isOwn } = this.#current[use]
    const { kinds } = operands
    const isNamed = kinds.endsWith('/')
    this.#set(use, { shape, amounts: operands.amounts() })
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
