/**
 * Finds drawings that draw themselves, that are nested too deeply, that together draw too much, or
 * whose colours depend on what draws them: forms, tiling patterns, soft masks and glyphs of Type 3
 * fonts (ISO 32000-2, 8.7.3, 8.10, 9.6.4, 11.6.5.2).
 */
import { PadesError, PRINT_ANEW } from '../errors.ts'
import type { PdfDocument } from '../pdf/document.ts'
import { PdfReference, PdfStream, type PdfValue } from '../pdf/values.ts'
import type { Trait } from './content-kind.ts'
import type { FaultCode } from './faults.ts'

/** Readers end a recursion at different depths; Poppler at 100. Honest documents have below 10. */
const MAXIMUM_DEPTH = 50
/**
 * Glyphs may show no glyphs of a Type 3 font: how often a text shows each glyph is not counted, and
 * eight fonts within each other, ten characters each, stop readers. Honest documents have none.
 */
const MAXIMUM_FONTS = 1
/**
 * Bytes of content that one page or one part of it draws, each as often as it is drawn. A form that
 * draws another one twice, thirty times over, stops every reader.
 */
const MAXIMUM_DRAWN_BYTES = 256 * 1024 * 1024

const TOO_OFTEN = `The parts of a page draw each other too often; ${PRINT_ANEW}`

/** Fonts have the numbers from here on; no data begin there. */
const FIRST_FONT = 2 ** 40
/** Number of all patterns that are shadings, which draw nothing else. */
const SHADING = FIRST_FONT - 1

/** Content of a page, or of a stream that draws a part of one; or the glyphs of a font. */
interface Content {
  bytes: number
  /** How often it draws each stream, by where the data of the stream begin, and each font. */
  readonly draws: Map<number, number>
  readonly traits: Set<Trait>
}

/** Readers begin each of these in a state of their own, or in that of what draws it. */
const OF_CELLS: readonly Trait[] = ['text']
const OF_GLYPHS: readonly Trait[] = ['dashes', 'lines', 'text']
/** Traits that do not count for what draws a content. */
const OWN: ReadonlySet<Trait> = new Set(['knockout', 'shape'])

const isFont = (id: number) => id >= FIRST_FONT

interface Extent {
  readonly depth: number
  /** Fonts whose glyphs are drawn within each other. */
  readonly fonts: number
  /** Whether something in it is painted with a pattern. */
  readonly hasPattern: boolean
  readonly bytes: number
}

/** What a content stream reports while it is read. */
export interface NestingListener {
  /** An operator uses a resource. */
  use(category: string, name: string): void
  /** The content has this size when it is decoded. */
  measure(bytes: number): void
  /** The content begins in the colours of what draws it; nothing draws an appearance. */
  inherit(): void
  addTrait(trait: Trait): void
  /** A graphics state is set while some states differ from those with which a page begins. */
  mask(state: string, odd: readonly Trait[]): void
  /** A form that is not a group is drawn with a blend mode or a mask. */
  mix(form: string): void
}

/** Which content draws which. */
export class Nesting {
  readonly #document: PdfDocument
  readonly #contents = new Map<number, Content>()
  /** Streams whose colours depend on what draws them. */
  readonly #inheriting = new Set<number>()
  readonly #extents = new Map<number, Extent>()
  readonly #patterns = new Set<number>()
  /** Traits that a mask may not have. */
  readonly #masks = new Map<number, Set<Trait>>()
  /** Forms that are drawn with a blend mode or a mask; PDFium applies it to all of the form. */
  readonly #mixed = new Set<number>()
  readonly #traits = new Map<number, ReadonlySet<Trait>>()
  /** Numbers of fonts, by the object of the font or by its value. */
  readonly #fonts = new Map<unknown, number>()

  constructor(document: PdfDocument) {
    this.#document = document
  }

  /**
   * Begins a content.
   *
   * @param id of a stream: where its data begin; of a page: a negative number
   */
  begin(id: number, resources: PdfValue | undefined): NestingListener {
    const content = this.#contents.get(id) ?? newContent()
    this.#contents.set(id, content)
    const { draws } = content
    const named = this.#document.dictionary(resources)
    return {
      use: (category, name) => {
        const value = this.#document.dictionary(named?.get(category))?.get(name)
        if (category === 'Font') {
          // How often a text shows each glyph is not counted.
          draws.set(this.#idOfFont(value), 1)
          return
        }
        const drawn = this.#drawnBy(category, value)
        const isPattern = category === 'Pattern'
        const number = drawn?.start ?? (isPattern ? SHADING : undefined)
        if (number === undefined) return
        if (isPattern) this.#patterns.add(number)
        draws.set(number, (draws.get(number) ?? 0) + 1)
      },
      measure: (bytes) => {
        content.bytes = bytes
      },
      inherit: () => void this.#inheriting.add(id),
      addTrait: (trait) => void content.traits.add(trait),
      mask: (state, odd) => {
        const value = this.#document.dictionary(named?.get('ExtGState'))?.get(state)
        const mask = this.#drawnBy('ExtGState', value)
        const isAlpha = this.#isAlpha(value)
        for (const trait of mask ? odd : []) {
          if (trait !== 'inherited-colour' || !isAlpha)
            this.#masks.get(mask?.start ?? 0)?.add(trait)
        }
      },
      mix: (form) => {
        const value = this.#document.dictionary(named?.get('XObject'))?.get(form)
        const drawn = this.#drawnBy('XObject', value)
        if (drawn) this.#mixed.add(drawn.start)
      },
    }
  }

  /**
   * Judges all contents.
   *
   * @returns undefined when every reader draws all of them to the end, in the same colours
   * @throws PadesError `LIMIT_EXCEEDED`
   */
  findFault(): FaultCode | undefined {
    for (const [id, { draws }] of this.#contents) {
      if ([...draws.keys()].some((drawn) => this.#inheriting.has(drawn))) return 'CONTENT_OPERANDS'
      const extent = this.#extentOf(id, 0)
      if (!extent || extent.fonts > MAXIMUM_FONTS) return 'DRAWING_NESTED'
      if (extent.bytes > MAXIMUM_DRAWN_BYTES) {
        throw new PadesError('LIMIT_EXCEEDED', TOO_OFTEN)
      }
    }
    return this.#dependsOnState() ? 'STATE_INHERITED' : undefined
  }

  /** Whether something depends on the state of what draws it, in which readers differ. */
  #dependsOnState(): boolean {
    for (const [id, { draws, traits: own }] of this.#contents) {
      const traits = this.#traitsOf(id)
      if (own.has('shape') && traits.has('colours')) return true
      if (this.#mixed.has(id) && traits.has('blending')) return true
      if (this.#patterns.has(id) && OF_CELLS.some((trait) => traits.has(trait))) return true
      if (own.has('knockout') && traits.has('translucent')) return true
      if ([...(this.#masks.get(id) ?? [])].some((trait) => traits.has(trait))) return true
      const glyphs = isFont(id) ? [...draws.keys()] : []
      const areOdd = glyphs.some((glyph) => {
        const ofGlyph = this.#traitsOf(glyph)
        return OF_GLYPHS.some((trait) => ofGlyph.has(trait))
      })
      if (areOdd) return true
    }
    return false
  }

  /** Traits of a content and of the forms that it draws; nothing draws itself. */
  #traitsOf(id: number): ReadonlySet<Trait> {
    const known = this.#traits.get(id)
    if (known) return known
    const { draws, traits } = this.#contents.get(id) ?? newContent()
    const all = new Set(traits)
    for (const drawn of draws.keys()) {
      if (isFont(drawn) || this.#patterns.has(drawn) || this.#masks.has(drawn)) continue
      for (const trait of this.#traitsOf(drawn)) if (!OWN.has(trait)) all.add(trait)
    }
    this.#traits.set(id, all)
    return all
  }

  /**
   * Within the cell of a pattern and within a glyph, readers place patterns differently (8.7.3.1).
   *
   * @returns undefined when it paints so, or when the nesting is too deep, which it is where a
   *   content draws itself
   */
  #extentOf(id: number, depth: number): Extent | undefined {
    const known = this.#extents.get(id)
    if (known) return known
    if (depth > MAXIMUM_DEPTH) return undefined
    const { bytes, draws } = this.#contents.get(id) ?? newContent()
    const fonts = isFont(id) && draws.size > 0 ? 1 : 0
    let extent: Extent = { depth: 0, fonts, hasPattern: false, bytes: bytes + 1 }
    const isRepeated = isFont(id) || this.#patterns.has(id)
    for (const [drawn, times] of draws) {
      const step = isFont(drawn) ? 0 : 1
      const inner = this.#extentOf(drawn, depth + step)
      if (!inner || inner.depth + step > MAXIMUM_DEPTH) return undefined
      const hasPattern = inner.hasPattern || this.#patterns.has(drawn)
      if (hasPattern && isRepeated) return undefined
      extent = {
        depth: Math.max(extent.depth, inner.depth + step),
        fonts: Math.max(extent.fonts, inner.fonts + fonts),
        hasPattern: extent.hasPattern || hasPattern,
        bytes: extent.bytes + times * inner.bytes,
      }
    }
    this.#extents.set(id, extent)
    return extent
  }

  /** The number of a font. Its glyphs are read once, however many contents choose it. */
  #idOfFont(value: PdfValue | undefined): number {
    const identity = value instanceof PdfReference ? value.number : value
    const known = this.#fonts.get(identity)
    if (known !== undefined) return known
    const id = FIRST_FONT + this.#fonts.size
    this.#fonts.set(identity, id)
    const draws = new Map<number, number>()
    const document = this.#document
    const font = document.dictionary(document.resolve(value))
    for (const glyph of document.dictionary(font?.get('CharProcs'))?.values() ?? []) {
      const stream = document.resolve(glyph)
      if (stream instanceof PdfStream) draws.set(stream.start, 1)
    }
    this.#contents.set(id, { ...newContent(), draws })
    return id
  }

  /** Whether the mask of a graphics state has no colours. */
  #isAlpha(state: PdfValue | undefined): boolean {
    const document = this.#document
    const mask = document.dictionary(document.dictionary(state)?.get('SMask'))
    return document.name(mask?.get('S')) === 'Alpha'
  }

  #drawnBy(category: string, value: PdfValue | undefined): PdfStream | undefined {
    const document = this.#document
    const resolved = document.resolve(value)
    if (category === 'XObject' || category === 'Pattern') return streamIn(resolved)
    if (category !== 'ExtGState') return undefined
    const mask = document.dictionary(document.dictionary(resolved)?.get('SMask'))
    const form = streamIn(document.resolve(mask?.get('G')))
    if (form && !this.#masks.has(form.start)) this.#masks.set(form.start, new Set(['lines']))
    return form
  }
}

const newContent = (): Content => ({ bytes: 0, draws: new Map(), traits: new Set() })

const streamIn = (value: PdfValue): PdfStream | undefined =>
  value instanceof PdfStream ? value : undefined
