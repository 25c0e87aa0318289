/** The messages between the sandbox and its parent: a task and a document in, one answer out. */
import { Buffer } from 'node:buffer'
import type {
  AnnotationAppearance,
  ForeseenSigning,
  OccupiedPlace,
  PageSize,
  SandboxValidation,
  ValidationRequest,
} from '../../domain/ports/pdf-sandbox.ts'

/** Octets of the lengths (big-endian) that go before the task, as JSON, and the document. */
export const LENGTH_BYTES = 4

export type SandboxTask =
  { kind: 'inspect'; signing: ForeseenSigning } | { kind: 'validate'; request: ValidationRequest }

/**
 * The only part of a connection that a client keeps open for as long as it may have documents: the
 * reader does not end before it.
 */
export const ATTACHMENT = '{"attached":true}'

/** A part and its length before it. */
export function frame(part: Uint8Array): [length: Buffer, part: Uint8Array] {
  const length = Buffer.alloc(LENGTH_BYTES)
  length.writeUInt32BE(part.length)
  return [length, part]
}

/** The child's answer, one line of JSON. */
export type SandboxAnswer =
  | {
      outcome: 'inspected'
      pages: PageSize[]
      carriesSignatures: boolean
      /** Absent when every annotation has its own appearance. */
      drawn?: AnnotationAppearance[]
      /** Absent for a document without signatures, and for one without fields. */
      occupied?: OccupiedPlace[]
    }
  /** It can be read, but not signed as foreseen; a code of `pades` and a sentence say why. */
  | { outcome: 'unsignable'; pages: PageSize[]; code: string; message: string }
  | { outcome: 'validated'; validation: SandboxValidation }
  /** The document cannot be read; the code is one of `pades`. */
  | { outcome: 'refused'; code: string; message: string }
  /** The reader met what it does not know: a fault of ours, and nothing that can be signed. */
  | { outcome: 'broke'; fault: string }

/** Names of the members that encode values which JSON cannot express. */
const OCTETS = '$octets'
const INSTANT = '$instant'

/** JSON in which octets and instants are kept. */
export function encode(value: SandboxTask | SandboxAnswer): string {
  return JSON.stringify(value, function replace(this: Record<string, unknown>, key, shown) {
    const own = this[key]
    if (own instanceof Uint8Array) return { [OCTETS]: Buffer.from(own).toString('base64') }
    if (own instanceof Date) return { [INSTANT]: own.getTime() }
    return shown as unknown
  })
}

/** @throws SyntaxError */
export function decode<T extends SandboxTask | SandboxAnswer>(text: string): T {
  return JSON.parse(text, (_key, value: unknown) => {
    if (typeof value !== 'object' || value === null) return value
    const { [OCTETS]: octets, [INSTANT]: instant } = value as Record<string, unknown>
    if (typeof octets === 'string') return new Uint8Array(Buffer.from(octets, 'base64'))
    return typeof instant === 'number' ? new Date(instant) : value
  }) as T
}
