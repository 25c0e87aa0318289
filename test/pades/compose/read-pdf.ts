/** Reads back what a composed PDF shows, for tests: page by page, in the order of drawing. */
import { Buffer } from 'node:buffer'
import { inflateSync } from 'node:zlib'

export interface ShownText {
  readonly text: string
  readonly x: number
  /** Baseline above the lower edge of the page. */
  readonly y: number
  readonly sizePt: number
  readonly font: string
}

export interface ReadPdf {
  readonly objects: ReadonlyMap<number, { source: string; stream?: Buffer }>
  readonly pages: readonly (readonly ShownText[])[]
  readonly catalog: string
}

const TEXT = /\/(\w+) ([\d.]+) Tf ([-\d.]+) ([-\d.]+) Td <([0-9a-f]*)> Tj/g

export function readPdf(bytes: Uint8Array): ReadPdf {
  const objects = readObjects(Buffer.from(bytes))
  const streamOf = (number: number): string => {
    const { source, stream } = objects.get(number) ?? { source: '' }
    if (!stream) return ''
    return (source.includes('/FlateDecode') ? inflateSync(stream) : stream).toString('latin1')
  }
  const sources = [...objects.values()].map(({ source }) => source)
  const find = (pattern: RegExp): string => sources.find(source => pattern.test(source)) ?? ''
  const fonts = new Map<string, Map<string, string>>()
  for (const [, name, number] of find(/^<< \/Font/).matchAll(/\/(\w+) (\d+) 0 R/g)) {
    const toUnicode = /\/ToUnicode (\d+)/.exec(objects.get(Number(number))?.source ?? '')
    const lines = streamOf(Number(toUnicode?.[1])).matchAll(/<(\w{4})> <(\w+)>\n?/g)
    fonts.set(name, new Map([...lines].map(([, code, units]) =>
      [code, Buffer.from(units, 'hex').swap16().toString('utf16le')])))
  }
  const kids = /\/Kids \[(.*)\]/.exec(find(/\/Type \/Pages/))?.[1].matchAll(/(\d+) 0 R/g) ?? []
  const pages = [...kids].map(([, kid]) => {
    const contents = /\/Contents (\d+)/.exec(objects.get(Number(kid))?.source ?? '')
    return [...streamOf(Number(contents?.[1])).matchAll(TEXT)].map(
      ([, font, size, x, y, codes]) => ({
        text: (codes.match(/.{4}/g) ?? []).map(code => fonts.get(font)?.get(code) ?? '?').join(''),
        x: Number(x), y: Number(y), sizePt: Number(size), font,
      }))
  })
  return { objects, pages, catalog: find(/\/Type \/Catalog/) }
}

/** All rows of a page, one per line. */
export function textOf(page: readonly ShownText[]): string {
  return page.map(({ text }) => text).join('\n')
}

function readObjects(file: Buffer): Map<number, { source: string; stream?: Buffer }> {
  const text = file.toString('latin1')
  const start = Number(/startxref\n(\d+)/.exec(text)?.[1])
  const offsets = [...text.slice(start).matchAll(/(\d{10}) 00000 n/g)].map(([, at]) => Number(at))
  return new Map(offsets.map((offset, index) => {
    const number = index + 1
    const head = `${number} 0 obj\n`
    if (!text.startsWith(head, offset)) throw new Error(`Object ${number} is not at ${offset}`)
    const sourceEnd = Math.min(
      ...['\nstream\n', '\nendobj'].map(end => text.indexOf(end, offset)).filter(at => at >= 0),
    )
    const source = text.slice(offset + head.length, sourceEnd)
    const length = /\/Length (\d+)/.exec(source)
    if (!text.startsWith('\nstream\n', sourceEnd) || !length) return [number, { source }]
    const from = sourceEnd + '\nstream\n'.length
    const stream = file.subarray(from, from + Number(length[1]))
    if (!text.startsWith('\nendstream', from + stream.length)) throw new Error('Wrong /Length')
    return [number, { source, stream }]
  }))
}
