/** The document under attack: its objects as text, with their roles. */
import type { Buffer } from 'node:buffer'
import { readDocument } from '../../../pades/pdf/open.ts'
import type { PdfDocument } from '../../../pades/pdf/document.ts'
import { serialise } from '../../../pades/pdf/serialise.ts'
import { PdfReference } from '../../../pades/pdf/values.ts'
import { ObjectCipher } from './object-cipher.ts'
import type { Area } from './raster.ts'
import type { Plan, Predecessor } from './revision.ts'

/** The role of an object, which decides what an attacker would change in it. */
export type Role =
  | 'catalog'
  | 'pages'
  | 'page'
  | 'form'
  | 'signature-field'
  | 'annotation'
  | 'signature'
  | 'font'
  | 'x-object'
  | 'stream'
  | 'resources'
  | 'security-store'
  | 'encryption'
  | 'information'
  | 'array'
  | 'number'
  | 'other'

export interface BaseObject {
  readonly number: number
  readonly generation: number
  readonly role: Role
  /** Between `obj` and `endobj`, without white space around it, decrypted; Latin-1. */
  readonly source: string
  /** The same as the file has it. */
  readonly written: string
  readonly isPacked: boolean
}

export interface Base extends Predecessor {
  readonly name: string
  readonly form: Plan['form']
  readonly objects: readonly BaseObject[]
  readonly rootNumber: number
  /** Areas of visible signatures. */
  readonly signatureAreas: readonly Area[]
}

const TYPES: readonly (readonly [RegExp, Role])[] = [
  [/\/Filter\s*\/Standard\b/, 'encryption'],
  [/\/Type\s*\/Catalog\b/, 'catalog'],
  [/\/Type\s*\/Pages\b/, 'pages'],
  [/\/Type\s*\/Page\b/, 'page'],
  [/\/Type\s*\/Font\b/, 'font'],
  [/\/ByteRange\b/, 'signature'],
  [/\/FT\s*\/Sig\b/, 'signature-field'],
  [/\/Subtype\s*\/(Widget|Square|FreeText|Stamp)\b/, 'annotation'],
  [/\/Fields\b/, 'form'],
  [/\/Subtype\s*\/(Form|Image)\b/, 'x-object'],
  [/\/(VRI|Certs)\b/, 'security-store'],
  [/\/(Font|XObject)\s*<</, 'resources'],
]
/** Types of structural streams, which the attacker does not change. */
const STRUCTURE = /\/Type\s*\/(XRef|ObjStm)\b/

function roleOf(source: string): Role {
  const streamAt = source.search(/>>\s*stream\r?\n/)
  const head = streamAt === -1 ? source : source.slice(0, streamAt)
  const known = TYPES.find(([pattern]) => pattern.test(head))
  if (known) return known[1]
  if (streamAt !== -1) return 'stream'
  if (source.startsWith('[')) return 'array'
  return /^\d+$/.test(source) ? 'number' : 'other'
}

/** Finds `endobj` after the data of a stream, which may contain that word. */
function sourceAt(bytes: Buffer, offset: number): string {
  const text = bytes.toString('latin1', offset)
  const from = /^\s*\d+\s+\d+\s+obj\s*/.exec(text)?.[0].length ?? 0
  const end = text.indexOf('endobj', from)
  const stream = /\bstream\r?\n/.exec(text.slice(from, end))
  if (!stream) return text.slice(from, end).trimEnd()
  const head = text.slice(from, from + stream.index)
  const length = Number(/\/Length (\d+)\b(?! \d+ R)/.exec(head)?.[1] ?? 0)
  const after = from + stream.index + stream[0].length + length
  return text.slice(from, text.indexOf('endobj', after)).trimEnd()
}

function readObjects(
  bytes: Buffer,
  document: PdfDocument,
  cipher: ObjectCipher | undefined,
): BaseObject[] {
  const info = document.trailer.get('Info')
  const objects: BaseObject[] = []
  for (let number = 1; number < document.size; number++) {
    const entry = document.entryOf(number)
    if (!entry || entry.kind === 'free') continue
    const isPacked = entry.kind === 'compressed'
    const generation = entry.kind === 'plain' ? entry.generation : 0
    const written = isPacked
      ? serialise(document.get(new PdfReference(number, 0)))
      : sourceAt(bytes, (entry as { offset: number }).offset + document.offsetBase)
    const owner = { number, generation }
    const isEncrypted = cipher !== undefined && !isPacked && !STRUCTURE.test(written)
    const source = isEncrypted ? cipher.decryptObject(document, owner, written) : written
    if (STRUCTURE.test(source)) continue
    const isInformation = info instanceof PdfReference && info.number === number
    const role = isInformation ? 'information' : roleOf(source)
    objects.push({ number, generation, role, source, written, isPacked })
  }
  return objects
}

/** Entries of the newest trailer that a revision repeats. */
function repeatedEntries(document: PdfDocument): string {
  return ['Root', 'Info', 'Encrypt', 'ID']
    .filter((key) => document.trailer.has(key))
    .map((key) => {
      const value = document.trailer.get(key) ?? null
      return `/${key} ${serialise(value)}`
    })
    .join(' ')
}

function cipherOf({ cipher, trailer }: PdfDocument): ObjectCipher | undefined {
  const encryption = trailer.get('Encrypt')
  const number = encryption instanceof PdfReference ? encryption.number : 0
  return cipher && new ObjectCipher(cipher, number)
}

/** Offset that the last `startxref` gives. */
function startXrefOf(bytes: Buffer): number {
  const at = bytes.lastIndexOf('startxref')
  return Number.parseInt(bytes.toString('latin1', at + 'startxref'.length, at + 40), 10)
}

/**
 * Parses a well-formed document.
 *
 * @param signatureAreas where pictures may differ from those of the unsigned document
 */
export function openBase(name: string, bytes: Buffer, signatureAreas: readonly Area[] = []): Base {
  return readDocument(bytes, (document) => {
    const startXref = startXrefOf(bytes)
    const root = document.trailer.get('Root')
    const cipher = cipherOf(document)
    return {
      name,
      bytes,
      startXref,
      size: document.size,
      trailer: repeatedEntries(document),
      form: bytes.toString('latin1', startXref, startXref + 4) === 'xref' ? 'table' : 'stream',
      objects: readObjects(bytes, document, cipher),
      ...(cipher && { cipher }),
      rootNumber: root instanceof PdfReference ? root.number : 0,
      signatureAreas,
    }
  })
}

/** The objects of a role, or all of them. */
export const objectsOf = (base: Base, ...roles: readonly Role[]): readonly BaseObject[] =>
  roles.length === 0 ? base.objects : base.objects.filter(({ role }) => roles.includes(role))
