/**
 * Signs digests that were made elsewhere, which `node:crypto` does not: it hashes what it signs.
 * For emulation alone: not in constant time.
 */
import { Buffer } from 'node:buffer'
import { constants, createHash, privateEncrypt, randomBytes, type KeyObject } from 'node:crypto'

interface Curve {
  p: bigint
  a: bigint
  n: bigint
  g: Point
  octets: number
}

type Point = readonly [x: bigint, y: bigint] | undefined

const hex = (text: string) => BigInt(`0x${text.replaceAll(' ', '')}`)

/** FIPS 186-5 and SP 800-186, 3.2.1. */
const CURVES: Readonly<Record<string, Curve>> = {
  'P-256': curve(
    32,
    'ffffffff 00000001 00000000 00000000 00000000 ffffffff ffffffff ffffffff',
    'ffffffff 00000000 ffffffff ffffffff bce6faad a7179e84 f3b9cac2 fc632551',
    '6b17d1f2 e12c4247 f8bce6e5 63a440f2 77037d81 2deb33a0 f4a13945 d898c296',
    '4fe342e2 fe1a7f9b 8ee7eb4a 7c0f9e16 2bce3357 6b315ece cbb64068 37bf51f5',
  ),
  'P-384': curve(
    48,
    `ffffffff ffffffff ffffffff ffffffff ffffffff ffffffff ffffffff fffffffe ffffffff 00000000
     00000000 ffffffff`.replace(/\s/g, ''),
    `ffffffff ffffffff ffffffff ffffffff ffffffff ffffffff c7634d81 f4372ddf 581a0db2 48b0a77a
     ecec196a ccc52973`.replace(/\s/g, ''),
    `aa87ca22 be8b0537 8eb1c71e f320ad74 6e1d3b62 8ba79b98 59f741e0 82542a38 5502f25d bf55296c
     3a545e38 72760ab7`.replace(/\s/g, ''),
    `3617de4a 96262c6f 5d9e98bf 9292dc29 f8f41dbd 289a147c e9da3113 b5f0b8c0 0a60b1ce 1d7e819d
     7a431d7c 90ea0e5f`.replace(/\s/g, ''),
  ),
}

function curve(octets: number, p: string, n: string, x: string, y: string): Curve {
  return { octets, p: hex(p), a: -3n, n: hex(n), g: [hex(x), hex(y)] }
}

const modulo = (value: bigint, modulus: bigint) => ((value % modulus) + modulus) % modulus

function inverse(value: bigint, modulus: bigint): bigint {
  let [a, b, x, y] = [modulo(value, modulus), modulus, 1n, 0n]
  while (a > 1n) {
    const quotient = a / b
    ;[a, b] = [b, a % b]
    ;[x, y] = [y, x - quotient * y]
    if (b === 0n) break
  }
  return modulo(x, modulus)
}

function add(one: Point, other: Point, { p, a }: Curve): Point {
  if (!one) return other
  if (!other) return one
  const [x1, y1] = one
  const [x2, y2] = other
  if (x1 === x2 && modulo(y1 + y2, p) === 0n) return undefined
  const slope =
    x1 === x2
      ? (3n * x1 * x1 + a) * inverse(2n * y1, p)
      : (y2 - y1) * inverse(modulo(x2 - x1, p), p)
  const x3 = modulo(slope * slope - x1 - x2, p)
  return [x3, modulo(slope * (x1 - x3) - y1, p)]
}

/** Powers of two of each generator: doubling takes most of the time. */
const POWERS = new Map<Curve, readonly Point[]>()

function powersOf(on: Curve): readonly Point[] {
  const known = POWERS.get(on)
  if (known) return known
  const powers: Point[] = [on.g]
  for (let bit = 1; bit < on.octets * 8; bit++) {
    powers.push(add(powers[bit - 1], powers[bit - 1], on))
  }
  POWERS.set(on, powers)
  return powers
}

/** The generator, so many times. */
function multiply(factor: bigint, on: Curve): Point {
  let result: Point
  for (const [bit, power] of powersOf(on).entries()) {
    if ((factor >> BigInt(bit)) & 1n) result = add(result, power, on)
  }
  return result
}

const numberOf = (octets: Uint8Array) => BigInt(`0x${Buffer.from(octets).toString('hex') || '0'}`)

function derInteger(value: bigint): Buffer {
  const digits = value.toString(16)
  const octets = Buffer.from(digits.length % 2 ? `0${digits}` : digits, 'hex')
  const body = (octets[0] as number) & 0x80 ? Buffer.concat([Buffer.from([0]), octets]) : octets
  return Buffer.concat([Buffer.from([0x02, body.length]), body])
}

/** ECDSA (FIPS 186-5, 6.4.1). @returns DER `Ecdsa-Sig-Value` */
export function signEcdsa(privateKey: KeyObject, digest: Uint8Array): Buffer {
  const { crv = '', d = '' } = privateKey.export({ format: 'jwk' })
  const on = CURVES[crv] as Curve
  const secret = numberOf(Buffer.from(d, 'base64url'))
  const e = numberOf(digest.subarray(0, on.octets))
  for (;;) {
    const k = modulo(numberOf(randomBytes(on.octets + 8)), on.n)
    const r = modulo(multiply(k, on)?.[0] ?? 0n, on.n)
    const s = modulo(inverse(k, on.n) * (e + r * secret), on.n)
    if (r === 0n || s === 0n) continue
    const body = Buffer.concat([derInteger(r), derInteger(s)])
    return Buffer.concat([Buffer.from([0x30, body.length]), body])
  }
}

const DIGEST_INFO_SHA256 = Buffer.from('3031300d060960864801650304020105000420', 'hex')

/** RSASSA-PKCS1-v1_5 over a SHA-256 digest (RFC 8017, 8.2.1). */
export function signPkcs1(privateKey: KeyObject, digest: Uint8Array): Buffer {
  const padding = constants.RSA_PKCS1_PADDING
  return privateEncrypt({ key: privateKey, padding }, Buffer.concat([DIGEST_INFO_SHA256, digest]))
}

function mask(seed: Uint8Array, length: number): Buffer {
  const blocks = Array.from({ length: Math.ceil(length / 32) }, (_, index) =>
    createHash('sha256')
      .update(seed)
      .update(Buffer.from([0, 0, 0, index]))
      .digest(),
  )
  return Buffer.concat(blocks).subarray(0, length)
}

/** RSASSA-PSS with SHA-256 and 32 octets of salt (RFC 8017, 9.1.1), 2,048 bits. */
export function signPss(privateKey: KeyObject, digest: Uint8Array): Buffer {
  const salt = randomBytes(32)
  const hash = createHash('sha256').update(Buffer.alloc(8)).update(digest).update(salt).digest()
  const block = Buffer.concat([Buffer.alloc(256 - 32 - 32 - 2), Buffer.from([1]), salt])
  const masked = Buffer.from(block.map((octet, at) => octet ^ (mask(hash, block.length)[at] ?? 0)))
  masked[0] = (masked[0] as number) & 0x7f
  const encoded = Buffer.concat([masked, hash, Buffer.from([0xbc])])
  return rsaPrivate(privateKey, encoded)
}

/** RSASP1 (RFC 8017, 5.2.1), which Deno's `node:crypto` has not without padding. */
function rsaPrivate(privateKey: KeyObject, encoded: Uint8Array): Buffer {
  const { n = '', d = '' } = privateKey.export({ format: 'jwk' })
  const modulus = numberOf(Buffer.from(n, 'base64url'))
  let result = 1n
  let power = numberOf(encoded)
  for (let left = numberOf(Buffer.from(d, 'base64url')); left > 0n; left >>= 1n) {
    if (left & 1n) result = (result * power) % modulus
    power = (power * power) % modulus
  }
  return Buffer.from(result.toString(16).padStart(encoded.length * 2, '0'), 'hex')
}
