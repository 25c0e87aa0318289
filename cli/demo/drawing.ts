/** Generates drawings that look like signatures, as SVG path data or as PNG. */
import { Buffer } from 'node:buffer'
import { crc32, deflateSync } from 'node:zlib'

const WIDTH = 480
const HEIGHT = 160
const PEN_RADIUS = 2.2
const STEPS_PER_LETTER = 48
/** A dark blue ink. */
const INK = [18, 40, 110] as const

interface Point {
  x: number
  y: number
}

/** Path of the pen: one loop per letter, with height and slant from the letter's code. */
function penWay(name: string): Point[] {
  const letters = [...name.replace(/\s/g, '')]
  const step = (WIDTH - 60) / Math.max(letters.length, 1)
  return letters.flatMap((letter, index) => {
    const code = letter.codePointAt(0) ?? 0
    const tall = index === 0 ? 58 : 14 + (code % 5) * 8
    const wide = step * (0.5 + (code % 3) * 0.2)
    return Array.from({ length: STEPS_PER_LETTER }, (_, part) => {
      const turn = (part / STEPS_PER_LETTER) * 2 * Math.PI
      const along = 30 + step * (index + part / STEPS_PER_LETTER)
      return {
        x: along + wide * Math.sin(turn) + 6 * Math.cos(turn),
        y: HEIGHT * 0.58 - tall * (1 - Math.cos(turn)) * 0.5 + 10 * Math.sin(turn * 2),
      }
    })
  })
}

/** SVG path data of one stroke. */
export function signaturePath(name: string): string {
  const [start, ...rest] = penWay(name).map(({ x, y }) => `${x.toFixed(1)} ${y.toFixed(1)}`)
  return `M ${start} L ${rest.join(' L ')}`
}

/** Computes the opacity of each pixel, from 0 to 255. */
function inkOf(way: readonly Point[]): Uint8Array {
  const ink = new Uint8Array(WIDTH * HEIGHT)
  const reach = Math.ceil(PEN_RADIUS) + 1
  for (const [index, point] of way.entries()) {
    const next = way[index + 1] ?? point
    const parts = Math.max(1, Math.ceil(Math.hypot(next.x - point.x, next.y - point.y)))
    for (let part = 0; part < parts; part++) {
      const x = point.x + ((next.x - point.x) * part) / parts
      const y = point.y + ((next.y - point.y) * part) / parts
      for (let row = Math.floor(y) - reach; row <= y + reach; row++) {
        for (let column = Math.floor(x) - reach; column <= x + reach; column++) {
          if (row < 0 || column < 0 || row >= HEIGHT || column >= WIDTH) continue
          const cover = Math.min(1, PEN_RADIUS + 0.5 - Math.hypot(column - x, row - y))
          const place = row * WIDTH + column
          ink[place] = Math.max(ink[place] ?? 0, Math.round(255 * Math.max(0, cover)))
        }
      }
    }
  }
  return ink
}

/** Builds one chunk of a PNG (ISO/IEC 15948, 5.3). */
function chunk(type: string, data: Uint8Array): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const frame = Buffer.alloc(8)
  frame.writeUInt32BE(data.length, 0)
  frame.writeUInt32BE(crc32(body), 4)
  return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)])
}

/** Builds a PNG with a transparent background. */
export function signaturePng(name: string): Uint8Array {
  const ink = inkOf(penWay(name))
  const header = Buffer.alloc(13)
  header.writeUInt32BE(WIDTH, 0)
  header.writeUInt32BE(HEIGHT, 4)
  // 8 bits a channel, red, green, blue and opacity.
  header.set([8, 6, 0, 0, 0], 8)
  const rows = Array.from({ length: HEIGHT }, (_, row) => {
    const pixels = [...ink.subarray(row * WIDTH, (row + 1) * WIDTH)]
    return Buffer.from([0, ...pixels.flatMap((opacity) => [...INK, opacity])])
  })
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(Buffer.concat(rows))),
    chunk('IEND', Buffer.alloc(0)),
  ])
}
