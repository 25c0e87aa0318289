/** Reads X.509 certificates (RFC 5280, 4.1 and 4.2). */

import { Buffer } from 'node:buffer'
import { createHash, createPublicKey } from 'node:crypto'
import type { KeyObject } from 'node:crypto'
import { PadesError } from '../errors.ts'
import { TAG, withoutLeadingZeros } from './der.ts'
import { DerError, readDer } from './der-reader.ts'
import {
  readBitString,
  readBoolean,
  readInteger,
  readNamedBits,
  readObjectIdentifier,
  readOctetString,
  readSmallInteger,
} from './der-values.ts'
import { readTime } from './der-time.ts'
import type { DerElement } from './der-reader.ts'
import { assertName, nameAttribute, nameToText } from './names.ts'
import { OID } from './object-identifiers.ts'
import { readPublicKey } from './public-key.ts'
import type { PublicKeyKind } from './public-key.ts'
import { readOnce } from './read-once.ts'

/** Bits of KeyUsage (RFC 5280, 4.2.1.3). */
export const KEY_USAGE = {
  digitalSignature: 0,
  nonRepudiation: 1,
  keyCertSign: 5,
  crlSign: 6,
} as const

const MAX_EXTENSIONS = 100

/** An AlgorithmIdentifier: its OID, and the DER of its parameters if there are some. */
export interface AlgorithmIdentifier {
  readonly type: string
  readonly parameters: Uint8Array | undefined
}

export interface Extension {
  readonly critical: boolean
  /** DER inside the OCTET STRING. */
  readonly value: Uint8Array
}

/** A certificate as read; names are DER, times are UTC. */
export class Certificate {
  readonly der: Uint8Array
  /** What the issuer signed. */
  readonly toBeSigned: Uint8Array
  /** Octets of the INTEGER, unchanged. */
  readonly serialNumber: Uint8Array
  readonly issuer: Uint8Array
  readonly subject: Uint8Array
  readonly notBefore: Date
  readonly notAfter: Date
  /** DER SubjectPublicKeyInfo. */
  readonly publicKeySpki: Uint8Array
  readonly publicKeyAlgorithm: AlgorithmIdentifier
  /** Content of the key's BIT STRING. */
  readonly publicKeyBits: Uint8Array
  readonly signatureAlgorithm: AlgorithmIdentifier
  readonly signature: Uint8Array
  readonly extensions: ReadonlyMap<string, Extension>
  #sha256: string | undefined
  #publicKey: KeyObject | undefined
  #publicKeyKind: PublicKeyKind | undefined

  /** @throws DerError, PadesError `BAD_CERTIFICATE` */
  constructor(der: Uint8Array) {
    const certificate = readDer(der).as(TAG.sequence)
    const toBeSigned = certificate.child(0).as(TAG.sequence)
    const versioned = toBeSigned.child(0).tag === TAG.contextConstructed ? 1 : 0
    const field = (index: number) => toBeSigned.child(versioned + index)
    const spki = field(5).as(TAG.sequence)
    this.der = der
    this.toBeSigned = toBeSigned.encoded
    this.serialNumber = readInteger(field(0))
    this.issuer = field(2).as(TAG.sequence).encoded
    this.notBefore = readTime(field(3).child(0))
    this.notAfter = readTime(field(3).child(1))
    this.subject = field(4).as(TAG.sequence).encoded
    this.publicKeySpki = spki.encoded
    this.publicKeyAlgorithm = readAlgorithmIdentifier(spki.child(0))
    this.publicKeyBits = readBitString(spki.child(1))
    this.signatureAlgorithm = readAlgorithmIdentifier(certificate.child(1))
    this.signature = readBitString(certificate.child(2))
    this.extensions = readExtensions(toBeSigned.children.slice(versioned + 6))
    if (Buffer.compare(field(1).encoded, certificate.child(1).encoded) !== 0) {
      throw new PadesError('BAD_CERTIFICATE', 'it names two signature algorithms')
    }
  }

  /** Lower-case hex over the whole certificate. */
  get sha256(): string {
    this.#sha256 ??= createHash('sha256').update(this.der).digest('hex')
    return this.#sha256
  }

  /** @throws Error of the platform when it does not know the kind of key */
  get publicKey(): KeyObject {
    this.#publicKey ??= createPublicKey({
      key: Buffer.from(this.publicKeySpki),
      format: 'der',
      type: 'spki',
    })
    return this.#publicKey
  }

  /** What the encoding says of the key, also of one that the platform does not know. */
  get publicKeyKind(): PublicKeyKind {
    this.#publicKeyKind ??= readPublicKey(this.publicKeyAlgorithm, this.publicKeyBits)
    return this.#publicKeyKind
  }

  /** In the form of RFC 4514: innermost attribute first. */
  get subjectText(): string {
    return nameToText(this.subject)
  }

  /** In the form of RFC 4514: innermost attribute first. */
  get issuerText(): string {
    return nameToText(this.issuer)
  }

  /** The last of the subject; undefined when it has none. */
  get commonName(): string | undefined {
    return nameAttribute(this.subject, OID.commonName)
  }

  /** Lower-case hex without leading zeros. */
  get serialNumberText(): string {
    return Buffer.from(withoutLeadingZeros(this.serialNumber)).toString('hex')
  }

  /** Whether issuer and subject are the same octets; says nothing of who signed it. */
  get selfIssued(): boolean {
    return Buffer.compare(this.issuer, this.subject) === 0
  }

  /** Whether the certificate may issue others, and how many authorities may be below it. */
  get basicConstraints(): { authority: boolean; pathLength: number | undefined } {
    const element = this.#extension(OID.basicConstraints)
    const parts = element?.as(TAG.sequence).children ?? []
    const authority = parts[0]?.tag === TAG.boolean && readBoolean(parts[0])
    const length = parts.find((part) => part.tag === TAG.integer)
    return { authority, pathLength: length && readSmallInteger(length) }
  }

  /** Bits that are set; undefined when the certificate does not limit the use of its key. */
  get keyUsage(): ReadonlySet<number> | undefined {
    const element = this.#extension(OID.keyUsage)
    return element && readNamedBits(element)
  }

  /** Object identifiers (RFC 5280, 4.2.1.12); undefined when the use is not limited by it. */
  get extendedKeyUsage(): readonly string[] | undefined {
    return this.#extension(OID.extendedKeyUsage)
      ?.as(TAG.sequence)
      .children.map(readObjectIdentifier)
  }

  /** RFC 5280, 4.2.1.2. */
  get subjectKeyIdentifier(): Uint8Array | undefined {
    const element = this.#extension(OID.subjectKeyIdentifier)
    return element && readOctetString(element)
  }

  /** The `keyIdentifier` of RFC 5280, 4.2.1.1; the other forms are not read. */
  get authorityKeyIdentifier(): Uint8Array | undefined {
    return this.#extension(OID.authorityKeyIdentifier)
      ?.as(TAG.sequence)
      .children.find((part) => part.tag === TAG.context)?.content
  }

  /** Whether it says where its revocation status is published. */
  get publishesRevocation(): boolean {
    if (this.extensions.has(OID.crlDistributionPoints)) return true
    return this.#access(OID.accessOcsp).length > 0
  }

  /** Whether its issuer says that it is never revoked, for example because it ends soon. */
  get isNeverRevoked(): boolean {
    const { noRevocationAvailable, shortTerm } = OID
    return this.extensions.has(noRevocationAvailable) || this.extensions.has(shortTerm)
  }

  /** Where revocation lists about it are published: http and https only. */
  get revocationListUrls(): readonly string[] {
    const points = this.#extension(OID.crlDistributionPoints)?.as(TAG.sequence).children ?? []
    return points.flatMap((point) => {
      const name = point.children.find(({ tag }) => tag === TAG.contextConstructed)
      const full = name?.children.find(({ tag }) => tag === TAG.contextConstructed)
      return full?.children.flatMap(httpUrl) ?? []
    })
  }

  /** Where OCSP responders answer about it: http and https only. */
  get ocspUrls(): readonly string[] {
    return this.#accessUrls(OID.accessOcsp)
  }

  /** Where the certificate of its issuer is published: http and https only. */
  get issuerUrls(): readonly string[] {
    return this.#accessUrls(OID.accessCaIssuers)
  }

  #access(type: string): DerElement[] {
    const access = this.#extension(OID.authorityInformationAccess)?.as(TAG.sequence).children ?? []
    return access.filter((part) => readObjectIdentifier(part.child(0)) === type)
  }

  #accessUrls(type: string): string[] {
    return this.#access(type).flatMap((part) => httpUrl(part.child(1)))
  }

  #extension(type: string): DerElement | undefined {
    const found = this.extensions.get(type)
    return found && readDer(found.value)
  }
}

/** uniformResourceIdentifier of GeneralName (RFC 5280, 4.2.1.6). */
const URI_TAG = TAG.context | 6

/** The URL of a GeneralName; none when it is of another kind or scheme. */
function httpUrl({ tag, content }: DerElement): string[] {
  const text = Buffer.from(content).toString('latin1')
  return tag === URI_TAG && /^https?:\/\//i.test(text) ? [text] : []
}

/** @throws DerError */
export function readAlgorithmIdentifier(element: DerElement): AlgorithmIdentifier {
  const [type, parameters, more] = element.as(TAG.sequence).children
  if (!type || more) throw new DerError('an algorithm is not named')
  return { type: readObjectIdentifier(type), parameters: parameters?.encoded }
}

function readExtensions(rest: readonly DerElement[]): ReadonlyMap<string, Extension> {
  const extensions = new Map<string, Extension>()
  const element = rest.find((part) => part.tag === (TAG.contextConstructed | 3))
  const list = element?.child(0).as(TAG.sequence).children ?? []
  if (list.length > MAX_EXTENSIONS) throw new PadesError('BAD_CERTIFICATE', 'too many extensions')
  for (const part of list) {
    const type = readObjectIdentifier(part.child(0))
    const second = part.child(1)
    const critical = second.tag === TAG.boolean && readBoolean(second)
    const value = readOctetString(second.tag === TAG.boolean ? part.child(2) : second)
    if (extensions.has(type)) throw new PadesError('BAD_CERTIFICATE', 'an extension occurs twice')
    extensions.set(type, { critical, value })
  }
  return extensions
}

/**
 * Reads a DER certificate.
 *
 * @throws PadesError `BAD_CERTIFICATE`
 */
export const readCertificate = readOnce((der: Uint8Array): Certificate => {
  try {
    const certificate = new Certificate(der)
    // Read now what is read lazily, so that damage shows here and nowhere else.
    void [
      certificate.basicConstraints,
      certificate.keyUsage,
      certificate.extendedKeyUsage,
      certificate.subjectKeyIdentifier,
      certificate.authorityKeyIdentifier,
      certificate.publishesRevocation,
      certificate.revocationListUrls,
      certificate.ocspUrls,
      certificate.issuerUrls,
    ]
    assertName(certificate.subject)
    assertName(certificate.issuer)
    return certificate
  } catch (cause) {
    if (cause instanceof PadesError) throw cause
    throw new PadesError('BAD_CERTIFICATE', undefined, { cause })
  }
})
