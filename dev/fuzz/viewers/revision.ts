/**
 * Writes one revision of a PDF from a plan that may break every rule (ISO 32000-2, 7.5): the
 * mutations of the fuzzer change the plan. All texts are Latin-1: one character for each octet.
 */
import { Buffer } from 'node:buffer'
import { deflateSync } from 'node:zlib'
import type { ObjectCipher } from './object-cipher.ts'

/** An object as the revision writes it. */
export interface PlannedObject {
  number: number
  generation: number
  /** Content between `obj` and `endobj`. */
  body: string
  /** Replaces `12 0 obj` and its line end. */
  header?: string
  /** Replaces `endobj` and its line end. */
  footer?: string
  /** Written into an object stream of the revision. */
  isPacked?: boolean
  /** Has no row of its own in the cross-reference. */
  isUnlisted?: boolean
  /** Written without encryption into an encrypted document. */
  isAsIs?: boolean
}

/** One row of a cross-reference section; fields as in a cross-reference stream. */
export interface Row {
  number: number
  /** 0 free, 1 plain, 2 in an object stream. */
  type: number
  second: number
  third: number
  /** Replaces the twenty octets of the row in a table. */
  text?: string
}

/** An object stream before it is encoded. */
export interface PackedStream {
  head: string
  data: string
  /** Entries of its dictionary beside Type and Length. */
  entries: string
}

/** Changes to a revision while it is written; each list is applied in order. */
export interface Plan {
  form: 'table' | 'stream'
  objects: PlannedObject[]
  editRows: ((rows: Row[], offsets: ReadonlyMap<number, number>) => Row[])[]
  editPacked: ((packed: PackedStream) => PackedStream)[]
  /** Edits the text of a table, from `xref` to before `trailer`. */
  editTable: ((text: string) => string)[]
  /** Edits the entries of the trailer or of the cross-reference stream. */
  editTrailer: ((entries: string) => string)[]
  /** Edits what follows the trailer, from `startxref` on. */
  editEnd: ((text: string, sectionAt: number) => string)[]
  /** Edits the complete revision without correcting offsets. */
  editTail: ((text: string) => string)[]
}

/** The file that a revision extends. */
export interface Predecessor {
  readonly bytes: Buffer
  /** Offset of its newest cross-reference section; undefined for a file that begins. */
  readonly startXref?: number
  /** One more than the highest object number. */
  readonly size: number
  /** Entries of the trailer that every revision repeats: Root, Info, Encrypt and ID. */
  readonly trailer: string
  /** Encrypts the objects; undefined for a document that is not encrypted. */
  readonly cipher?: ObjectCipher
}

/** A plan that changes nothing yet. */
export function emptyPlan(form: Plan['form']): Plan {
  return {
    form,
    objects: [],
    editRows: [],
    editPacked: [],
    editTable: [],
    editTrailer: [],
    editEnd: [],
    editTail: [],
  }
}

/** A stream object's source with its exact length. */
export const streamOf = (data: string, entries = '') =>
  `<< ${entries} /Length ${data.length} >>\nstream\n${data}\nendstream`

const apply = <T>(edits: readonly ((value: T) => T)[], value: T): T =>
  edits.reduce((current, edit) => edit(current), value)

function writePacked(plan: Plan, container: number): { source: string; rows: Row[] } {
  const packed = plan.objects.filter(({ isPacked }) => isPacked)
  let data = ''
  const pairs = packed.map(({ number, body }) => {
    const pair = `${number} ${data.length}`
    data += `${body}\n`
    return pair
  })
  const rows = packed.map(({ number }, index) => ({
    number,
    type: 2,
    second: container,
    third: index,
  }))
  const head = `${pairs.join(' ')}\n`
  const entries = `/N ${packed.length} /First ${head.length}`
  const edited = apply(plan.editPacked, { head, data, entries })
  return { source: streamOf(edited.head + edited.data, `/Type /ObjStm ${edited.entries}`), rows }
}

function subsectionsOf(rows: readonly Row[]): Row[][] {
  const result: Row[][] = []
  for (const row of rows) {
    const last = result.at(-1)
    if (last?.at(-1)?.number === row.number - 1) last.push(row)
    else result.push([row])
  }
  return result
}

const pad = (value: number, width: number) => String(value).padStart(width, '0')

function tableOf(rows: readonly Row[]): string {
  const sections = subsectionsOf(rows).map((section) => {
    const lines = section.map(({ type, second, third, text }) => {
      return text ?? `${pad(second, 10)} ${pad(third, 5)} ${type === 0 ? 'f' : 'n'} \n`
    })
    return `${section[0]?.number} ${section.length}\n${lines.join('')}`
  })
  return `xref\n${sections.join('')}`
}

/** Octets of the fields of a cross-reference stream. */
const WIDTHS = [1, 4, 2] as const
const ROW_BYTES = WIDTHS[0] + WIDTHS[1] + WIDTHS[2]
const BITS_32 = 2 ** 32

function streamRows(rows: readonly Row[]): string {
  return rows
    .map(({ type, second, third }) => {
      const row = Buffer.alloc(ROW_BYTES)
      row[0] = type & 0xff
      row.writeUInt32BE(((second % BITS_32) + BITS_32) % BITS_32, 1)
      row.writeUInt16BE(third & 0xffff, 5)
      return row.toString('latin1')
    })
    .join('')
}

/**
 * Writes the revision behind its predecessor.
 *
 * @returns the whole file
 */
export function writeRevision(before: Predecessor, plan: Plan): Buffer {
  const start = before.bytes.length
  const offsets = new Map<number, number>()
  const rows: Row[] = []
  let text = ''
  const write = (object: PlannedObject): void => {
    const { number, generation } = object
    const at = start + text.length
    offsets.set(number, at)
    if (!object.isUnlisted) rows.push({ number, type: 1, second: at, third: generation })
    const encrypt = (source: string) =>
      object.isAsIs ? source : (before.cipher?.encryptObject(object, source) ?? source)
    const header = object.header ?? `${number} ${generation} obj\n`
    text += `${header}${encrypt(object.body)}${encrypt(object.footer ?? '\nendobj\n')}`
  }
  for (const object of plan.objects) if (!object.isPacked) write(object)
  const highest = Math.max(before.size - 1, ...plan.objects.map(({ number }) => number))
  if (plan.objects.some(({ isPacked }) => isPacked)) {
    const container = writePacked(plan, highest + 1)
    write({ number: highest + 1, generation: 0, body: container.source })
    rows.push(...container.rows)
  }
  const sectionAt = start + text.length
  text += buildSection(before, plan, { rows, offsets, sectionAt, highest })
  return Buffer.concat([before.bytes, Buffer.from(apply(plan.editTail, text), 'latin1')])
}

interface Written {
  rows: Row[]
  offsets: ReadonlyMap<number, number>
  sectionAt: number
  highest: number
}

function buildSection(before: Predecessor, plan: Plan, written: Written): string {
  const { offsets, sectionAt, highest } = written
  const prev = before.startXref === undefined ? '' : ` /Prev ${before.startXref}`
  const sorted = [...written.rows].sort((a, b) => a.number - b.number)
  const rows = plan.editRows.reduce((current, edit) => edit(current, offsets), sorted)
  const end = plan.editEnd.reduce(
    (current, edit) => edit(current, sectionAt),
    `startxref\n${sectionAt}\n%%EOF\n`,
  )
  if (plan.form === 'table') {
    const size = `/Size ${highest + 2}`
    const trailer = apply(plan.editTrailer, `${size} ${before.trailer}${prev}`)
    return `${apply(plan.editTable, tableOf(rows))}trailer\n<< ${trailer} >>\n${end}`
  }
  // The stream lists itself, behind the container of packed objects.
  const own = highest + 2
  const all = [...rows, { number: own, type: 1, second: sectionAt, third: 0 }]
  const index = subsectionsOf(all).map((part) => `${part[0]?.number} ${part.length}`)
  const trailer = apply(plan.editTrailer, `/Size ${own + 1} ${before.trailer}${prev}`)
  const data = deflateSync(Buffer.from(streamRows(all), 'latin1')).toString('latin1')
  const entries =
    `/Type /XRef /W [${WIDTHS.join(' ')}] /Index [${index.join(' ')}]` +
    ` /Filter /FlateDecode ${trailer}`
  return `${own} 0 obj\n${streamOf(data, entries)}\nendobj\n${end}`
}
