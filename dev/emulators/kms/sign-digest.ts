/**
 * Signs given digests; `node:crypto` can only hash and sign together. This is only for emulation,
 * because it does not run in constant time.
 */
import { pow } from '@noble/curves/abstract/modular.js'
import type { ECDSA } from '@noble/curves/abstract/weierstrass.js'
import { p256, p384 } from '@noble/curves/nist.js'
import { bytesToNumberBE, numberToBytesBE } from '@noble/curves/utils.js'
import { Buffer } from 'node:buffer'
import { constants, createHash, privateEncrypt, randomBytes, type KeyObject } from 'node:crypto'

const CURVES: Readonly<Record<string, ECDSA>> = { 'P-256': p256, 'P-384': p384 }

/** ECDSA (FIPS 186-5, 6.4.1). @returns DER `Ecdsa-Sig-Value` */
export function signEcdsa(privateKey: KeyObject, digest: Uint8Array): Buffer {
  const { crv = '', d = '' } = privateKey.export({ format: 'jwk' })
  const curve = CURVES[crv] as ECDSA
  const options = { prehash: false, lowS: false, format: 'der' } as const
  return Buffer.from(curve.sign(digest, Buffer.from(d, 'base64url'), options))
}

const numberOf = (base64url: string) => bytesToNumberBE(Buffer.from(base64url, 'base64url'))

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

/** RSASP1 (RFC 8017, 5.2.1); `node:crypto` of Deno has no RSA without padding. */
function rsaPrivate(privateKey: KeyObject, encoded: Uint8Array): Buffer {
  const { n = '', d = '' } = privateKey.export({ format: 'jwk' })
  const result = pow(bytesToNumberBE(encoded), numberOf(d), numberOf(n))
  return Buffer.from(numberToBytesBE(result, encoded.length))
}
