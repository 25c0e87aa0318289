/**
 * Judges the order and the operands of the operators of a content stream (ISO 32000-2, 8.2, 8.4 to
 * 8.6 and 9.3), where readers continue in different ways behind a fault.
 */
import { type ColourOperands, ColourState, type PaintedKind } from './content-colours.ts'
import type { ContentKind, Trait } from './content-kind.ts'
import { SHOWING } from './content-operators.ts'
import { hasCharacters, isDash, isFlat, isMiterLimit, numbersIn } from './content-values.ts'
import type { FaultCode } from './faults.ts'
import { GlyphBox } from './glyph-box.ts'
import { MaskedContent } from './masked-content.ts'

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
export const BUILT_IN: ReadonlySet<string> = new Set([
  ...['DeviceGray', 'DeviceRGB', 'DeviceCMYK', 'Pattern', 'G', 'RGB', 'CMYK'],
])
const STARTS_PATH: ReadonlySet<string> = new Set(['m', 're'])
const CONTINUES_PATH: ReadonlySet<string> = new Set(['W', 'W*', 'c', 'l', 'v', 'y'])
/** Their first or last point of control is one of their ends. */
const HALF_CURVES: ReadonlySet<string> = new Set(['v', 'y'])
const ENDS_PATH: ReadonlySet<string> = new Set('B B* F S b b* f f* n s'.split(' '))
/** Some readers draw these with the path, some drop the path. */
const BREAKS_PATH: ReadonlySet<string> = new Set(['BI', 'BT', 'Do', 'sh'])
/** Behind a path within a text, Poppler shows no more glyphs of it; forms share its place. */
const OUTSIDE_OF_TEXT: ReadonlySet<string> = new Set(['BI', 'Do', 'm', 're', 'sh'])
/** Modes that clip end differently: readers disagree on glyphs without an outline and on `ET`. */
const RENDERING_MODE = /^\+?[0-3]$/
const FILLED = /0$/
const STROKED = /[12]$/
const SOLID = /^\s*\[\s*\]/
/** Horizontal scaling in percent (9.3.4). */
const PLAIN_SCALE = 100
/** Ends and corners of lines; Poppler draws nothing with others. */
const LINE_STYLE = /^\+?[0-2]$/
/** Paint with the colour of lines. */
const STROKES: ReadonlySet<string> = new Set(['B', 'B*', 'S', 'b', 'b*', 's'])
/** With so many saved states readers still draw; pdf.js fails with three times as many. */
const MOST_SAVED_STATES = 10_000
/** Operators of colours. */
const COLOURS: ReadonlySet<string> = new Set('CS cs G g K k RG rg SC sc SCN scn sh'.split(' '))
/** Their painting may depend on a pattern that is the current colour. */
const TAKES_COLOUR: ReadonlySet<string> = new Set(['BI', 'Do', ...SHOWING])
/** Objects that are not painted with the current colour. */
const UNPATTERNED: ReadonlySet<PaintedKind> = new Set(['image', 'other', 'soft'])
const FILLS: ReadonlySet<string> = new Set([...'B B* F TJ Tj b b* f f*'.split(' '), "'", '"'])
/** Those of which traits are reported. */
const REPORTED: ReadonlySet<string> = new Set([
  ...['Do', 'd1', 'gs'],
  ...COLOURS,
  ...FILLS,
  ...SHOWING,
  ...STROKES,
])
const GLYPH_WIDTHS: ReadonlySet<string> = new Set(['d0', 'd1'])

/** An operator with its operands. */
export interface Operation {
  readonly name: string
  /** Kinds of the operands. */
  readonly kinds: string
  /** Those that are names, without solidus and escapes. */
  readonly names: readonly string[]
  /** Gives the source of all operands. */
  readonly operands: () => string
}

/** How texts are shown. */
interface TextState {
  /** The name of the font; undefined before the content chooses one. */
  readonly font: string | undefined
  readonly isFilled: boolean
  readonly isStroked: boolean
  /** Whether glyphs are wider or narrower than the font says. */
  readonly isScaled: boolean
  /** Whether the size of the font is zero. */
  readonly isEmpty: boolean
  /** Spaces and rise by their operators. */
  readonly offsets: Readonly<Record<string, number>>
}

/** What the content has set of how lines are drawn. */
interface LineState {
  readonly hasWidth: boolean
  readonly hasDash: boolean
  readonly isDashed: boolean
}

const FIRST_LINE: LineState = { hasWidth: false, hasDash: false, isDashed: false }

const FIRST_TEXT: TextState = {
  font: undefined,
  isFilled: true,
  isStroked: false,
  isScaled: false,
  isEmpty: false,
  offsets: {},
}

/** The state of a reader between operators. */
export class ContentState {
  readonly #kind: ContentKind
  readonly #colours: ColourState
  readonly #glyphBox: GlyphBox | undefined
  readonly #masked: MaskedContent | undefined
  #hasPath = false
  /** Whether a path was closed last: MuPDF and pdf.js then begin a curve in different corners. */
  #isBehindCorner = false
  #text = FIRST_TEXT
  readonly #savedTexts: TextState[] = []
  #line = FIRST_LINE
  readonly #savedLines: LineState[] = []
  #depth = 0
  #count = 0
  #isInText = false
  /** Whether readers differ in where the next glyph is. */
  #isUnplaced = false
  /** Whether the matrix of texts has no inverse. */
  #isFlat = false
  /** Whether the glyph only has a shape, and the colour of the text. */
  #isShape = false

  constructor(kind: ContentKind) {
    this.#kind = kind
    this.#colours = new ColourState(kind.colours, kind.onInheritedColour)
    this.#glyphBox = boxOf(kind)
    this.#masked = kind.masks && new MaskedContent(kind.masks, kind.clip)
  }

  /**
   * Takes an operator.
   *
   * @returns the fault of it; undefined when every reader continues alike
   */
  take({ name, kinds, names, operands }: Operation): FaultCode | undefined {
    this.#count += 1
    if (!this.#isInOrder(name) || !this.#isTextInOrder(name)) return 'CONTENT_ORDER'
    const numbers = () => numbersIn(operands())
    if (this.#glyphBox?.take(name, numbers) === false) {
      return this.#kind.isCell ? 'PATTERN_ODD' : 'GLYPH_CUT'
    }
    const resource = () => names[0] ?? ''
    if (this.#masked?.take({ name, numbers, resource }) === false) return 'MASK_BESIDE'
    if (!this.#paintsAlike(name, resource, operands)) return 'PATTERN_ODD'
    if (!this.#blendsAlike(name)) return 'STATE_ODD'
    this.#reportTraits(name, resource)
    return (
      this.#valueFault(name, operands) ??
      this.#colours.take(name, colourOperands(kinds, names, operands)) ??
      this.#nameFault(name, kinds, names)
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

  /** Notes what readers may take from the content that draws this one, or leave out. */
  #reportTraits(name: string, resource: () => string): void {
    const { colours, onMask, onMixedForm, onTrait } = this.#kind
    if (!onTrait || !REPORTED.has(name)) return
    if (name === 'd1') onTrait('shape')
    if (this.#colours.hasSetBlending) onTrait('blending')
    const { hasMode, isMasked } = this.#colours.blending
    if (COLOURS.has(name)) onTrait('colours')
    const painted = name === 'Do' ? colours?.kindOf('XObject', resource()) : undefined
    if (painted === 'image' || painted === 'soft') onTrait('colours')
    if (painted === 'soft' || this.#colours.isTranslucent) onTrait('translucent')
    if (painted === 'form' && (hasMode || isMasked)) onMixedForm?.(resource())
    if (name === 'gs') onMask?.(resource(), this.#oddStates())
    if (SHOWING.has(name)) onTrait('text')
    const isStroke = STROKES.has(name)
    if (isStroke && !this.#line.hasWidth) onTrait('lines')
    if (isStroke && !this.#line.hasDash) onTrait('dashes')
    const isOwn = isStroke ? this.#colours.hasOwnStroke : this.#colours.hasOwnFill
    if ((isStroke || FILLS.has(name)) && !isOwn) onTrait('inherited-colour')
  }

  /** What may be different in a mask that begins in the current state. */
  #oddStates(): Trait[] {
    const { isFilled, isScaled, offsets } = this.#text
    const isPlain = isFilled && !isScaled && Object.values(offsets).every((offset) => offset === 0)
    return [
      ...(isPlain ? [] : (['text'] as const)),
      ...(this.#line.isDashed ? (['dashes'] as const) : []),
      ...(this.#colours.isColoured ? (['inherited-colour'] as const) : []),
    ]
  }

  /** @param isMask whether it only masks the current colour */
  takeImage(isMask: boolean): void {
    if (!isMask) this.#kind.onTrait?.('colours')
  }

  /**
   * Readers place a pattern differently in what takes the current colour, or paint it in one
   * colour. Poppler paints everything with the pattern of a text that has no area.
   */
  #paintsAlike(name: string, resource: () => string, operands: () => string): boolean {
    const { colours } = this.#kind
    if (!TAKES_COLOUR.has(name) || !colours || !this.#colours.hasPattern) return true
    if (name === 'Do') return UNPATTERNED.has(colours.kindOf('XObject', resource()))
    if (name === 'BI') return false
    const hasArea = !this.#text.isEmpty && !this.#isFlat && hasCharacters(operands())
    return hasArea && colours.kindOf('Font', this.#text.font ?? '') !== 'glyphs'
  }

  /** pdf.js shows opaque glyphs of Type 3 fonts. */
  #blendsAlike(name: string): boolean {
    if (!SHOWING.has(name) || !this.#colours.blending.isTranslucent) return true
    return this.#kind.colours?.kindOf('Font', this.#text.font ?? '') !== 'glyphs'
  }

  #isInOrder(name: string): boolean {
    if (this.#isBehindCorner && HALF_CURVES.has(name)) return false
    this.#isBehindCorner = name === 're' || name === 'h'
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
      this.#isFlat = false
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
    this.#savedLines.push(this.#line)
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
    this.#line = this.#savedLines.pop() ?? this.#line
    return this.#depth >= 0
  }

  #valueFault(name: string, operands: () => string): FaultCode | undefined {
    switch (name) {
      case 'Tr':
        return this.#setMode(operands().trim())
      case 'Tc':
      case 'Ts':
      case 'Tw':
        this.#text = {
          ...this.#text,
          offsets: {
            ...this.#text.offsets,
            [name]: Math.max(...numbersIn(operands()).map(Math.abs)),
          },
        }
        return undefined
      case 'Tf':
        this.#text = { ...this.#text, isEmpty: numbersIn(operands()).at(-1) === 0 }
        return undefined
      case 'Tm':
        this.#isFlat = isFlat(numbersIn(operands()))
        return undefined
      case 'Tz':
        this.#text = { ...this.#text, isScaled: numbersIn(operands())[0] !== PLAIN_SCALE }
        return undefined
      case 'M':
        return numbersIn(operands()).every(isMiterLimit) ? undefined : 'CONTENT_VALUE'
      case 'w':
        this.#line = { ...this.#line, hasWidth: true }
        return numbersIn(operands()).every((width) => width >= 0) ? undefined : 'CONTENT_VALUE'
      case 'd':
        this.#line = { ...this.#line, hasDash: true, isDashed: !SOLID.test(operands()) }
        return isDash(operands()) ? undefined : 'CONTENT_VALUE'
      case 'J':
      case 'j':
        return LINE_STYLE.test(operands().trim()) ? undefined : 'CONTENT_VALUE'
      default:
        return undefined
    }
  }

  #setMode(mode: string): FaultCode | undefined {
    this.#text = { ...this.#text, isFilled: FILLED.test(mode), isStroked: STROKED.test(mode) }
    return RENDERING_MODE.test(mode) ? undefined : 'CONTENT_VALUE'
  }

  #nameFault(operator: string, kinds: string, names: readonly string[]): FaultCode | undefined {
    const isAmounts = NAMED.get(operator)?.[0] === 'Pattern' && !kinds.endsWith('/')
    return isAmounts || this.#isNamed(operator, names) ? undefined : 'RESOURCE_MISSING'
  }

  #isNamed(operator: string, names: readonly string[]): boolean {
    const named = NAMED.get(operator)
    if (!named || !this.#kind.hasResource) return true
    const [category, isLast] = named
    const name = names.at(isLast ? -1 : 0)
    if (name === undefined) return true
    if (operator === 'Tf') this.#text = { ...this.#text, font: name }
    this.#kind.onResource?.(category, name)
    // A missing font hides text of a page for some readers, but appearances of old forms lack it.
    // Other resources that a part lacks are taken from its page by some; a page has none behind it.
    if ((category === 'Font') === (this.#kind.isPart ?? false)) return true
    const isBuiltIn = category === 'ColorSpace' && BUILT_IN.has(name)
    return isBuiltIn || this.#kind.hasResource(category, name)
  }
}

const colourOperands = (
  kinds: string,
  names: readonly string[],
  operands: () => string,
): ColourOperands => ({
  kinds,
  name: () => names.at(-1) ?? '',
  amounts: () => numbersIn(operands()).filter((amount) => !Number.isNaN(amount)),
})

function boxOf({ isGlyph, isCell, clip }: ContentKind): GlyphBox | undefined {
  if (isGlyph) return new GlyphBox()
  return isCell && clip ? new GlyphBox(clip) : undefined
}
