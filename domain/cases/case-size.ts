/**
 * Limits the size of a case as a resource. etcd refuses a write of more than 1.5 MiB, so a case is
 * only accepted when every possible later signature, invitation and state still fits (decision
 * 2). Pure.
 */
import { Buffer } from 'node:buffer'
import * as limits from '../limits.ts'
import { acceptedStatus } from './complete.ts'
import type { ParticipantDefinition } from './definition.ts'
import type { Rectangle } from './rectangle.ts'
import type { SignatureCase } from './signature-case.ts'
import type { Cancellation, InvitationRequest, SignatureFact } from './spec.ts'

/** etcd's `--max-request-bytes` of 1,572,864, minus the part of a request around the object. */
export const MAXIMUM_CASE_BYTES = 1_500_000
/** Metadata, conditions, reasons and results of the status, and `managedFields`. */
const STATUS_BYTES = 64 * limits.KIBIBYTE

/** The API server escapes these as `\u` and four hexadecimal digits: six octets. */
const ESCAPED_BY_SERVER = /[<>&\u2028\u2029]/g
const ESCAPE_BYTES = 6

/** Size of a value in the JSON that the API server stores, in octets. */
export function jsonBytes(value: unknown): number {
  const text = JSON.stringify(value)
  const escaped = text.match(ESCAPED_BY_SERVER) ?? []
  const saved = escaped.reduce((sum, one) => sum + Buffer.byteLength(one), 0)
  return Buffer.byteLength(text) - saved + escaped.length * ESCAPE_BYTES
}

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Builds the API server's record of who wrote an object of a list (`metadata.managedFields`). */
function ownership(value: object): Record<string, unknown> {
  const members = Object.entries(value).map(([name, member]) => [
    `f:${name}`,
    isObject(member) ? ownership(member) : {},
  ])
  return { '.': {}, ...(Object.fromEntries(members) as object) }
}

/**
 * Size of one more entry of a list of type map, in octets.
 *
 * @param keys members that identify the entry
 */
function entryBytes(entry: Record<string, unknown>, keys: readonly string[]): number {
  const named = Object.fromEntries(keys.map((key) => [key, entry[key]]))
  const owned = { [`k:${JSON.stringify(named)}`]: ownership(entry) }
  return jsonBytes([entry]) + jsonBytes(owned)
}

const UUID = '00000000-0000-0000-0000-000000000000'
const SHA256 = '0'.repeat(64)
const TIME = '2026-01-01T00:00:00.000000000+00:00'
/** Each takes six octets in JSON. */
const longest = (length: number) => '\u0001'.repeat(length)
/** The JavaScript number between 0 and 100,000 with the longest text. */
const LONGEST_NUMBER = 0.0000012345678901234567
const ORIGIN = { ip: longest(8), userAgent: '0'.repeat(limits.MAXIMUM_USER_AGENT_LENGTH) }

const RECTANGLE: Rectangle = {
  page: limits.MAXIMUM_PAGE_NUMBER,
  x: LONGEST_NUMBER,
  y: LONGEST_NUMBER,
  width: LONGEST_NUMBER,
  height: LONGEST_NUMBER,
  unit: 'fraction',
}
const EXTENT = { width: LONGEST_NUMBER, height: LONGEST_NUMBER }
const OWN_PLACES = {
  rectangles: Array.from({ length: limits.MAXIMUM_FIELDS_PER_PARTICIPANT }, () => RECTANGLE),
  pageSize: EXTENT,
}

/** The largest fact of a participant, without the places. */
const LARGEST_FACT: SignatureFact = {
  factId: UUID,
  participantId: UUID,
  signedAt: TIME,
  documentSha256: SHA256,
  consent: { textVersion: longest(limits.MAXIMUM_NAME_LENGTH), acceptedAt: TIME },
  client: {
    timezone: longest(limits.MAXIMUM_NAME_LENGTH),
    language: longest(limits.MAXIMUM_NAME_LENGTH),
    screen: EXTENT,
    viewedAllPages: false,
  },
  drawing: { mediaType: 'image/svg+xml', sha256: SHA256 },
  ...ORIGIN,
  trail: { sequence: Number.MAX_SAFE_INTEGER, hash: SHA256 },
  signature: { kid: '0'.repeat(limits.MAXIMUM_NAME_LENGTH), value: '0'.repeat(128) },
}

const LARGEST_INVITATION: InvitationRequest = {
  requestId: UUID,
  participantId: UUID,
  at: TIME,
  ...ORIGIN,
}

const LARGEST_CANCELLATION: Cancellation = {
  at: TIME,
  reason: longest(limits.MAXIMUM_REASON_LENGTH),
  ...ORIGIN,
}

/** The largest facts that can follow; tests write them. */
export const LARGEST = {
  fact: { ...LARGEST_FACT, ...OWN_PLACES },
  invitation: LARGEST_INVITATION,
  cancellation: LARGEST_CANCELLATION,
} as const

const FACT_KEYS = ['participantId', 'factId']
const FACT_BYTES = entryBytes(LARGEST_FACT, FACT_KEYS)
const OWN_PLACES_BYTES = entryBytes(LARGEST.fact, FACT_KEYS) - FACT_BYTES
const INVITATION_BYTES = entryBytes(LARGEST_INVITATION, ['requestId'])
const CANCELLATION_BYTES =
  jsonBytes(LARGEST_CANCELLATION) + jsonBytes(ownership(LARGEST_CANCELLATION))

function signatureBytes({ signatureFields }: ParticipantDefinition, ownPlaces: boolean): number {
  const fieldIds = signatureFields.map(({ id }) => id)
  const fields = jsonBytes({ fieldIds }) + jsonBytes({ 'f:fieldIds': {} })
  return FACT_BYTES + Math.max(fields, ownPlaces ? OWN_PLACES_BYTES : 0)
}

/** Maximum size of the resource with all facts that can be added later, in octets. */
export function worstCaseBytes(signatureCase: SignatureCase): number {
  const { metadata, spec } = signatureCase
  const { definition } = spec
  const { ownPlaces = true, participants } = definition
  const signatures = participants.map((one) => signatureBytes(one, ownPlaces))
  return (
    jsonBytes({ definition, creation: spec.creation }) +
    jsonBytes(ownership(definition)) +
    jsonBytes(acceptedStatus(signatureCase)) +
    jsonBytes(metadata.annotations ?? {}) +
    signatures.reduce((sum, bytes) => sum + bytes, 0) +
    limits.MAXIMUM_INVITATION_REQUESTS * INVITATION_BYTES +
    CANCELLATION_BYTES +
    STATUS_BYTES
  )
}

/** Returns why the case is too large, with the limit and its maximum size, or undefined. */
export function findSizeFault(
  signatureCase: SignatureCase,
): { limit: number; bytes: number; message: string } | undefined {
  const [limit, bytes] = [MAXIMUM_CASE_BYTES, worstCaseBytes(signatureCase)]
  if (bytes <= limit) return undefined
  const message =
    `must have at most ${limit} octets once everybody has signed, not ${bytes}: ` +
    'use fewer participants or fields, or shorter texts'
  return { limit, bytes, message }
}

/** Cuts a text to at most `maximumBytes` octets of JSON, without splitting a character. */
export function cutToJsonBytes(text: string, maximumBytes: number): string {
  let [end, bytes] = [0, 0]
  for (const character of text) {
    bytes += jsonBytes(character) - jsonBytes('')
    if (bytes > maximumBytes) break
    end += character.length
  }
  return text.slice(0, end)
}
