/**
 * Makes an archived document last longer: validation data of its newest time-stamp, and a new one
 * over all of it, before algorithms or certificates weaken (ETSI EN 319 142-1, 5.5).
 */
import { onlyValue, readSignedData } from '../cms/signed-data-reader.ts'
import { findSignerCertificate, type SignedData } from '../cms/signed-data-reader.ts'
import type { Certificate } from '../cms/certificate-reader.ts'
import { PathFinder } from '../cms/certification-path.ts'
import { readPaddedDer } from '../cms/der-reader.ts'
import { OID } from '../cms/object-identifiers.ts'
import { readTimeStampToken } from '../cms/time-stamp-reader.ts'
import { PadesError } from '../errors.ts'
import type { PdfDocument } from '../pdf/document.ts'
import { readDocument } from '../pdf/open.ts'
import { readSecurityStore } from '../validate/security-store-reader.ts'
import { type FoundSignature, findSignatures } from '../validate/signature-fields.ts'
import type { LongTermRequest, SignedDocument, SigningRequest } from './request.ts'
import { runSteps } from './sign-document.ts'
import type { SignatureToKeep } from './validation-data.ts'

export interface AugmentRequest {
  /** When: the new validation data must hold then. */
  readonly augmentedAt: Date
  readonly timeStamp: NonNullable<SigningRequest['timeStamp']>
  readonly longTerm: LongTermRequest
}

/**
 * Appends validation data and a document time-stamp; what was there stays as it is. A document with
 * time-stamps of its own gets the data of the newest of them and of what follows it: those of
 * everything before are in it already. One that has none gets the data of all its signatures.
 *
 * @param original not copied and not changed
 * @throws PadesError `NO_SIGNATURES` when there is nothing to make last, `BAD_CMS` when a
 *   signature cannot be read, and as `signDocument`
 */
export async function augmentDocument(
  original: Uint8Array,
  { augmentedAt, timeStamp, longTerm }: AugmentRequest,
): Promise<SignedDocument> {
  const existing = readDocument(original, signaturesToKeep)
  if (existing.length === 0) throw new PadesError('NO_SIGNATURES')
  return runSteps(original, { signers: [], sealedAt: augmentedAt, timeStamp, longTerm }, existing)
}

function signaturesToKeep(document: PdfDocument): SignatureToKeep[] {
  const store = readSecurityStore(document, new PathFinder())
  if (store && !store.isWhole) throw new PadesError('LIMIT_EXCEEDED')
  const stored = store?.certificates ?? []
  const found = findSignatures(document)
  const newest = found.findLastIndex(({ isDocumentTimeStamp }) => isDocumentTimeStamp)
  return found.slice(Math.max(newest, 0)).map((signature) => toKeep(signature, stored))
}

/** @throws PadesError `BAD_CMS` */
function toKeep({ contents }: FoundSignature, stored: readonly Certificate[]): SignatureToKeep {
  try {
    // A time-stamp is signed data like any signature, by its authority.
    const signedData = readSignedData(readPaddedDer(contents).encoded)
    const stamps = tokensIn(signedData)
    const signed = [signedData, ...stamps]
    const leaves = signed.flatMap(({ signers: [signer], certificates }) => {
      const leaf = signer && findSignerCertificate(signer, [...certificates, ...stored])
      return leaf ? [leaf] : []
    })
    if (leaves.length < signed.length) throw new Error('a certificate is not there')
    const carried = signed.flatMap(({ certificates }) => certificates)
    return { contents, leaves, carried: [...carried, ...stored] }
  } catch (cause) {
    throw new PadesError('BAD_CMS', undefined, { cause })
  }
}

/** The time-stamp of the signature, if it has one. */
function tokensIn({ signers: [signer] }: SignedData): SignedData[] {
  const value = signer && onlyValue(signer.unsignedAttributes, OID.signatureTimeStampToken)
  return value ? [readTimeStampToken(value.encoded).signedData] : []
}
