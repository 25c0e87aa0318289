/**
 * Idempotent requests to create a case: the same key leads to the same case id. A keyed digest of
 * the first request detects a different body, and cannot be guessed without the key (decision 152).
 */
import { Buffer } from 'node:buffer'
import { createHmac, type KeyObject } from 'node:crypto'
import { canonicalJson } from '../canonical-json.ts'
import type { CaseInput } from '../contract/case-input.ts'
import { uuidV5 } from '../ids.ts'
import type { Keyring } from '../ports/keyring.ts'
import type { CaseKey } from '../ports/stores.ts'
import { isSameSecret } from '../same-secret.ts'

/** UUID namespace of cases that are created with an idempotency key. */
const NAMESPACE = '8d6d4a3c-35b1-4f43-9ad5-6a2b1f0c9e57'
const MAC_DOMAIN = 'sigcase/create-request/v1'

/**
 * Returns the case id for a tenant's idempotency key.
 *
 * @param idempotencyKey visible ASCII
 */
export function idempotentCaseId(tenant: string, idempotencyKey: string): string {
  return uuidV5(NAMESPACE, tenant, idempotencyKey)
}

/** The body with its instant in one spelling: `12:00Z` and `13:00+01:00` are equal. */
function withCanonicalInstant(input: CaseInput): CaseInput {
  return { ...input, validUntil: new Date(input.validUntil).toISOString() }
}

function macOf(secret: KeyObject, { tenant, caseId }: CaseKey, input: CaseInput): Buffer {
  return createHmac('sha256', secret)
    .update(canonicalJson([MAC_DOMAIN, tenant, caseId, withCanonicalInstant(input)]))
    .digest()
}

/**
 * Returns `<kid>.<hex>`, to compare later bodies with; keyed, because the body contains secrets.
 */
export function digestOfInput(
  keyring: Keyring<'request-mac'>,
  key: CaseKey,
  input: CaseInput,
): string {
  const { kid, secret } = keyring.current('request-mac')
  return `${kid}.${macOf(secret, key, input).toString('hex')}`
}

/** Whether the digest was made of this body; false when its key was retired. */
export function isDigestOf(
  digest: string | undefined,
  keyring: Keyring<'request-mac'>,
  key: CaseKey,
  input: CaseInput,
): boolean {
  const [kid = '', hex = ''] = digest?.split('.') ?? []
  const used = keyring.find('request-mac', kid)
  if (!used) return false
  const given = Buffer.from(hex, 'hex')
  const expected = macOf(used.secret, key, input)
  return isSameSecret(given, expected)
}
