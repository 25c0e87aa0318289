/** Cross-reference sections and trailers as PDF source (ISO 32000-2, 7.5.4, 7.5.5, 7.5.8). */
import { Buffer } from 'node:buffer'

import type { CrossReferenceEntry } from './cross-reference.ts'
import { nameSource, serialise } from './serialise.ts'
import type { PdfDictionary } from './values.ts'

/** What a cross-reference section says of one object. */
export interface Row {
  readonly number: number
  readonly entry: CrossReferenceEntry
}

/** Entries of a trailer or cross-reference stream that are about one section alone. */
const OWN_TRAILER_KEYS: ReadonlySet<string> = new Set([
  'Size',
  'Prev',
  'XRefStm',
  'ID',
  'Type',
  'W',
  'Index',
  'Length',
  'Filter',
  'DecodeParms',
  'DL',
  'F',
  'FFilter',
  'FDecodeParms',
])
/** The head of the list of free objects, in every section that starts at object 0. */
export const FREE_HEAD: Row = { number: 0, entry: { kind: 'free' } }

/** The entries of a trailer that every revision repeats, each with a space after it. */
export function keptTrailerEntries(trailer: PdfDictionary): string {
  return Array.from(trailer)
    .filter(([key]) => !OWN_TRAILER_KEYS.has(key))
    .map(([key, value]) => `${nameSource(key)} ${serialise(value)} `)
    .join('')
}

/** A cross-reference table, from `xref` to before `trailer`. */
export function tableSource(rows: readonly Row[]): string {
  let source = 'xref\n'
  for (const run of runsOf(rows)) {
    source += `${run[0].number} ${run.length}\n`
    for (const { number, entry } of run) source += tableEntry(number, entry)
  }
  return source
}

/**
 * The data of a cross-reference stream.
 *
 * @returns `entries`: `/W` and `/Index`, as source of its dictionary
 */
export function streamSection(rows: readonly Row[]): { entries: string; data: Buffer } {
  const runs = runsOf(rows)
  const fields = runs.flat().map(({ entry }) => streamFields(entry))
  const secondBytes = bytesFor(fields.reduce((most, [, second]) => Math.max(most, second), 0))
  const thirdBytes = bytesFor(fields.reduce((most, [, , third]) => Math.max(most, third), 0))
  const width = 1 + secondBytes + thirdBytes
  const data = Buffer.alloc(fields.length * width)
  for (const [row, [type, second, third]] of fields.entries()) {
    data[row * width] = type
    data.writeUIntBE(second, row * width + 1, secondBytes)
    data.writeUIntBE(third, row * width + 1 + secondBytes, thirdBytes)
  }
  const index = runs.map((run) => `${run[0].number} ${run.length}`).join(' ')
  return { entries: `/W [1 ${secondBytes} ${thirdBytes}] /Index [${index}]`, data }
}

/** Rows by number, the last of each, cut where numbers are not consecutive. */
function runsOf(rows: readonly Row[]): Row[][] {
  const byNumber = new Map(rows.map((row) => [row.number, row]))
  const sorted = [...byNumber.values()].sort((a, b) => a.number - b.number)
  const runs: Row[][] = []
  let next = -1
  for (const row of sorted) {
    if (row.number === next) runs[runs.length - 1].push(row)
    else runs.push([row])
    next = row.number + 1
  }
  return runs
}

const padded = (value: number, digits: number): string => String(value).padStart(digits, '0')

function tableEntry(number: number, entry: CrossReferenceEntry): string {
  if (entry.kind === 'plain') {
    return `${padded(entry.offset, 10)} ${padded(entry.generation, 5)} n \n`
  }
  return number === 0 ? '0000000000 65535 f \n' : '0000000000 00000 f \n'
}

function streamFields(entry: CrossReferenceEntry): [type: number, second: number, third: number] {
  switch (entry.kind) {
    case 'free':
      return [0, 0, 65_535]
    case 'plain':
      return [1, entry.offset, entry.generation]
    case 'compressed':
      return [2, entry.container, entry.index]
  }
}

/** Octets of an unsigned number; six hold every offset that a number can be exact about. */
function bytesFor(value: number): number {
  let count = 1
  while (count < 6 && value >= 256 ** count) count += 1
  return count
}
