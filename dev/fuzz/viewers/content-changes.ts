/**
 * Content streams that readers may decode or delimit differently (ISO 32000-2, 7.3.8, 7.4, 7.8.2
 * and 8.9.7): filters, lengths, parts and inline images, right and wrong ones.
 */
import { Buffer } from 'node:buffer'
import { constants, deflateSync } from 'node:zlib'
import { encodeLzw } from '../../../test/fixtures/lzw.ts'
import type { Random } from '../../../test/fixtures/mutations.ts'
import { add, BLACK, pick, pickTarget } from './attacker.ts'
import type { Base } from './base.ts'
import { rewrite } from './object-changes.ts'
import type { Plan } from './revision.ts'

/** One in this many pieces is malformed. */
const ODD = 8
const isOdd = (random: Random) => random(ODD) === 0

const deflate = (text: string, finishFlush = constants.Z_FINISH) =>
  deflateSync(Buffer.from(text, 'latin1'), { finishFlush }).toString('latin1')

function inRuns(text: string): string {
  const parts = text.match(/[^]{1,99}/g) ?? []
  return parts.map((part) => String.fromCharCode(part.length - 1) + part).join('') + '\u0080'
}

function inBase85(text: string): string {
  const groups = text.match(/[^]{1,4}/g) ?? []
  const encoded = groups.map((group) => {
    let value = Buffer.from(group.padEnd(4, '\0'), 'latin1').readUInt32BE(0)
    let digits = ''
    for (let index = 0; index < 5; index++) {
      digits = String.fromCharCode(0x21 + (value % 85)) + digits
      value = Math.floor(value / 85)
    }
    return digits === '!!!!!' && group.length === 4 ? 'z' : digits.slice(0, group.length + 1)
  })
  return `${encoded.join('')}~>`
}

const inHex = (text: string) => `${Buffer.from(text, 'latin1').toString('hex')}>`

type Encode = (text: string, random: Random) => string

/** Filters by their names and abbreviations. */
const FILTERS: Readonly<Record<string, Encode>> = {
  FlateDecode: (text, random) => deflate(text, pick(FLUSHES, random)),
  Fl: (text) => deflate(text),
  LZWDecode: (text) => encodeLzw(text),
  RunLengthDecode: inRuns,
  ASCIIHexDecode: inHex,
  AHx: inHex,
  ASCII85Decode: inBase85,
  A85: inBase85,
}
const FLUSHES = [constants.Z_FINISH, constants.Z_FINISH, constants.Z_SYNC_FLUSH]

/** Changes, cuts or lengthens encoded data. */
function damaged(data: string, random: Random): string {
  const at = random(data.length + 1)
  const changes = [
    () => data.slice(0, -1 - random(6)),
    () => `${data.slice(0, at)}${String.fromCharCode(random(256))}${data.slice(at + 1)}`,
    () => `${data.slice(0, at)}${pick(['\0', ' ', 'x', '~', '>'], random)}${data.slice(at)}`,
    () => `${data}${pick([BLACK, '\n', 'x', ` ${BLACK} `], random)}`,
  ]
  return pick(changes, random)()
}

/** A stream of content, encoded and delimited in some way. */
function encodedStream(text: string, random: Random): string {
  const names = random(3) === 0 ? [] : [pick(Object.keys(FILTERS), random)]
  if (random(4) === 0) names.unshift(pick(['ASCIIHexDecode', 'A85'], random))
  let data = text
  for (const name of names.toReversed()) data = FILTERS[name]?.(data, random) ?? data
  if (isOdd(random)) data = damaged(data, random)
  const filter = names.length > 0 ? `/Filter [${names.map((name) => `/${name}`).join(' ')}]` : ''
  const off = pick([0, 1, -1, 6, 12, 40, -6, 9_999, -data.length, -9_999_999], random)
  const length = isOdd(random) ? data.length + off : data.length
  const start = isOdd(random) ? pick(['\r', ' \n', '\r\n', '', '\n\n'], random) : '\n'
  const end = isOdd(random) ? pick(['\r', '', '\r\n', ' \n\n', '\nendstrea\n'], random) : '\n'
  return `<< ${filter} /Length ${length} >>\nstream${start}${data}${end}endstream`
}

const SAMPLE_FILTERS = ['Fl', 'AHx', 'A85'] as const

/** An inline image whose end, data or entries may be odd. */
function inlineImage(random: Random): string {
  const [width, height] = [1 + random(6), 1 + random(3)]
  const bytes = [...Array(width * height)].map(() => pick(['a', '\u00ff', '\0', 'E', ' '], random))
  const evil = pick([`EI ${BLACK} `, `xEI Q ${BLACK} q `, `\nEI\n${BLACK}\n`, ` ${BLACK} `], random)
  let data = bytes.join('')
  const filter = random(3) === 0 ? pick(SAMPLE_FILTERS, random) : undefined
  if (filter) data = FILTERS[filter]?.(data, random) ?? data
  const where = random(6)
  if (where === 0) data += evil
  if (where === 1) data = data.slice(0, 1) + evil + data.slice(1)
  const counts = isOdd(random)
    ? [width + pick([-1, 1, 50, 3_000], random), height]
    : [width, height]
  const entries = [`/W ${counts[0]} /H ${counts[1]} /BPC 8 /CS /G`, filter ? `/F /${filter}` : '']
  if (isOdd(random)) entries.push(pick(['/Width 1', '/Height 9', '/IM true', '/L 9'], random))
  const start = isOdd(random) ? pick(['\r\n', '\r', '\n', '  ', '\t'], random) : ' '
  const end = isOdd(random) ? pick(['', 'x', '\r\n', '\t', '    \n'], random) : '\n'
  const after = isOdd(random) ? pick(['\t', '\r\n', ' \u00e9', '\0', '%\n'], random) : '\n'
  const place = 'q 90 0 0 60 180 40 cm'
  return `${place} BI ${entries.join(' ')} ID${start}${data}${end}EI${after}Q\n`
}

/** Draws a bar; a number may be odd. */
function bar(random: Random): string {
  const zero = isOdd(random) ? pick(['.', '-.', '0.', '.0', '+0', '--0'], random) : '0'
  return `${zero} g 20 ${zero} m 20 ${30 + random(60)} 50 9 re f\n`
}

/** Adds streams to the contents of a page. */
export function contentStreams(plan: Plan, base: Base, random: Random): void {
  const page = pickTarget(base, random, 'page')
  const pieces = [...Array(1 + random(3))].map(() =>
    random(2) === 0 ? inlineImage(random) : bar(random),
  )
  const text = `${pieces.join('')}0 g 120 150 60 20 re f${pick(['', '\n'], random)}`
  const cut = random(3) === 0 ? random(text.length) : text.length
  const parts = [text.slice(0, cut), text.slice(cut)].filter((part) => part !== '')
  const numbers = parts.map((part) => add(plan, base, encodedStream(part, random)))
  const contents = `/Contents [${numbers.map((number) => `${number} 0 R`).join(' ')}]`
  const own = /\/Contents\s*(?:\[[^\]]*\]|\d+ 0 R)/
  rewrite(plan, page, page.source.replace(own, contents))
}
