/**
 * The pages of a composed document while they are drawn: text, rules, areas (ISO 32000-2, 8.4 to
 * 9.4).
 */
import { Buffer } from 'node:buffer'
import { deflateSync } from 'node:zlib'

import {
  type PDFContext,
  type PDFDict,
  type PDFDocument,
  PDFName,
  PDFObjectParser,
  PDFRawStream,
  PDFRef,
} from 'pdf-lib'

import { FallbackFonts } from '../appearance/fallback-fonts.ts'
import { type FaceName, type FontSubset, startSubset } from '../appearance/font.ts'
import { pdfNumbers } from '../appearance/numbers.ts'
import type { ObjectSink } from '../appearance/object-sink.ts'
import type { Shaper } from '../appearance/shaper.ts'
import { breakAnywhere, cleanText, wrapText } from '../appearance/text.ts'
import { PadesError } from '../errors.ts'
import type { Language, Picture } from './model.ts'
import { PageContents, type Purpose } from './page-contents.ts'
import { Drawings, moduleOperators } from './pictures.ts'
import type { StructureElement } from './structure.ts'
import { PAGE, type TextStyle } from './style.ts'

const MAX_PAGES = 2_000
const RULE_WIDTH_PT = 0.5

/** Fonts by the names under which page contents know them. */
const FONT_NAMES: Record<FaceName, string> = { sans: 'Sans', bold: 'Bold', mono: 'Mono' }

const LETTERS = 'abcdefghijklmnopqrstuvwxyz'
const TEXT = `${LETTERS}${LETTERS.toUpperCase()} 0123456789.,:;-–()/@„“”’…·×áäčďéíľňóôšťúýžÁČĎĽŠŤŽ`
/**
 * What subsets always have, so that most documents of the service have the same ones, which are
 * made once.
 */
const COMMON: Record<FaceName, string> = {
  sans: TEXT,
  bold: TEXT,
  mono: `${LETTERS} 0123456789.-_:/`,
}

const NO_BREAK_SPACE = '\u00A0'
/** An abbreviation and its number: "č. 7", "No. 7". */
const NUMBERED = /(?<=(?:^|\s)\p{L}{1,3}\.) (?=\d)/gu
/** Slovak does not leave a preposition or conjunction of one letter at the end of a row. */
const LONE_LETTER = /(?<=(?:^|\s)[aikosuvz]) /giu

function keepTogether(text: string, language: Language): string {
  const kept = text.replace(NUMBERED, NO_BREAK_SPACE)
  return language === 'sk' ? kept.replace(LONE_LETTER, NO_BREAK_SPACE) : kept
}

/** Letters that run from right to left: a space at the end of a row would move them. */
const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/u

/** Says where words end, for programs that read the rows aloud (ISO 32000-1, 14.8.2.5). */
function withWordBreaks(text: string, rows: readonly string[]): string[] {
  let position = 0
  return rows.map((row, index) => {
    position = text.indexOf(row, position) + row.length
    const isWordEnd = index < rows.length - 1 && text[position] === ' '
    return isWordEnd && !RIGHT_TO_LEFT.test(row) ? `${row} ` : row
  })
}

/** Where a row goes; `y` is its baseline, from the top of the page. */
export interface TextPlace {
  readonly x: number
  readonly y: number
  readonly purpose: Purpose
  readonly page?: number
}

/** Where a picture goes, in points from the upper left corner of the page. */
export interface PicturePlace {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

/** Measures and draws; `y` is counted downwards from the top of the page. */
export class Canvas {
  readonly #fonts = new Map<FaceName, FontSubset>()
  readonly #pages: PageContents[] = []
  readonly #drawings = new Drawings()
  readonly #language: Language
  readonly #fallbacks: FallbackFonts

  /** @param shaper of `shaperFor` with all texts */
  constructor(language: Language, shaper?: Shaper) {
    this.#language = language
    this.#fallbacks = new FallbackFonts(shaper)
  }

  /** Pages that were begun; the last is the one that is drawn on. */
  get pageCount(): number {
    return this.#pages.length
  }

  /** @throws PadesError `CONTENT_TOO_LARGE` - beyond 2,000 pages */
  addPage(): void {
    if (this.#pages.length >= MAX_PAGES) {
      throw new PadesError('CONTENT_TOO_LARGE', `more than ${MAX_PAGES} pages`)
    }
    this.#pages.push(new PageContents())
  }

  /** Width of a text in points. */
  widthOf(text: string, style: TextStyle): number {
    return (this.#font(style.face).widthOf(text) * style.sizePt) / 1_000
  }

  /**
   * Rows of a text that fit a width; typewriter text breaks anywhere, other between words. A space
   * ends a row where the next one begins another word, beyond the width.
   */
  wrap(text: string, style: TextStyle, widthPt: number): string[] {
    const font = this.#font(style.face)
    const rowWidth = (widthPt * 1_000) / style.sizePt
    const cleaned = keepTogether(cleanText(text).trim(), this.#language)
    return style.face === 'mono'
      ? breakAnywhere(cleaned, font.widthOf, rowWidth)
      : withWordBreaks(cleaned, wrapText(cleaned, font.widthOf, rowWidth))
  }

  /** Draws one row with its baseline at `y` on the last page, or on the page named. */
  text(
    text: string,
    style: TextStyle,
    { x, y, purpose, page = this.pageCount - 1 }: TextPlace,
  ): void {
    if (text === '') return
    const fontName = FONT_NAMES[style.face]
    const { sizePt } = style
    const shown = text.replaceAll(NO_BREAK_SPACE, ' ')
    const operators = this.#font(style.face).show(shown, { fontName, sizePt })
    const shownAt =
      `BT ${style.colour} rg /${fontName} ${pdfNumbers(sizePt)} Tf` +
      ` ${pdfNumbers(x, PAGE.height - y)} Td ${operators} ET`
    this.#pages[page].add(shownAt, purpose, page)
  }

  /** Draws a thin straight line. */
  line(
    colour: string,
    from: readonly [number, number],
    to: readonly [number, number],
    page = this.pageCount - 1,
  ): void {
    const path =
      `${colour} RG ${RULE_WIDTH_PT} w ${pdfNumbers(from[0], PAGE.height - from[1])} m` +
      ` ${pdfNumbers(to[0], PAGE.height - to[1])} l S`
    this.#pages[page].add(path, 'decoration', page)
  }

  /** Fills a rectangle that hangs down from `y`. */
  area(colour: string, x: number, y: number, width: number, height: number): void {
    this.#draw(`${colour} rg ${pdfNumbers(x, PAGE.height - y - height, width, height)} re f`)
  }

  /** Draws a filled dot: a line of no length with round ends. */
  dot(colour: string, x: number, y: number, diameter: number): void {
    const at = pdfNumbers(x, PAGE.height - y)
    this.#draw(`q 1 J ${colour} RG ${pdfNumbers(diameter)} w ${at} m ${at} l S Q`)
  }

  /** Draws a picture that hangs down from `y`, as a figure of the structure. */
  picture(picture: Picture, figure: StructureElement, { x, y, width, height }: PicturePlace): void {
    const bottom = PAGE.height - y - height
    figure.box = [x, bottom, x + width, bottom + height]
    const page = this.pageCount - 1
    const operators =
      'modules' in picture
        ? moduleOperators(picture.modules, x, bottom, Math.min(width, height))
        : `q 1 0 0 1 ${pdfNumbers(x, bottom)} cm` +
          ` /${this.#drawings.nameOf(picture.drawing, width, height)} Do Q`
    this.#pages[page].add(operators, figure, page)
  }

  /** Adds the pages and their fonts to the document. */
  writeTo(document: PDFDocument): void {
    const { context } = document
    const sink = sinkOf(context)
    const fonts = [...this.#fonts].map(([face, font]) => [
      FONT_NAMES[face],
      PDFRef.of(font.writeTo(sink)),
    ])
    const others = this.#fallbacks
      .writeTo(sink)
      .map(({ name, objectNumber }) => [name, PDFRef.of(objectNumber)])
    const dictionary = Object.fromEntries([...fonts, ...others])
    const pictures = this.#drawings
      .writeTo(sink)
      .map(([name, objectNumber]) => [name, PDFRef.of(objectNumber)] as const)
    const XObject = pictures.length > 0 ? { XObject: Object.fromEntries(pictures) } : {}
    const resources = context.register(context.obj({ Font: dictionary, ...XObject }))
    for (const { operators } of this.#pages) {
      const { node } = document.addPage([PAGE.width, PAGE.height])
      node.set(PDFName.Resources, resources)
      // The library's own way to deflate takes many times as long.
      const packed = deflateSync(operators.join('\n'))
      const contents = context.stream(packed, { Filter: 'FlateDecode' })
      node.set(PDFName.Contents, context.register(contents))
    }
  }

  #draw(operators: string): void {
    const page = this.pageCount - 1
    this.#pages[page].add(operators, 'decoration', page)
  }

  #font(face: FaceName): FontSubset {
    const known = this.#fonts.get(face)
    if (known) return known
    const font = startSubset(face, this.#fallbacks)
    this.#fonts.set(face, font)
    font.encode(COMMON[face])
    return font
  }
}

/**
 * Takes over fonts as the signing path writes them: measuring and encoding texts with fontkit
 * takes some fifteen times as long, seconds for a long trail.
 */
function sinkOf(context: PDFContext): ObjectSink {
  return {
    add(source, stream) {
      const object = PDFObjectParser.forBytes(Buffer.from(source, 'latin1'), context).parseObject()
      const whole = stream ? PDFRawStream.of(object as PDFDict, stream) : object
      return context.register(whole).objectNumber
    },
  }
}
