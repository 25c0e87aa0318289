/** Reads a signed PDF back as a verifier does: fields, byte ranges, digests, signature values. */
import { Buffer } from 'node:buffer'
import { createHash, createPublicKey, verify } from 'node:crypto'
import {
  findSignerCertificate,
  onlyValue,
  readSignedData,
} from '../../../pades/cms/signed-data-reader.ts'
import { readOctetString } from '../../../pades/cms/der-values.ts'
import { OID } from '../../../pades/cms/object-identifiers.ts'
import { readFields, textOf } from '../../../pades/pdf/acro-form.ts'
import { readDocument } from '../../../pades/pdf/open.ts'
import { PdfString } from '../../../pades/pdf/values.ts'

export interface ReadSignature {
  readonly fieldName: string
  readonly byteRange: readonly number[]
  readonly name: string | undefined
  readonly subFilter: string | undefined
  /** Whether the hole is exactly `/Contents` and the digest and the signature are right. */
  readonly isValid: boolean
  readonly hasTimeStamp: boolean
  /** DER of the signer's certificate. */
  readonly certificate: Uint8Array
}

const HASH_OF: Readonly<Record<number, string>> = { 32: 'sha256', 48: 'sha384' }

/**
 * The signatures of a file in the order of its fields.
 *
 * @param names of the fields to read; all when absent
 */
export function readSignatures(file: Uint8Array, names?: ReadonlySet<string>): ReadSignature[] {
  return readDocument(file, (document) =>
    readFields(document).flatMap((field) => {
      if (names && !names.has(field.name)) return []
      const signature = document.dictionary(field.value)
      const contents = document.resolve(signature?.get('Contents'))
      if (field.type !== 'Sig' || !signature || !(contents instanceof PdfString)) return []
      const byteRange = (document.array(signature.get('ByteRange')) ?? []).map(Number)
      return [
        {
          fieldName: field.name,
          byteRange,
          name: textOf(document.resolve(signature.get('Name'))),
          subFilter: document.name(signature.get('SubFilter')),
          ...verified(file, byteRange, contents.bytes),
        },
      ]
    }),
  )
}

function verified(file: Uint8Array, byteRange: readonly number[], contents: Uint8Array) {
  const [start, length, start2, length2] = byteRange
  const hole = Buffer.from(file.subarray(start + length, start2)).toString('latin1')
  const isWholeHole = hole === `<${Buffer.from(contents).toString('hex')}>` && start === 0
  const {
    signers: [signer],
    certificates,
  } = readSignedData(contents)
  const certificate = findSignerCertificate(signer, certificates)
  const attribute = onlyValue(signer.signedAttributes, OID.messageDigest)
  if (!certificate || !attribute || !signer.signedAttributes) throw new Error('not a signature')
  const messageDigest = Buffer.from(readOctetString(attribute))
  const hash = HASH_OF[messageDigest.length]
  const digest = createHash(hash)
    .update(file.subarray(0, length))
    .update(file.subarray(start2, start2 + length2))
    .digest()
  const key = createPublicKey({
    key: Buffer.from(certificate.publicKeySpki),
    format: 'der',
    type: 'spki',
  })
  const isSigned = verify(hash, signer.signedAttributes.encoded, key, signer.signature)
  return {
    isValid: isWholeHole && digest.equals(messageDigest) && isSigned,
    hasTimeStamp: onlyValue(signer.unsignedAttributes, OID.signatureTimeStampToken) !== undefined,
    certificate: certificate.der,
  }
}
