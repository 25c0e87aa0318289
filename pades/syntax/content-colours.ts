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
  /** What a graphics state says about blending. */
  blending(state: string): Partial<Blending>
  kindOf(category: 'Font' | 'XObject', name: string): PaintedKind
}

/**
 * What an object or a font is; a form that is a transparency group is a group, an image with a soft
 * mask is soft.
 */
export type PaintedKind = 'form' | 'glyphs' | 'group' | 'image' | 'mask' | 'other' | 'soft'

/** How painting mixes with what is beneath it (11.3.5 and 11.3.7). */
export interface Blending {
  /** Whether a mode other than Normal is set. */
  readonly hasMode: boolean
  readonly isMasked: boolean
  /** Whether fills are not opaque. */
  readonly isTranslucent: boolean
  /** Whether lines are not opaque. */
  readonly hasLightLines: boolean
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
  readonly blending: Blending
}

const NO_BLENDING: Blending = {
  hasMode: false,
  isMasked: false,
  isTranslucent: false,
  hasLightLines: false,
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
  #hasSetBlending = false
  #isTranslucent = false
  readonly #saved: Colours[] = []

  /**
   * @param onInherited called when amounts depend on the space of the content that draws this part;
   *   they are taken for grey, in which an appearance begins
   */
  constructor(named: NamedColours | undefined, onInherited?: () => void) {
    this.#named = named
    this.#onInherited = onInherited
    const first = { shape: G, isChosen: true, isOwn: false }
    const overprint = NO_OVERPRINT
    this.#current = { fill: first, stroke: first, overprint, blending: NO_BLENDING }
  }

  /** Whether this content stream has set the colour of lines. */
  get hasOwnStroke(): boolean {
    return this.#current.stroke.isOwn
  }

  /** Whether this content stream has set the colour of fills. */
  get hasOwnFill(): boolean {
    return this.#current.fill.isOwn
  }

  /** Whether this content stream has set a mode or a mask, or ended one. */
  get hasSetBlending(): boolean {
    return this.#hasSetBlending
  }

  /** Whether this content stream has set something with which painting is not opaque. */
  get isTranslucent(): boolean {
    return this.#isTranslucent
  }

  /** Whether a current colour is another one than that with which a page begins. */
  get isColoured(): boolean {
    const { fill, stroke } = this.#current
    return [fill, stroke].some(({ shape, isOwn, amounts = [] }) => {
      const isBlack = amounts.length > 0 && shape?.isPattern === false && isDark(shape, amounts)
      return isOwn && !isBlack
    })
  }

  /** How painting mixes with what is beneath it now. */
  get blending(): Blending {
    return this.#current.blending
  }

  /** Whether a pattern is one of the current colours. */
  get hasPattern(): boolean {
    const { fill, stroke } = this.#current
    return fill.shape?.isPattern === true || stroke.shape?.isPattern === true
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
    const kind = operator === 'Do' ? this.#named?.kindOf('XObject', operands.name()) : undefined
    const isForm = kind === 'form' || kind === 'group'
    return isSeen || isForm ? 'STATE_ODD' : undefined
  }

  #set(use: Use, colour: Omit<Current, 'isChosen' | 'isOwn'>, isChosen = true): void {
    this.#current = { ...this.#current, [use]: { ...colour, isChosen, isOwn: true } }
  }

  #setState(name: string): undefined {
    const { overprint, blending } = this.#current
    const set = this.#named?.blending(name)
    this.#current = {
      ...this.#current,
      overprint: this.#named?.overprint(name, overprint) ?? overprint,
      blending: { ...blending, ...set },
    }
    this.#hasSetBlending ||= set?.hasMode !== undefined || set?.isMasked !== undefined
    this.#isTranslucent ||= Object.values(set ?? {}).includes(true)
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

/** Whether a device colour is black. */
const isDark = (shape: ColourShape, amounts: readonly number[]): boolean =>
  shape === K
    ? amounts.join() === '0,0,0,1'
    : [G, RGB_SHAPE].includes(shape) && !amounts.some(Boolean)

/** Readers round an index, or drop its fraction. */
const isColour = (amounts: readonly number[], { ranges, isIndex }: ColourShape): boolean =>
  areWithin(amounts, ranges) && (!isIndex || amounts.every(Number.isInteger))

const useOf = (operator: string): Use =>
  operator.startsWith('s') || operator === 'cs' ? 'fill' : 'stroke'
