/** JSON Schema validation as the contract wants it: every problem, nothing coerced, nothing stripped. */
import type { Ajv } from 'ajv'
import addFormats from 'ajv-formats'
import type { FastifyServerOptions } from 'fastify'

/** A hundred-thousandth of a page cannot be seen: sums of fractions are rounded. */
const FRACTION_TOLERANCE = 1e-5

interface Rectangle {
  x?: unknown
  y?: unknown
  width?: unknown
  height?: unknown
  unit?: unknown
}

interface Rule {
  keyword: string
  /** Whether the value keeps the rule; what is of another type is another rule's business. */
  holds(value: never, now: Date): boolean
  message: string
}

const isTextOfDate = (value: unknown): value is string =>
  typeof value === 'string' && !Number.isNaN(Date.parse(value))

/** The contract's own words beside those of JSON Schema. */
const RULES: readonly Rule[] = [
  {
    keyword: 'insidePage',
    message: 'must be inside the page',
    holds({ x, y, width, height, unit }: Rectangle) {
      if (unit !== 'fraction') return true
      const limit = 1 + FRACTION_TOLERANCE
      return !(Number(x) + Number(width) > limit || Number(y) + Number(height) > limit)
    },
  },
  {
    keyword: 'future',
    message: 'must be in the future',
    holds: (value: unknown, now) => !isTextOfDate(value) || new Date(value) > now,
  },
  {
    keyword: 'uniqueFieldIds',
    message: 'must not name two fields alike',
    holds(fields: readonly { id?: unknown }[]) {
      const ids = fields.flatMap((field) => (field?.id === undefined ? [] : [field.id]))
      return new Set(ids).size === ids.length
    },
  },
  {
    keyword: 'notYetSupported',
    message: 'is not supported by this version of the service',
    holds: () => false,
  },
]

function addRules(ajv: Ajv, now: () => Date): Ajv {
  for (const { keyword, holds, message } of RULES) {
    const validate = (wanted: boolean, value: unknown): boolean => {
      if (!wanted || value === null || holds(value as never, now())) return true
      Object.assign(validate, { errors: [{ keyword, message, params: {} }] })
      return false
    }
    ajv.addKeyword({ keyword, schemaType: 'boolean', errors: true, validate })
  }
  return ajv
}

/** @param now the clock that `future` asks */
export function ajvOptions(now: () => Date): NonNullable<FastifyServerOptions['ajv']> {
  return {
    customOptions: { allErrors: true, coerceTypes: false, removeAdditional: false },
    plugins: [
      [addFormats as never, { mode: 'full' }],
      ((ajv: Ajv) => addRules(ajv, now)) as never,
    ],
  }
}
