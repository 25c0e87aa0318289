/**
 * Requests to create a case that may come twice: the same key names the same case, and what it was
 * first asked with is known by a digest that nobody without our key can guess at (decision 54).
 */
import { Buffer } from 'node:buffer'
import { createHmac, type KeyObject } from 'node:crypto'
import { canonicalJson } from '../canonical-json.ts'
import type { CaseInput } from '../contract/case-input.ts'
import { uuidV5 } from '../ids.ts'
import type { Keyring } from '../ports/keyring.ts'
import type { CaseKey } from '../ports/stores.ts'
import { isSameSecret } from '../same-secret.ts'

/** Names the cases that are made under a key: of this use alone. */
const NAMESPACE = '8d6d4a3c-35b1-4f43-9ad5-6a2b1f0c9e57'
const MAC_DOMAIN = 'sigcase/create-request/v1'

/** The case that a tenant's key names. @param idempotencyKey visible ASCII */
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

/** `<kid>.<hex>`: tells later whether another body is the same; the body has secrets in it. */
export function digestOfInput(
  keyring: Keyring<'request-mac'>,
  key: CaseKey,
  input: CaseInput,
): string {
  const { kid, secret } = keyring.current('request-mac')
  return `${kid}.${macOf(secret, key, input).toString('hex')}`
}

/** Whether the digest was made of this body; one of a key that was retired is of none. */
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
