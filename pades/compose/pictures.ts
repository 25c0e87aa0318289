/** Pictures in composed documents: drawings of signers, and squares of a QR code. */
import { Buffer } from 'node:buffer'
import { deflateSync } from 'node:zlib'

import type { Drawing } from '../appearance/drawing.ts'
import { drawInBox } from '../appearance/image-xobject.ts'
import { pdfNumbers } from '../appearance/numbers.ts'
import type { ObjectSink } from '../appearance/object-sink.ts'

/** Rows of modules, true for dark; ISO/IEC 18004. */
export type Modules = readonly (readonly boolean[])[]

interface ShownDrawing {
  readonly drawing: Drawing
  readonly width: number
  readonly height: number
}

/**
 * Returns the operators that fill the dark modules of a square as one path.
 *
 * @param left of the lower left corner, in points; `bottom` too
 */
export function moduleOperators(modules: Modules, left: number, bottom: number, sidePt: number) {
  const scale = sidePt / modules.length
  const rectangles = modules.flatMap((row, index) => {
    const y = modules.length - 1 - index
    return runsOf(row).map(([start, length]) => pdfNumbers(start, y, length, 1) + ' re')
  })
  return `q 0 g ${pdfNumbers(scale, 0, 0, scale, left, bottom)} cm\n${rectangles.join('\n')}\nf Q`
}

/** Dark modules beside each other are one rectangle. */
function runsOf(row: readonly boolean[]): [start: number, length: number][] {
  const runs: [number, number][] = []
  for (const [index, isDark] of row.entries()) {
    const last = runs.at(-1)
    if (isDark && last && last[0] + last[1] === index) last[1] += 1
    else if (isDark) runs.push([index, 1])
  }
  return runs
}

/** The drawings of a document; the same one of the same size is written once. */
export class Drawings {
  readonly #shown: ShownDrawing[] = []

  /** Takes up a drawing. @returns its name in the resources */
  nameOf(drawing: Drawing, width: number, height: number): string {
    const isSame = (one: ShownDrawing) =>
      one.drawing === drawing && one.width === width && one.height === height
    const known = this.#shown.findIndex(isSame)
    if (known >= 0) return `Picture${known}`
    this.#shown.push({ drawing, width, height })
    return `Picture${this.#shown.length - 1}`
  }

  /** Writes a form XObject for each. @returns object numbers by name */
  writeTo(sink: ObjectSink): [name: string, objectNumber: number][] {
    return this.#shown.map(({ drawing, width, height }, index) => {
      const { operators, image } = drawInBox(sink, drawing, { left: 0, bottom: 0, width, height })
      const images = image === undefined ? '' : ` /XObject << /Drawing ${image} 0 R >>`
      const source =
        `<< /Type /XObject /Subtype /Form /BBox [0 0 ${pdfNumbers(width, height)}]` +
        ` /Resources <<${images} >> /Filter /FlateDecode >>`
      return [`Picture${index}`, sink.add(source, deflateSync(Buffer.from(operators)))]
    })
  }
}
