/** Validates the schema again, for resources that were not created through the API (design 3). */
import { addressFaults, headerNameFaults } from '../contract/callback-rules.ts'
import { FRACTION_TOLERANCE } from '../limits.ts'
import { findSchemaFault } from '../schema-faults.ts'
import { CaseSpec } from './spec.ts'

const WEB = ['http:', 'https:']
const SECURE = ['https:']

interface Place {
  path: string
  message: string
}

/** Rules beyond the schema, with the same messages as in the API. */
function* ruleFaults({ definition }: CaseSpec): Generator<Place, undefined> {
  for (const [position, { signatureFields }] of definition.participants.entries()) {
    const path = `/definition/participants/${position}/signatureFields`
    for (const [index, { x, y, width, height, unit }] of signatureFields.entries()) {
      const reach = Math.max(x + width, y + height)
      if (unit === 'fraction' && reach > 1 + FRACTION_TOLERANCE) {
        yield { path: `${path}/${index}`, message: 'must be inside the page' }
      }
    }
    const ids = new Set(signatureFields.map(({ id }) => id))
    if (ids.size < signatureFields.length) {
      yield { path, message: 'must not contain two fields with the same id' }
    }
  }
  const { url, tokenUrl, apiKeyHeader } = definition.callback ?? {}
  const callback = '/definition/callback'
  for (const { message } of url === undefined ? [] : addressFaults(url, WEB)) {
    yield { path: `${callback}/url`, message }
  }
  for (const { message } of tokenUrl === undefined ? [] : addressFaults(tokenUrl, SECURE)) {
    yield { path: `${callback}/tokenUrl`, message }
  }
  for (const { message } of apiKeyHeader === undefined ? [] : headerNameFaults(apiKeyHeader)) {
    yield { path: `${callback}/apiKeyHeader`, message }
  }
}

/** Returns where and how a spec violates its schema, as a sentence, or undefined. */
export function specFault(spec: unknown): string | undefined {
  const fault = findSchemaFault(CaseSpec, spec) ?? ruleFaults(spec as CaseSpec).next().value
  return fault && `spec${fault.path}: ${fault.message}`
}
