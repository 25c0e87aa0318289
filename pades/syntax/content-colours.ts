/**
 * Follows the colour spaces of a content stream (ISO 32000-2, 8.6.8 and 8.7.3): readers take other
 * amounts from too many or too few operands, and paint differently while a pattern is not chosen.
 */
import type { FaultCode } from './faults.ts'

/** A colour space as `sc` and `scn` use it. */
export interface ColourShape {
  /** Number of amounts; of an uncoloured pattern in a space of patterns. */
  readonly amounts: number
  readonly isPattern: boolean
}

/** What the resources say about colours; undefined for what they lack. */
export interface NamedColours {
  space(name: string): ColourShape | undefined
  /** Whether a pattern takes its colour from the operands. */
  isUncoloured(pattern: string): boolean | undefined
}

/** A current colour space. */
interface Current {
  /** Undefined: that of the content that draws this part, or one that is not known. */
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

const amountsOf = (amounts: number): ColourShape => ({ amounts, isPattern: false })
const GREY = amountsOf(1)
const PATTERN: ColourShape = { amounts: 0, isPattern: true }
const BUILT_IN: Readonly<Record<string, ColourShape>> = {
  ...{ DeviceGray: GREY, DeviceRGB: amountsOf(3), DeviceCMYK: amountsOf(4), Pattern: PATTERN },
  ...{ G: GREY, RGB: amountsOf(3), CMYK: amountsOf(4) },
}
/** Operators that set both a device colour space and a colour. */
const DEVICE_OPERATORS: ReadonlyMap<string, readonly [Use, ColourShape]> = new Map([
  ['g', ['fill', GREY]],
  ['rg', ['fill', amountsOf(3)]],
  ['k', ['fill', amountsOf(4)]],
  ['G', ['stroke', GREY]],
  ['RG', ['stroke', amountsOf(3)]],
  ['K', ['stroke', amountsOf(4)]],
])
const STROKES: ReadonlySet<string> = new Set(['B', 'B*', 'S', 'b', 'b*', 's'])
const FILLS: ReadonlySet<string> = new Set([
  ...['B', 'B*', 'BI', 'Do', 'F', 'TJ', 'Tj', 'b', 'b*', 'f', 'f*', "'", '"'],
])

/** The colour spaces of a reader between operators. */
export class ColourState {
  readonly #named: NamedColours | undefined
  #current: Colours
  readonly #saved: Colours[] = []

  /** @param isPart whether the colours are first those of the content that draws it */
  constructor(named: NamedColours | undefined, isPart: boolean) {
    this.#named = named
    const first = { shape: isPart ? undefined : GREY, isChosen: true, isOwn: false }
    this.#current = { fill: first, stroke: first }
  }

  /** Whether this content stream has set the colour of lines. */
  get hasOwnStroke(): boolean {
    return this.#current.stroke.isOwn
  }

  /**
   * Takes an operator.
   *
   * @param kinds of its operands, and `name` the last of them without its solidus
   */
  take(operator: string, kinds: string, name: () => string): FaultCode | undefined {
    const device = DEVICE_OPERATORS.get(operator)
    if (device) this.#set(device[0], device[1])
    else if (operator === 'q') this.#saved.push(this.#current)
    else if (operator === 'Q') this.#current = this.#saved.pop() ?? this.#current
    else if (operator === 'cs' || operator === 'CS') return this.#select(useOf(operator), name())
    else if (/^scn?$/i.test(operator)) return this.#choose(useOf(operator), kinds, name)
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

  #choose(use: Use, kinds: string, name: () => string): FaultCode | undefined {
    const { shape } = this.#current[use]
    const isNamed = kinds.endsWith('/')
    this.#set(use, shape)
    if (kinds === '') return 'CONTENT_OPERANDS'
    if (!this.#named) return undefined
    const amounts = kinds.length - (isNamed ? 1 : 0)
    if (!isNamed) {
      // A part that does not set its space depends on the content that draws it.
      return shape && !shape.isPattern && shape.amounts === amounts ? undefined : 'CONTENT_OPERANDS'
    }
    if (!shape?.isPattern) return 'CONTENT_OPERANDS'
    const isUncoloured = this.#named.isUncoloured(name())
    // Readers that do not find a pattern paint nothing.
    if (isUncoloured === undefined) return undefined
    const expected = isUncoloured ? shape.amounts : 0
    const isPossible = !isUncoloured || shape.amounts > 0
    return isPossible && amounts === expected ? undefined : 'CONTENT_OPERANDS'
  }
}

const useOf = (operator: string): Use =>
  operator.startsWith('s') || operator === 'cs' ? 'fill' : 'stroke'
