/**
 * JSON Schema validation as the contract wants it: every problem, nothing coerced, nothing
 * stripped.
 */
import { domainToASCII } from 'node:url'
import addFormats, { type FormatsPlugin } from 'ajv-formats'
import type { FastifyServerOptions } from 'fastify'
import {
  addressFaults,
  authenticationFaults,
  depthFaults,
  headerNameFaults,
  sizeFaults,
} from '../domain/contract/callback-rules.ts'
import { TOO_SMALL } from '../domain/cases/placement.ts'
import { FRACTION_TOLERANCE, MINIMUM_RECTANGLE_PT } from '../domain/limits.ts'
import { phoneNumberOf } from '../domain/second-factor/factor.ts'
import { visibleTextFaults } from '../domain/visible-text.ts'
import { illFormedTexts } from './ill-formed-texts.ts'

type Ajv = Parameters<FormatsPlugin>[0]

interface Fault {
  message: string
  keyword?: string
  params?: object
  /** Where the value is; the place of the rule when absent. */
  instancePath?: string
}

/** One of the contract's own words beside those of JSON Schema. */
interface Rule {
  keyword: string
  /** Values of other types are another rule's business; without a type the rule judges all. */
  type?: 'array' | 'object' | 'string'
  faults(value: never, now: () => Date): readonly Fault[]
}

interface Rectangle {
  x?: unknown
  y?: unknown
  width?: unknown
  height?: unknown
  unit?: unknown
}

const unless = (holds: boolean, message: string, params: object = {}): Fault[] =>
  holds ? [] : [{ message, params }]

/** Whether a stretch reaches past the end of its page; another rule checks that it is a number. */
function isBeyond(start: unknown, extent: unknown): boolean {
  if (typeof start !== 'number' || typeof extent !== 'number') return false
  return start + extent > 1 + FRACTION_TOLERANCE
}

interface PlacesInput {
  ownPlaces?: unknown
  participants?: unknown
}

/** Participants who could sign nowhere, because they may not choose a place and have none. */
function placelessFaults(participants: readonly unknown[]): Fault[] {
  return participants.flatMap((participant, index): Fault[] => {
    if (typeof participant !== 'object' || participant === null) return []
    const { signatureFields } = participant as { signatureFields?: unknown }
    const instancePath = `/participants/${index}`
    const reason = 'as ownPlaces is false'
    if (signatureFields === undefined) {
      const params = { missingProperty: 'signatureFields' }
      const message = `must have required property 'signatureFields' ${reason}`
      return [{ keyword: 'required', instancePath, params, message }]
    }
    if (!Array.isArray(signatureFields) || signatureFields.length > 0) return []
    return [
      {
        keyword: 'minItems',
        instancePath: `${instancePath}/signatureFields`,
        params: { limit: 1 },
        message: `must NOT have fewer than 1 items ${reason}`,
      },
    ]
  })
}

const RULES: readonly Rule[] = [
  {
    keyword: 'insidePage',
    type: 'object',
    faults({ x, y, width, height, unit }: Rectangle) {
      const reachesOut = isBeyond(x, width) || isBeyond(y, height)
      return unless(unit !== 'fraction' || !reachesOut, 'must be inside the page', { unit })
    },
  },
  {
    keyword: 'minimumSize',
    type: 'object',
    // What a fraction comes to is known with the pages, at intake.
    faults({ width, height, unit }: Rectangle) {
      const isSmall = (extent: unknown) =>
        typeof extent === 'number' && extent > 0 && extent < MINIMUM_RECTANGLE_PT
      return unit === 'pt' && (isSmall(width) || isSmall(height)) ? [TOO_SMALL] : []
    },
  },
  {
    keyword: 'future',
    type: 'string',
    faults(value: string, now) {
      const instant = Date.parse(value)
      return unless(!(instant <= now().getTime()), 'must be in the future')
    },
  },
  {
    keyword: 'uniqueFieldIds',
    type: 'array',
    faults(fields: readonly ({ id?: unknown } | null)[]) {
      // An empty id is none.
      const ids = fields.map((field) => field?.id ?? '').filter((id) => id !== '')
      return unless(
        new Set(ids).size === ids.length,
        'must not contain two fields with the same id',
      )
    },
  },
  {
    keyword: 'placesForAll',
    type: 'object',
    faults: ({ ownPlaces, participants }: PlacesInput) =>
      ownPlaces === false && Array.isArray(participants) ? placelessFaults(participants) : [],
  },
  { keyword: 'authenticated', type: 'object', faults: authenticationFaults },
  {
    keyword: 'webUrl',
    type: 'string',
    faults: (value: string) => addressFaults(value, ['http:', 'https:']),
  },
  {
    keyword: 'httpsUrl',
    type: 'string',
    faults: (value: string) => addressFaults(value, ['https:']),
  },
  { keyword: 'visibleText', type: 'string', faults: visibleTextFaults },
  {
    keyword: 'phoneNumber',
    type: 'string',
    faults(value: string) {
      // An empty one is none.
      if (value === '' || phoneNumberOf(value) !== undefined) return []
      const params = { format: 'phone' }
      return [{ keyword: 'format', params, message: 'must be a telephone number' }]
    },
  },
  { keyword: 'headerName', type: 'string', faults: headerNameFaults },
  { keyword: 'maxJsonBytes', type: 'object', faults: sizeFaults },
  { keyword: 'maxJsonDepth', type: 'object', faults: depthFaults },
  {
    keyword: 'wellFormed',
    faults: (value: unknown) =>
      illFormedTexts(value).map((instancePath) => ({
        keyword: 'format',
        instancePath,
        params: { format: 'unicode' },
        message: 'must be well-formed Unicode',
      })),
  },
]

/** Our own keywords of JSON Schema. */
export const RULE_KEYWORDS: readonly string[] = RULES.map(({ keyword }) => keyword)

function addRules(ajv: Ajv, now: () => Date): Ajv {
  for (const { keyword, type, faults } of RULES) {
    const validate = (isEnabled: boolean, value: unknown): boolean => {
      const found = isEnabled ? faults(value as never, now) : []
      if (found.length === 0) return true
      Object.assign(validate, { errors: found.map((fault) => ({ keyword, params: {}, ...fault })) })
      return false
    }
    ajv.addKeyword({
      keyword,
      ...(type === undefined ? {} : { type }),
      schemaType: 'boolean',
      errors: true,
      validate,
    })
  }
  return ajv
}

const LAST_YEAR = 9999

/** A time that a clock can show, whose year has four digits in UTC too: it is stored as given. */
function isInstant(text: string): boolean {
  const instant = new Date(text)
  const year = instant.getUTCFullYear()
  return year >= 0 && year <= LAST_YEAR
}

/**
 * RFC 3339, 5.6. The library also takes a space in the place of `T`, and offsets such as `+0100`.
 */
export const DATE_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/i

/** RFC 3339, and an instant: a leap second is none. */
function narrowDateTime(ajv: Ajv): Ajv {
  const { validate } = ajv.formats['date-time'] as { validate(text: string): boolean }
  return ajv.addFormat(
    'date-time',
    (text: string) => DATE_TIME.test(text) && validate(text) && isInstant(text),
  )
}

/**
 * RFC 5321, and domains in letters beyond ASCII, which mailers write in their ASCII form (RFC 5890,
 * 2.3.2.1): the part before `@` is not for us to change.
 */
function widenEmail(ajv: Ajv): Ajv {
  const plain = ajv.formats.email as RegExp
  return ajv.addFormat('email', (text: string) => {
    const at = text.lastIndexOf('@')
    const domain = text.slice(at + 1)
    if (at < 0 || !/[^\0-\x7f]/.test(domain)) return plain.test(text)
    return plain.test(`${text.slice(0, at)}@${domainToASCII(domain)}`)
  })
}

/** @param now the clock that `future` asks */
export function ajvOptions(now: () => Date): NonNullable<FastifyServerOptions['ajv']> {
  return {
    customOptions: { allErrors: true, coerceTypes: false, removeAdditional: false },
    plugins: [
      [addFormats as never, { mode: 'full' }],
      narrowDateTime as never,
      widenEmail as never,
      ((ajv: Ajv) => addRules(ajv, now)) as never,
    ],
  }
}
