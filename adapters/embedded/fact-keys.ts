/** Ed25519 keys (RFC 8032) that sign and verify facts; keys are JWK (RFC 8037). */
import { Buffer } from 'node:buffer'
import {
  createHash,
  createPrivateKey,
  createPublicKey,
  sign,
  verify,
  type JsonWebKey,
  type KeyObject,
} from 'node:crypto'
import type { FactSignature, FactSigner, FactVerifier } from '../../domain/ports/keyring.ts'

/** A JWK with its key id. */
export interface NamedJwk extends JsonWebKey {
  kid: string
}

const SIGNATURE = /^[0-9a-f]{128}$/
/**
 * Verification takes about 0.1 ms, and listings verify the same facts repeatedly, so results are
 * cached; 50,000 digests take about 8 MB.
 */
const MAXIMUM_REMEMBERED = 50_000

/**
 * Builds a signer with one private key.
 *
 * @throws Error when the key is not a private Ed25519 key
 */
export function buildFactSigner({ kid, ...jwk }: NamedJwk): FactSigner {
  const key = createPrivateKey({ key: jwk, format: 'jwk' })
  if (key.asymmetricKeyType !== 'ed25519') throw new Error('it is not an Ed25519 key')
  return {
    signFact: (message) => ({ kid, value: sign(null, message, key).toString('hex') }),
  }
}

/** Returns only the public members of a key. */
export function toPublicJwk({ kid, kty, crv, x }: NamedJwk): NamedJwk {
  return { kid, ...(kty && { kty }), ...(crv && { crv }), ...(x && { x }) }
}

function readPublicKey(jwk: NamedJwk): KeyObject {
  const { kid: _, ...key } = toPublicJwk(jwk)
  const publicKey = createPublicKey({ key, format: 'jwk' })
  if (publicKey.asymmetricKeyType !== 'ed25519') throw new Error('it is not an Ed25519 key')
  return publicKey
}

/** Verifies with several public keys, so that facts outlive a key rotation. */
export class FactKeys implements FactVerifier {
  readonly #keys: ReadonlyMap<string, KeyObject>
  readonly #remembered = new Map<string, boolean>()

  /** @throws Error when one of them is not an Ed25519 key */
  constructor(jwks: readonly NamedJwk[]) {
    this.#keys = new Map(jwks.map((jwk) => [jwk.kid, readPublicKey(jwk)]))
  }

  has(kid: string): boolean {
    return this.#keys.has(kid)
  }

  readonly isFactSignature = (message: Uint8Array, signature: FactSignature): boolean => {
    // Facts come from stores with other writers, so members may be missing.
    const { kid, value } = (signature ?? {}) as Partial<FactSignature>
    if (typeof kid !== 'string' || typeof value !== 'string' || !SIGNATURE.test(value)) return false
    const key = this.#keys.get(kid)
    if (!key) return false
    const name = createHash('sha256').update(`${kid}\n${value}\n`).update(message).digest('base64')
    const known = this.#remembered.get(name)
    if (known !== undefined) return known
    const isGood = verify(null, message, key, Buffer.from(value, 'hex'))
    if (this.#remembered.size >= MAXIMUM_REMEMBERED) this.#remembered.clear()
    this.#remembered.set(name, isGood)
    return isGood
  }
}
