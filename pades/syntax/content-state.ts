/**
 * Judges the order and the operands of the operators of a content stream (ISO 32000-2, 8.2, 8.4 to
 * 8.6 and 9.3), where readers continue in different ways behind a fault.
 */
import { unescapedName } from '../pdf/names.ts'
import { type ColourOperands, ColourState, type NamedColours } from './content-colours.ts'
import { SHOWING } from './content-operators.ts'
import type { FaultCode } from './faults.ts'
import { GlyphBox } from './glyph-box.ts'
import type { InlineImage } from './inline-image.ts'
import { MaskedContent, type MaskResources } from './masked-content.ts'
import type { Box } from './matrices.ts'

/** Operators that use a resource, its category, and which operand is its name. */
const NAMED: ReadonlyMap<string, readonly [category: string, isLast: boolean]> = new Map([
  ['CS', ['ColorSpace', true]],
  ['Do', ['XObject', true]],
  ['Tf', ['Font', false]],
  ['cs', ['ColorSpace', true]],
  ['gs', ['ExtGState', true]],
  ['sh', ['Shading', true]],
  ['SCN', ['Pattern', true]],
  ['scn', ['Pattern', true]],
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
/** Behind a path within a text, Poppler shows no more glyphs of it; forms share its place. */
const OUTSIDE_OF_TEXT: ReadonlySet<string> = new Set(['BI', 'Do', 'm', 're', 'sh'])
/** Modes that clip end differently: readers disagree on glyphs without an outline and on `ET`. */
const RENDERING_MODE = /^\+?[0-3]$/
const INVISIBLE = /3$/
const STROKED = /[12]$/
/** Horizontal scaling in percent (9.3.4). */
const PLAIN_SCALE = 100
/** Ends and corners of lines; Poppler draws nothing with others. */
const LINE_STYLE = /^\+?[0-2]$/
/** Only some readers draw the corners of lines that are sharper; producers state 10 at most. */
export const MOST_MITER_LIMIT = 100
/** Paint with the colour of lines. */
const STROKES: ReadonlySet<string> = new Set(['B', 'B*', 'S', 'b', 'b*', 's'])
/** With so many saved states readers still draw; pdf.js fails with three times as many. */
const MOST_SAVED_STATES = 10_000
/** Operators of colours. */
const COLOURS: ReadonlySet<string> = new Set('CS cs G g K k RG rg SC sc SCN scn sh'.split(' '))
const GLYPH_WIDTHS: ReadonlySet<string> = new Set(['d0', 'd1'])

/** A text that is shown. */
export interface ShownText {
  /** The name of its font. */
  readonly font: string
  readonly text: Uint8Array
  /** Whether its glyphs are neither filled nor stroked (9.3.6). */
  readonly isInvisible: boolean
}

/** Answers whether a resource exists. */
export type HasResource = (category: string, name: string) => boolean

/** Which part of the contents it is: readers end the stack of states differently in parts. */
export interface ContentKind {
  /** Whether it is a part of a page: a form, a pattern or a glyph. */
  readonly isPart?: boolean
  /** Whether it is a glyph of a Type 3 font. */
  readonly isGlyph?: boolean
  /** Which cell of a pattern it is; an uncoloured one has only a shape (8.7.3.3). */
  readonly cell?: 'coloured' | 'uncoloured'
  /** Called when amounts of a colour depend on the space of the content that draws it. */
  readonly onInheritedColour?: () => void
  readonly hasResource?: HasResource
  /** Gets the name of each resource that an operator uses. */
  readonly onResource?: (category: string, name: string) => void
  readonly colours?: NamedColours
  readonly masks?: MaskResources
  /** The part of the coordinates that is shown. */
  readonly clip?: Box
  /** Judges how readers paint an inline image that they all find. */
  readonly judgeInlineImage?: (image: InlineImage) => FaultCode | undefined
  /** Gets each text that is shown, and the name of its font. */
  readonly onText?: (shown: ShownText) => void
}

/** An operator with its operands. */
export interface Operation {
  readonly name: string
  /** Kinds of the operands. */
  readonly kinds: string
  /** Gives the source of all operands. */
  readonly operands: () => string
}

/** How texts are shown. */
interface TextState {
  /** The name of the font; undefined before the content chooses one. */
  readonly font: string | undefined
  readonly isInvisible: boolean
  readonly isStroked: boolean
  /** Whether glyphs are wider or narrower than the font says. */
  readonly isScaled: boolean
}

const FIRST_TEXT: TextState = {
  font: undefined,
  isInvisible: false,
  isStroked: false,
  isScaled: false,
}

/** The state of a reader between operators. */
export class ContentState {
  readonly #kind: ContentKind
  readonly #colours: ColourState
  readonly #glyphBox: GlyphBox | undefined
  readonly #masked: MaskedContent | undefined
  #hasPath = false
  /** Whether a rectangle was added last: MuPDF then begins a curve in another corner. */
  #isBehindRectangle = false
  #text = FIRST_TEXT
  readonly #savedTexts: TextState[] = []
  #depth = 0
  #count = 0
  #isInText = false
  /** Whether readers differ in where the next glyph is. */
  #isUnplaced = false
  /** Whether the glyph only has a shape, and the colour of the text. */
  #isShape = false

  constructor(kind: ContentKind) {
    this.#kind = kind
    this.#colours = new ColourState(kind.colours, kind.onInheritedColour)
    this.#glyphBox = kind.isGlyph || kind.cell ? new GlyphBox(kind.cell && kind.clip) : undefined
    this.#masked = kind.masks && new MaskedContent(kind.masks, kind.clip)
  }

  /**
   * Takes an operator.
   *
   * @returns the fault of it; undefined when every reader continues alike
   */
  take({ name, kinds, operands }: Operation): FaultCode | undefined {
    this.#count += 1
    if (!this.#isInOrder(name) || !this.#isTextInOrder(name)) return 'CONTENT_ORDER'
    const numbers = () => numbersIn(operands())
    if (this.#glyphBox?.take(name, numbers) === false) {
      return this.#kind.cell ? 'PATTERN_ODD' : 'GLYPH_CUT'
    }
    const resource = () => unescapedName(/\/([^\s/]+)/.exec(operands())?.[1] ?? '')
    if (this.#masked?.take({ name, numbers, resource }) === false) return 'MASK_BESIDE'
    if (!this.#paintsAlike(name, resource)) return 'PATTERN_ODD'
    return (
      this.#valueFault(name, operands) ??
      this.#colours.take(name, colourOperands(kinds, operands)) ??
      this.#nameFault(name, kinds, operands)
    )
  }

  /** How a text is shown now. */
  get text(): TextState {
    return this.#text
  }

  /** MuPDF and Ghostscript paint a path that a part leaves behind with the next operator. */
  end(): FaultCode | undefined {
    return this.#hasPath && this.#kind.isPart ? 'CONTENT_ORDER' : undefined
  }

  /**
   * Readers place a pattern differently in what takes the current colour: a form, a mask, a glyph
   * of a Type 3 font. Some paint a mask in one colour.
   */
  #paintsAlike(name: string, resource: () => string): boolean {
    const { cell, colours } = this.#kind
    // MuPDF shows texts of a cell as those of the page before it: invisible, narrow or far apart.
    if (cell && SHOWING.has(name)) return false
    if (
      cell === 'uncoloured' &&
      !hasOnlyShape(name, () => colours?.usesColour('XObject', resource()))
    )
      return false
    if (!colours || !this.#colours.hasPattern) return true
    if (name === 'Do') return !colours.usesColour('XObject', resource())
    if (!SHOWING.has(name)) return name !== 'BI'
    return !colours.usesColour('Font', this.#text.font ?? '')
  }

  #isInOrder(name: string): boolean {
    if (name === 'v' && this.#isBehindRectangle) return false
    this.#isBehindRectangle = name === 're'
    if (STARTS_PATH.has(name)) this.#hasPath = true
    else if (ENDS_PATH.has(name)) this.#hasPath = false
    else if (CONTINUES_PATH.has(name)) return this.#hasPath
    else if (BREAKS_PATH.has(name)) return !this.#hasPath
    else if (name === 'q') return this.#save()
    else if (name === 'Q') return this.#restore()
    else if (GLYPH_WIDTHS.has(name)) return this.#beginGlyph(name)
    return !STROKES.has(name) || this.#strokesAlike()
  }

  /**
   * Some readers restore the place of the next glyph with a state, and forms and what follows them
   * share it where a text is not begun or not ended.
   */
  #isTextInOrder(name: string): boolean {
    if (name === 'BT' || name === 'ET') {
      this.#isInText = name === 'BT'
      this.#isUnplaced = false
    } else if (name === 'Tm') this.#isUnplaced = false
    else if (name === 'Q') this.#isUnplaced = this.#isInText
    else if (OUTSIDE_OF_TEXT.has(name)) return !this.#isInText
    if (!SHOWING.has(name)) return true
    // pdf.js and Ghostscript scale the lines around glyphs with them.
    const isStrokedAlike = !this.#text.isStroked || !this.#text.isScaled
    return this.#isInText && !this.#isUnplaced && isStrokedAlike
  }

  #save(): boolean {
    this.#depth += 1
    this.#savedTexts.push(this.#text)
    return this.#depth <= MOST_SAVED_STATES
  }

  /** Elsewhere, some readers clip the content to the box of `d1`. */
  #beginGlyph(name: string): boolean {
    this.#isShape = name === 'd1'
    return this.#kind.isGlyph === true && this.#count === 1
  }

  /** Readers draw lines of a glyph in the colour of the text or in that of lines. */
  #strokesAlike(): boolean {
    return !this.#kind.isGlyph || (!this.#isShape && this.#colours.hasOwnStroke)
  }

  /** Poppler draws nothing behind a restored state that was not saved; others ignore it. */
  #restore(): boolean {
    this.#depth -= 1
    this.#text = this.#savedTexts.pop() ?? this.#text
    return this.#depth >= 0
  }

  #valueFault(name: string, operands: () => string): FaultCode | undefined {
    switch (name) {
      case 'Tr':
        return this.#setMode(operands().trim())
      case 'Tz':
        this.#text = { ...this.#text, isScaled: numbersIn(operands())[0] !== PLAIN_SCALE }
        return undefined
      case 'M':
        return numbersIn(operands()).every(isMiterLimit) ? undefined : 'CONTENT_VALUE'
      case 'w':
        return numbersIn(operands()).every((width) => width >= 0) ? undefined : 'CONTENT_VALUE'
      case 'd':
        return isDash(operands()) ? undefined : 'CONTENT_VALUE'
      case 'J':
      case 'j':
        return LINE_STYLE.test(operands().trim()) ? undefined : 'CONTENT_VALUE'
      default:
        return undefined
    }
  }

  #setMode(mode: string): FaultCode | undefined {
    const [isInvisible, isStroked] = [INVISIBLE.test(mode), STROKED.test(mode)]
    this.#text = { ...this.#text, isInvisible, isStroked }
    return RENDERING_MODE.test(mode) ? undefined : 'CONTENT_VALUE'
  }

  #nameFault(operator: string, kinds: string, operands: () => string): FaultCode | undefined {
    const isAmounts = NAMED.get(operator)?.[0] === 'Pattern' && !kinds.endsWith('/')
    return isAmounts || this.#isNamed(operator, operands) ? undefined : 'RESOURCE_MISSING'
  }

  #isNamed(operator: string, operands: () => string): boolean {
    const named = NAMED.get(operator)
    if (!named || !this.#kind.hasResource) return true
    const [category, isLast] = named
    const source = operands()
    const written = (isLast ? /\/([^\s/]*)\s*$/ : /\/([^\s/]+)/).exec(source)?.[1]
    if (written === undefined) return true
    const name = unescapedName(written)
    if (operator === 'Tf') this.#text = { ...this.#text, font: name }
    this.#kind.onResource?.(category, name)
    // A missing font hides text of a page for some readers, but appearances of old forms lack it.
    // Other resources that a part lacks are taken from its page by some; a page has none behind it.
    if ((category === 'Font') === (this.#kind.isPart ?? false)) return true
    const isBuiltIn = category === 'ColorSpace' && BUILT_IN.has(name)
    return isBuiltIn || this.#kind.hasResource(category, name)
  }
}

/** Ghostscript and PDFium paint the colours of an uncoloured cell, which others ignore. */
const hasOnlyShape = (operator: string, usesColour: () => boolean | undefined): boolean =>
  !COLOURS.has(operator) && (operator !== 'Do' || usesColour() === true)

const colourOperands = (kinds: string, operands: () => string): ColourOperands => ({
  kinds,
  name: () => lastName(operands()),
  amounts: () => numbersIn(operands()).filter((amount) => !Number.isNaN(amount)),
})

const lastName = (source: string): string => /\/([^\s/]*)\s*$/.exec(source)?.[1] ?? ''

/** A point alone is zero. */
const numbersIn = (source: string): number[] =>
  (source.match(/[^\s\0]+/g) ?? []).map((text) => (text === '.' ? 0 : Number(text)))

const isMiterLimit = (limit: number): boolean => limit >= 0 && limit <= MOST_MITER_LIMIT

/** A pattern of lengths that are not negative, and not all zero, which begins at its start. */
function isDash(source: string): boolean {
  const [, inner = '', phase = ''] = /^\s*\[([^\]]*)\](.*)$/s.exec(source) ?? []
  const lengths = inner.trim()
  if (lengths === '') return true
  // MuPDF draws another part of the pattern.
  if (numbersIn(phase).some((start) => start < 0)) return false
  const numbers = numbersIn(lengths)
  // PDFium repeats the last of three lengths as a gap, others begin again with the first one.
  const isAlternating = numbers.length % 2 === 0 || new Set(numbers).size === 1
  if (!isAlternating) return false
  return numbers.every((length) => length >= 0) && numbers.some((length) => length > 0)
}
