/**
 * Finds drawings that draw themselves, that are nested too deeply, or that together draw too much:
 * forms, tiling patterns, soft masks and glyphs of Type 3 fonts (ISO 32000-2, 8.7.3, 8.10, 9.6.4,
 * 11.6.5.2).
 */
import { PadesError } from '../errors.ts'
import type { PdfDocument } from '../pdf/document.ts'
import { PdfStream, type PdfValue } from '../pdf/values.ts'
import type { FaultCode } from './faults.ts'

/** Readers end a recursion at different depths; Poppler at 100. Honest documents have below 10. */
const MAXIMUM_DEPTH = 50
/**
 * Bytes of content that one page or one part of it draws, each as often as it is drawn. A form that
 * draws another one twice, thirty times over, stops every reader.
 */
const MAXIMUM_DRAWN_BYTES = 256 * 1024 * 1024

const TOO_OFTEN =
  'The parts of a page draw each other too often; print the PDF to a new one and upload that'

/** Content of a page, or of a stream that draws a part of one. */
interface Content {
  bytes: number
  /** How often it draws each stream, by where the data of the stream begin. */
  readonly draws: Map<number, number>
}

interface Extent {
  readonly depth: number
  readonly bytes: number
}

/** What a content stream reports while it is read. */
export interface NestingListener {
  /** An operator uses a resource. */
  use(category: string, name: string): void
  /** The content has this size when it is decoded. */
  measure(bytes: number): void
}

/** Which content draws which. */
export class Nesting {
  readonly #document: PdfDocument
  readonly #contents = new Map<number, Content>()
  readonly #extents = new Map<number, Extent>()

  constructor(document: PdfDocument) {
    this.#document = document
  }

  /**
   * Begins a content.
   *
   * @param id of a stream: where its data begin; of a page: a negative number
   */
  begin(id: number, resources: PdfValue | undefined): NestingListener {
    const content = this.#contents.get(id) ?? { bytes: 0, draws: new Map<number, number>() }
    this.#contents.set(id, content)
    const { draws } = content
    const named = this.#document.dictionary(resources)
    const fonts = new Set<string>()
    return {
      use: (category, name) => {
        // How often a text shows each glyph is not counted, so a font counts once.
        if (category === 'Font' && fonts.has(name)) return
        if (category === 'Font') fonts.add(name)
        const value = this.#document.dictionary(named?.get(category))?.get(name)
        for (const { start } of this.#drawnBy(category, value)) {
          draws.set(start, (draws.get(start) ?? 0) + 1)
        }
      },
      measure: (bytes) => {
        content.bytes = bytes
      },
    }
  }

  /**
   * Judges all contents.
   *
   * @returns undefined when every reader draws all of them to the end
   * @throws PadesError `LIMIT_EXCEEDED`
   */
  findFault(): FaultCode | undefined {
    for (const id of this.#contents.keys()) {
      const extent = this.#extentOf(id, 0)
      if (!extent) return 'DRAWING_NESTED'
      if (extent.bytes > MAXIMUM_DRAWN_BYTES) {
        throw new PadesError('LIMIT_EXCEEDED', TOO_OFTEN)
      }
    }
    return undefined
  }

  /** @returns undefined when the nesting is too deep, which it is where a content draws itself */
  #extentOf(id: number, depth: number): Extent | undefined {
    const known = this.#extents.get(id)
    if (known) return known
    if (depth > MAXIMUM_DEPTH) return undefined
    const { bytes, draws } = this.#contents.get(id) ?? { bytes: 0, draws: new Map() }
    let extent: Extent = { depth: 0, bytes: bytes + 1 }
    for (const [drawn, times] of draws) {
      const inner = this.#extentOf(drawn, depth + 1)
      if (!inner || inner.depth >= MAXIMUM_DEPTH) return undefined
      extent = {
        depth: Math.max(extent.depth, inner.depth + 1),
        bytes: extent.bytes + times * inner.bytes,
      }
    }
    this.#extents.set(id, extent)
    return extent
  }

  #drawnBy(category: string, value: PdfValue | undefined): PdfStream[] {
    const document = this.#document
    const resolved = document.resolve(value)
    switch (category) {
      case 'XObject':
      case 'Pattern':
        return resolved instanceof PdfStream ? [resolved] : []
      case 'ExtGState': {
        const mask = document.dictionary(document.dictionary(resolved)?.get('SMask'))
        const group = document.resolve(mask?.get('G'))
        return group instanceof PdfStream ? [group] : []
      }
      case 'Font': {
        const glyphs = document.dictionary(document.dictionary(resolved)?.get('CharProcs'))
        return [...(glyphs?.values() ?? [])]
          .map((glyph) => document.resolve(glyph))
          .filter((glyph) => glyph instanceof PdfStream)
      }
      default:
        return []
    }
  }
}
