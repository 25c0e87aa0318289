/**
 * Signature facts: the API signs each fact with a key that no other process has, and every process
 * verifies them (design 3, decision 174).
 */
import { Buffer } from 'node:buffer'
import { canonicalJson } from '../canonical-json.ts'
import type { FactSigner, FactVerifier } from '../ports/keyring.ts'
import type { SignatureCase } from './signature-case.ts'
import type { SignatureFact } from './spec.ts'

const SIGNATURE_DOMAIN = 'sigcase/signature-fact/v2'

export type UnsignedFact = Omit<SignatureFact, 'signature'>

/** Builds the octets that the API signs: tenant, case and every member of the fact (RFC 8785). */
function buildMessage(tenant: string, caseId: string, fact: UnsignedFact): Buffer {
  return Buffer.from(canonicalJson([SIGNATURE_DOMAIN, tenant, caseId, fact]))
}

/** Adds the API's signature over tenant, case and every member of the fact. */
export function sealFact(
  signer: FactSigner,
  tenant: string,
  caseId: string,
  fact: UnsignedFact,
): SignatureFact {
  return { ...fact, signature: signer.signFact(buildMessage(tenant, caseId, fact)) }
}

function isGenuine(
  verifier: FactVerifier,
  tenant: string,
  caseId: string,
  { signature, ...unsigned }: SignatureFact,
): boolean {
  return verifier.isFactSignature(buildMessage(tenant, caseId, unsigned), signature)
}

/**
 * Returns the signatures that count, in signing order: facts with a valid signature by participants
 * of the case, the first of each participant.
 */
export function acceptedSignatures(
  verifier: FactVerifier,
  signatureCase: SignatureCase,
): readonly SignatureFact[] {
  const { metadata, spec } = signatureCase
  const participants = new Set(spec.definition.participants.map(({ id }) => id))
  const accepted = new Map<string, SignatureFact>()
  for (const fact of spec.signatures) {
    if (!participants.has(fact.participantId) || accepted.has(fact.participantId)) continue
    if (isGenuine(verifier, metadata.namespace, metadata.name, fact)) {
      accepted.set(fact.participantId, fact)
    }
  }
  return [...accepted.values()].sort((a, b) => Date.parse(a.signedAt) - Date.parse(b.signedAt))
}
