/** Builds the TypeBox schema of one environment variable. */
import { Type, type Static, type TSchema } from '@sinclair/typebox'
import type { FormName } from '../forms.ts'

/** `service` is the whole service on one machine; the others are processes of a cluster. */
export type Process = 'service' | 'api' | 'controller' | 'worker' | 'reader' | 'pkcs11'

/** All processes that need the stores and outside services of a cluster. */
export const CLUSTER_PROCESSES = ['api', 'controller', 'worker'] as const

/** What people and other programs need to know about a variable. */
export interface Notes {
  /** One line, without a full stop; it completes "NAME is required: …". */
  summary: string
  /** Further sentences or clauses for the reference page, in Markdown. */
  about?: string
  /** Processes that read it; empty: only a command. */
  readBy: readonly Process[]
  /** Processes that do not start without it. */
  requiredBy?: readonly Process[]
  /** What the variable is when it is absent, in Markdown, if it has no simple default. */
  absent?: string
  /** Messages never repeat the value. */
  isSecret?: true
}

/** Declares a whole number. @param unit completes "a … from … to …" or "a number of …" */
export const integer = (unit: string, minimum: number, maximum: number, notes: Notes) =>
  Type.Integer({ minimum, maximum, unit, ...notes })

const LARGEST_PORT = 65_535
/** Declares a TCP port; 0 lets the system choose one. */
export const port = (notes: Notes) => integer('port', 0, LARGEST_PORT, notes)

/** The longest delay that a timer supports. */
const LARGEST_DELAY_MS = 2 ** 31 - 1
/** Declares a time in milliseconds. */
export const milliseconds = (notes: Notes) =>
  integer('number of milliseconds', 0, LARGEST_DELAY_MS, notes)

const LARGEST_LIMIT = 9_999_999
/** Declares a limit; 0 means that there is none. */
export const limit = (unit: string, notes: Notes) =>
  Type.Integer({ minimum: 0, maximum: LARGEST_LIMIT, unit, zero: 'no limit', ...notes })

/** Declares a text of a form. */
export const text = (form: FormName, notes: Notes) => Type.String({ form, ...notes })

/** Declares a list of texts, separated by commas; absent, it is empty. */
export const list = (form: FormName, notes: Notes, maxItems?: number) =>
  withDefault(
    Type.Array(Type.String({ form }), { ...(maxItems !== undefined && { maxItems }), ...notes }),
    [],
  )

/** Declares one of several words. */
export const oneOf = <const W extends readonly string[]>(words: W, notes: Notes) =>
  Type.Union(
    words.map((word) => Type.Literal(word as W[number])),
    { ...notes },
  )

/**
 * Adds the value that an absent variable has.
 *
 * @param onCluster where it differs for the processes of a cluster
 */
export function withDefault<S extends TSchema>(
  schema: S,
  standard: Static<S>,
  onCluster: Static<S> = standard,
): S & { default: Static<S> } {
  return { ...schema, default: standard, onCluster }
}
