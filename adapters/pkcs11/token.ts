/** The keys of one PKCS #11 token: their public keys, and signatures of digests. */
import { createPublicKey, type JsonWebKey } from 'node:crypto'
import type { Buffer } from 'node:buffer'
import { isSameSecret } from '../../domain/same-secret.ts'
import { Pkcs11Error, ulongs, type Attribute, type Mechanism, type Pkcs11Module } from './module.ts'

/** Object classes, attributes and mechanisms of PKCS #11 2.40. */
const CKO_PUBLIC_KEY = 2
const CKO_PRIVATE_KEY = 3
const CKA_CLASS = 0x0
const CKA_LABEL = 0x3
const CKA_KEY_TYPE = 0x100
const CKA_ID = 0x102
const CKA_MODULUS = 0x120
const CKA_PUBLIC_EXPONENT = 0x122
const CKA_EC_PARAMS = 0x180
const CKA_EC_POINT = 0x181
const CKK_RSA = 0n
const CKK_EC = 3n
const CKM_RSA_PKCS = 0x1
const CKM_RSA_PKCS_PSS = 0xd
const CKM_ECDSA = 0x1041
const CKM_SHA256 = 0x250
const CKG_MGF1_SHA256 = 0x2

/** Parameters of named curves, DER, with the names that the transit API and JWK have for them. */
const CURVES: Readonly<Record<string, { type: string; crv: string; octets: number }>> = {
  '06082a8648ce3d030107': { type: 'ecdsa-p256', crv: 'P-256', octets: 32 },
  '06052b81040022': { type: 'ecdsa-p384', crv: 'P-384', octets: 48 },
}
/** DigestInfo up to the digest (RFC 8017, 9.2): SHA-256. */
const SHA256_INFO = Uint8Array.from([
  0x30, 0x31, 0x30, 0x0d, 0x06, 0x09, 0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x02, 0x01, 0x05,
  0x00, 0x04, 0x20,
])
const SHA256_OCTETS = 32
/** Versions of one key; each has a certificate, so there are few. */
const MAXIMUM_VERSIONS = 100

/** CKR_PIN_INCORRECT, CKR_PIN_INVALID, CKR_PIN_LEN_RANGE, CKR_PIN_EXPIRED, CKR_PIN_LOCKED. */
const PIN_CODES = new Set([0xa0n, 0xa1n, 0xa2n, 0xa3n, 0xa4n])

/** The token refused the PIN; it is not tried again by this process. */
export class PinRefusedError extends Error {
  override readonly name = 'PinRefusedError'

  constructor(options?: ErrorOptions) {
    super('the token refuses the PIN', options)
  }
}

/** A version of a key in the token. */
export interface TokenKey {
  /** CKA_ID as a number, from 1. */
  version: number
  /** As the transit API names it: `ecdsa-p256`, `ecdsa-p384`, `rsa-2048`, … */
  type: string
  /** SubjectPublicKeyInfo, PEM. */
  publicKey: string
}

/** How a digest is signed. */
export type Padding = 'ecdsa' | 'pkcs1v15' | 'pss'

export interface TokenOptions {
  module: Pkcs11Module
  /** CKA_LABEL of the token. */
  tokenLabel: string
  /** Returns the PIN of the token's user. */
  readPin: () => Promise<Uint8Array>
}

const text = (value: string) => new TextEncoder().encode(value)

/** CKA_ID of a version: a number without leading zero octets. */
function idOf(version: number): Uint8Array {
  const hex = version.toString(16)
  return Uint8Array.from(
    hex.padStart(hex.length + (hex.length % 2), '0').match(/../g) ?? [],
    (one) => Number.parseInt(one, 16),
  )
}

const numberOf = (id: Buffer) => (id.length === 0 ? 0 : Number.parseInt(id.toString('hex'), 16))

const MECHANISMS: Readonly<Record<Padding, Mechanism>> = {
  ecdsa: { type: CKM_ECDSA },
  pkcs1v15: { type: CKM_RSA_PKCS },
  pss: {
    type: CKM_RSA_PKCS_PSS,
    parameter: ulongs(CKM_SHA256, CKG_MGF1_SHA256, SHA256_OCTETS),
  },
}

/** A token in which the process is logged in. Its calls run one after the other. */
export class Pkcs11Token {
  readonly #options: TokenOptions
  #session: Promise<{ slot: bigint; handle: bigint }> | undefined
  #last: Promise<unknown> = Promise.resolve()
  /** Not tried again: a token locks itself after a few wrong PINs. */
  #refusedPin: Uint8Array | undefined

  constructor(options: TokenOptions) {
    this.#options = options
  }

  /**
   * Returns the versions of a key; empty when the token has none of this name.
   *
   * @param name CKA_LABEL
   * @throws Pkcs11Error; Error when the token is missing or a key is of another type
   */
  async versions(name: string): Promise<TokenKey[]> {
    return this.#inTurn(async (session) => {
      const { module } = this.#options
      const attributes: Attribute[] = [
        [CKA_CLASS, ulongs(CKO_PUBLIC_KEY)],
        [CKA_LABEL, text(name)],
      ]
      const objects = await module.find(session, attributes, MAXIMUM_VERSIONS)
      const keys: TokenKey[] = []
      for (const object of objects) keys.push(await this.#readKey(session, object))
      return keys.sort((one, other) => one.version - other.version)
    })
  }

  /**
   * Signs a digest with a version of a key.
   *
   * @returns the raw value: r and s of the same length for ECDSA; undefined when the key is missing
   * @throws Pkcs11Error; Error when the token is missing
   */
  async sign(
    name: string,
    version: number,
    padding: Padding,
    digest: Uint8Array,
  ): Promise<Uint8Array | undefined> {
    const data = padding === 'pkcs1v15' ? new Uint8Array([...SHA256_INFO, ...digest]) : digest
    return this.#inTurn(async (session) => {
      const { module } = this.#options
      const attributes: Attribute[] = [
        [CKA_CLASS, ulongs(CKO_PRIVATE_KEY)],
        [CKA_LABEL, text(name)],
        [CKA_ID, idOf(version)],
      ]
      const [key] = await module.find(session, attributes, 1)
      return key === undefined ? undefined : module.sign(session, key, MECHANISMS[padding], data)
    })
  }

  async #readKey(session: bigint, object: bigint): Promise<TokenKey> {
    const { module } = this.#options
    const read = (type: number) => module.attribute(session, object, type)
    const version = numberOf(await read(CKA_ID))
    const keyType = (await read(CKA_KEY_TYPE)).readBigUInt64LE()
    if (keyType === CKK_RSA) {
      const modulus = await read(CKA_MODULUS)
      const n = modulus.toString('base64url')
      const e = (await read(CKA_PUBLIC_EXPONENT)).toString('base64url')
      const type = `rsa-${modulus.length * 8}`
      return { version, type, publicKey: pemOf({ kty: 'RSA', n, e }) }
    }
    const curve = CURVES[(await read(CKA_EC_PARAMS)).toString('hex')]
    if (keyType !== CKK_EC || !curve) throw new Error('the token has a key of another type')
    // A DER OCTET STRING around an uncompressed point (PKCS #11 2.40, 2.3.3).
    const point = (await read(CKA_EC_POINT)).subarray(-2 * curve.octets)
    const [x, y] = [point.subarray(0, curve.octets), point.subarray(curve.octets)]
    const coordinates = { x: x.toString('base64url'), y: y.toString('base64url') }
    return {
      version,
      type: curve.type,
      publicKey: pemOf({ kty: 'EC', crv: curve.crv, ...coordinates }),
    }
  }

  /** Runs the work after earlier calls, and once more in a new session if the old one broke. */
  #inTurn<T>(work: (session: bigint) => Promise<T>): Promise<T> {
    const run = async () => {
      const known = this.#session !== undefined
      try {
        return await work((await this.#open()).handle)
      } catch (error) {
        await this.#forget()
        if (!known || !(error instanceof Pkcs11Error)) throw error
        return work((await this.#open()).handle)
      }
    }
    const result = this.#last.then(run, run)
    this.#last = result.catch(() => undefined)
    return result
  }

  #open(): Promise<{ slot: bigint; handle: bigint }> {
    this.#session ??= this.#login()
    return this.#session
  }

  async #login(): Promise<{ slot: bigint; handle: bigint }> {
    const { module, tokenLabel, readPin } = this.#options
    for (const slot of await module.slots()) {
      if ((await module.tokenLabel(slot)) !== tokenLabel) continue
      const pin = await readPin()
      if (this.#refusedPin && isSameSecret(pin, this.#refusedPin)) throw new PinRefusedError()
      const handle = await module.openSession(slot, pin).catch((error: unknown) => {
        if (!(error instanceof Pkcs11Error) || !PIN_CODES.has(error.code)) throw error
        this.#refusedPin = pin
        throw new PinRefusedError({ cause: error })
      })
      return { slot, handle }
    }
    throw new Error('no slot has a token with this label')
  }

  async #forget(): Promise<void> {
    const session = await this.#session?.catch(() => undefined)
    this.#session = undefined
    if (session) await this.#options.module.closeSessions(session.slot).catch(() => undefined)
  }
}

/** Encodes a public key as PEM. */
function pemOf(jwk: JsonWebKey): string {
  const key = createPublicKey({ key: jwk, format: 'jwk' })
  return key.export({ type: 'spki', format: 'pem' }).toString()
}
