/**
 * Signature facts: made and checked with a MAC, so that nobody but the API can state one (design
 * 3).
 */
import { createHmac, type KeyObject } from 'node:crypto'
import { Buffer } from 'node:buffer'
import { canonicalJson } from '../canonical-json.ts'
import type { Keyring } from '../ports/keyring.ts'
import { isSameSecret } from '../same-secret.ts'
import type { SignatureCase } from './signature-case.ts'
import type { SignatureFact } from './spec.ts'

const MAC_DOMAIN = 'sigcase/signature-fact/v1'

type UnsealedFact = Omit<SignatureFact, 'kid' | 'mac'>

function macOf(secret: KeyObject, tenant: string, caseId: string, fact: UnsealedFact): Buffer {
  return createHmac('sha256', secret)
    .update(canonicalJson([MAC_DOMAIN, tenant, caseId, fact]))
    .digest()
}

/** Adds the MAC over tenant, case and every member of the fact, and names its key. */
export function sealFact(
  keyring: Keyring,
  tenant: string,
  caseId: string,
  fact: UnsealedFact,
): SignatureFact {
  const { kid, secret } = keyring.current('fact-mac')
  return { ...fact, kid, mac: macOf(secret, tenant, caseId, fact).toString('hex') }
}

function isGenuine(keyring: Keyring, tenant: string, caseId: string, fact: SignatureFact): boolean {
  const { kid, mac, ...unsealed } = fact
  const key = keyring.find('fact-mac', kid)
  if (!key) return false
  const given = Buffer.from(mac, 'hex')
  const expected = macOf(key.secret, tenant, caseId, unsealed)
  return isSameSecret(given, expected)
}

/**
 * The signatures that count: genuine ones of participants of the case, the first of each
 * participant, in order of signing.
 */
export function acceptedSignatures(
  keyring: Keyring,
  signatureCase: SignatureCase,
): readonly SignatureFact[] {
  const { metadata, spec } = signatureCase
  const participants = new Set(spec.definition.participants.map(({ id }) => id))
  const accepted = new Map<string, SignatureFact>()
  for (const fact of spec.signatures) {
    if (!participants.has(fact.participantId) || accepted.has(fact.participantId)) continue
    if (isGenuine(keyring, metadata.namespace, metadata.name, fact)) {
      accepted.set(fact.participantId, fact)
    }
  }
  return [...accepted.values()].sort((a, b) => Date.parse(a.signedAt) - Date.parse(b.signedAt))
}
