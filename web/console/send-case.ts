/** Creates a case and uploads its document. */
import type { CaseAnswer, CreatedAnswer } from '../../domain/contract/answers.ts'
import { randomId } from '../lib/random-id.ts'
import type { Fault, Outcome, TenantClient } from './api.ts'
import { toInput, type Draft } from './draft.ts'

/** A document of 25 MB at 0.7 Mbit/s. */
const UPLOAD_LIMIT_MS = 5 * 60_000

export type CreatedCase = (typeof CreatedAnswer)['static']

/** Keys by draft and content; a digest would need HTTPS. Like drafts, they end with the page. */
const keys = new Map<string, string>()

/** The same request has the same key, so that a repetition finds its case. */
function keyFor(body: string, attempt: string): string {
  const request = attempt + body
  const key = keys.get(request) ?? randomId()
  keys.set(request, key)
  return key
}

/** @returns why the document was not uploaded, or undefined */
export async function uploadDocument(
  { url, type }: NonNullable<CreatedCase['upload']>,
  bytes: Uint8Array,
): Promise<Fault | undefined> {
  try {
    const response = await fetch(url, {
      method: type,
      headers: { 'content-type': 'application/pdf' },
      body: bytes as BodyInit,
      signal: AbortSignal.timeout(UPLOAD_LIMIT_MS),
    })
    return response.ok ? undefined : { kind: 'refused', httpStatus: response.status }
  } catch {
    return { kind: 'unreachable' }
  }
}

/**
 * Sends the case. After a failure, the same call continues with the same case.
 *
 * @param attempt names this draft, so that another one with the same content is another case
 */
export async function sendCase(
  client: TenantClient,
  draft: Draft,
  bytes: Uint8Array,
  attempt: string,
): Promise<Outcome<CaseAnswer>> {
  const body = toInput(draft)
  const headers = { 'idempotency-key': keyFor(JSON.stringify(body), attempt) }
  const created = await client.ask<CreatedCase>('POST', '/cases', { body, headers })
  if (created.kind !== 'answered') return created
  const { case: made, upload: target } = created.value
  const fault = target && (await uploadDocument(target, bytes))
  return fault ?? { kind: 'answered', value: made }
}
