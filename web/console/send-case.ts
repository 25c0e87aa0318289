/** Creates a case and uploads its document. */
import type { CaseAnswer } from '../../domain/contract/answers.ts'
import type { Fault, Outcome, TenantClient } from './api.ts'
import { toInput, type Draft } from './draft.ts'

/** A document of 25 MB at 0.7 Mbit/s. */
const UPLOAD_LIMIT_MS = 5 * 60_000

interface Created {
  case: CaseAnswer
  upload?: { type: string; url: string }
}

/** The same request has the same key, so that a repetition finds its case. */
async function keyFor(body: string, attempt: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(attempt + body))
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('')
}

async function upload(url: string, method: string, bytes: Uint8Array): Promise<Fault | undefined> {
  try {
    const response = await fetch(url, {
      method,
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
  const headers = { 'idempotency-key': await keyFor(JSON.stringify(body), attempt) }
  const created = await client.ask<Created>('POST', '/cases', { body, headers })
  if (created.kind !== 'answered') return created
  const { case: made, upload: target } = created.value
  const fault = target && (await upload(target.url, target.type, bytes))
  return fault ?? { kind: 'answered', value: made }
}
