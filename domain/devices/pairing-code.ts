/** Short codes that pair a kiosk once (decision 226): how they are made, read and stored. */
import { Buffer } from 'node:buffer'
import { createCipheriv, createDecipheriv, createHmac } from 'node:crypto'
import type { Keyring } from '../ports/keyring.ts'

/** Without 0, O, 1, I, L and U, which people confuse or misread. */
const ALPHABET = '23456789ABCDEFGHJKMNPQRSTVWXYZ'
const LENGTH = 8
const HALF = LENGTH / 2
const CODE = new RegExp(`^[${ALPHABET}]{${LENGTH}}$`)
const SEPARATORS = /[\s-]/g
const CIPHER = 'aes-256-gcm'
const NONCE_OCTETS = 12
const TAG_OCTETS = 16

/** The time within which somebody types the code on the kiosk. */
export const PAIRING_CODE_LIFE_MS = 10 * 60 * 1000

type MacKeys = Pick<Keyring<'request-mac'>, 'current'>

/**
 * Makes a code of 39 random bits, such as `K7PM-2XRD`.
 *
 * @param randomInt uniform, from 0 to below its argument
 */
export function makePairingCode(randomInt: (limit: number) => number): string {
  const letters = Array.from({ length: LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)])
  return `${letters.slice(0, HALF).join('')}-${letters.slice(HALF).join('')}`
}

/** Parses a code as people type it. @returns eight characters; undefined for another text */
export function parsePairingCode(text: string): string | undefined {
  const code = text.replace(SEPARATORS, '').toUpperCase()
  return CODE.test(code) ? code : undefined
}

function derive(keyring: MacKeys, purpose: string, code: string): Buffer {
  const { secret } = keyring.current('request-mac')
  return createHmac('sha256', secret).update(`sigcase/pairing-code/${purpose}/${code}`).digest()
}

/** The key of the stored token; without the keyring, it does not reveal the code. */
export const pairingCodeKey = (keyring: MacKeys, code: string): string =>
  `kiosk/pairing/${derive(keyring, 'name', code).toString('hex')}`

/**
 * Encrypts the token of a device, so that only the code and the keyring together reveal it. Each
 * code has a key of its own, so the nonce can derive from the code as well.
 *
 * @returns base64
 */
export function sealToken(keyring: MacKeys, code: string, token: string): string {
  const nonce = derive(keyring, 'nonce', code).subarray(0, NONCE_OCTETS)
  const cipher = createCipheriv(CIPHER, derive(keyring, 'key', code), nonce)
  const sealed = [cipher.update(token, 'utf8'), cipher.final(), cipher.getAuthTag()]
  return Buffer.concat(sealed).toString('base64')
}

/** @returns undefined for a value that {@link sealToken} did not make for this code */
export function openToken(keyring: MacKeys, code: string, sealed: string): string | undefined {
  try {
    return decrypt(keyring, code, sealed)
  } catch {
    // Another writer of the ephemeral store replaced it.
    return undefined
  }
}

/** @throws Error when the value is not sealed */
function decrypt(keyring: MacKeys, code: string, sealed: string): string {
  const bytes = Buffer.from(sealed, 'base64')
  const nonce = derive(keyring, 'nonce', code).subarray(0, NONCE_OCTETS)
  const decipher = createDecipheriv(CIPHER, derive(keyring, 'key', code), nonce)
  decipher.setAuthTag(bytes.subarray(-TAG_OCTETS))
  const token = [decipher.update(bytes.subarray(0, -TAG_OCTETS)), decipher.final()]
  return Buffer.concat(token).toString('utf8')
}
