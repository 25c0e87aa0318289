/**
 * Judges the order and the operands of the operators of a content stream (ISO 32000-2, 8.2, 8.4 to
 * 8.6 and 9.3), where readers continue in different ways behind a fault.
 */
import type { FaultCode } from './faults.ts'

/** Operators that use a resource, its category, and which operand is its name. */
const NAMED: ReadonlyMap<string, readonly [category: string, isLast: boolean]> = new Map([
  ['CS', ['ColorSpace', true]],
  ['Do', ['XObject', true]],
  ['Tf', ['Font', false]],
  ['cs', ['ColorSpace', true]],
  ['gs', ['ExtGState', true]],
  ['sh', ['Shading', true]],
])
/** Colour spaces that are not resources. */
const BUILT_IN: ReadonlySet<string> = new Set([
  ...['DeviceGray', 'DeviceRGB', 'DeviceCMYK', 'Pattern', 'G', 'RGB', 'CMYK'],
])
const STARTS_PATH: ReadonlySet<string> = new Set(['m', 're'])
const CONTINUES_PATH: ReadonlySet<string> = new Set(['W', 'W*', 'c', 'l', 'v', 'y'])
const ENDS_PATH: ReadonlySet<string> = new Set('B B* F S b b* f f* n s'.split(' '))
/** Some readers draw these with the path, some drop the path. */
const BREAKS_PATH: ReadonlySet<string> = new Set(['BI', 'BT', 'Do', 'sh'])
/** Readers convert a larger amount of ink or light to any colour, white included. */
const MOST_COLOUR = 1.05
const RENDERING_MODE = /^\+?[0-7]$/

/** Answers whether a resource exists. */
export type HasResource = (category: string, name: string) => boolean

/** Which part of the contents it is: readers end the stack of states differently in parts. */
export interface ContentKind {
  /** Whether it is a part of a page: a form, a pattern or a glyph. */
  readonly isPart?: boolean
  readonly hasResource?: HasResource
}

/** The state of a reader between operators. */
export class ContentState {
  readonly #kind: ContentKind
  #hasPath = false
  #depth = 0
  #glyphs = 0

  constructor(kind: ContentKind) {
    this.#kind = kind
  }

  /**
   * Takes an operator.
   *
   * @param operands gives the source of all operands
   * @returns the fault of it; undefined when every reader continues alike
   */
  take(name: string, operands: () => string): FaultCode | undefined {
    return this.#isInOrder(name) ? this.#valueFault(name, operands) : 'CONTENT_ORDER'
  }

  #isInOrder(name: string): boolean {
    if (STARTS_PATH.has(name)) this.#hasPath = true
    else if (ENDS_PATH.has(name)) this.#hasPath = false
    else if (CONTINUES_PATH.has(name)) return this.#hasPath
    else if (BREAKS_PATH.has(name)) return !this.#hasPath
    else if (name === 'q') this.#depth += 1
    else if (name === 'Q') return this.#restore()
    else if (name === 'd0' || name === 'd1') this.#glyphs += 1
    return this.#glyphs <= 1
  }

  /** Poppler draws nothing behind a restored state that was not saved; others ignore it. */
  #restore(): boolean {
    this.#depth -= 1
    return this.#depth >= 0
  }

  #valueFault(name: string, operands: () => string): FaultCode | undefined {
    switch (name) {
      case 'Tr':
        return RENDERING_MODE.test(operands().trim()) ? undefined : 'CONTENT_VALUE'
      case 'w':
        return numbersIn(operands()).every((width) => width >= 0) ? undefined : 'CONTENT_VALUE'
      case 'd':
        return isDash(operands()) ? undefined : 'CONTENT_VALUE'
      case 'G':
      case 'K':
      case 'RG':
      case 'g':
      case 'k':
      case 'rg':
        return numbersIn(operands()).every(isAmount) ? undefined : 'CONTENT_VALUE'
      default:
        return this.#isNamed(name, operands) ? undefined : 'RESOURCE_MISSING'
    }
  }

  #isNamed(operator: string, operands: () => string): boolean {
    const named = NAMED.get(operator)
    if (!named || !this.#kind.hasResource) return true
    const [category, isLast] = named
    // A missing font hides text of a page for some readers, but appearances of old forms lack it.
    // Other resources that a part lacks are taken from its page by some; a page has none behind it.
    if ((category === 'Font') === (this.#kind.isPart ?? false)) return true
    const source = operands()
    const found = (isLast ? /\/([^\s/]*)\s*$/ : /\/([^\s/]+)/).exec(source)
    const name = found?.[1]
    if (name === undefined || name.includes('#')) return true
    const isBuiltIn = category === 'ColorSpace' && BUILT_IN.has(name)
    return isBuiltIn || this.#kind.hasResource(category, name)
  }
}

/** A point alone is zero. */
const numbersIn = (source: string): number[] =>
  (source.match(/[^\s\0]+/g) ?? []).map((text) => (text === '.' ? 0 : Number(text)))

const isAmount = (amount: number): boolean => amount <= MOST_COLOUR && amount >= 1 - MOST_COLOUR

/** A pattern of lengths that are not negative, and not all zero. */
function isDash(source: string): boolean {
  const lengths = /^\s*\[([^\]]*)\]/.exec(source)?.[1]?.trim() ?? ''
  if (lengths === '') return true
  const numbers = numbersIn(lengths)
  return numbers.every((length) => length >= 0) && numbers.some((length) => length > 0)
}
