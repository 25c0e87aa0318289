/** The objects that a validation used (ETSI TS 119 102-2, 4.4): document, certificates, stamps. */
import { Buffer } from 'node:buffer'
import { createHash } from 'node:crypto'
import type { CoreReport } from '../../domain/contract/validation-report.ts'
import { constraintsXml } from './etsi-constraints.ts'
import {
  blockIndication,
  objectType,
  POE_BY_VALIDATION,
  SHA256_URI,
  subIndication,
} from './etsi-names.ts'
import { element, type XmlText } from './xml-writer.ts'

type Signature = CoreReport['signatures'][number]
type DocumentTimeStamp = CoreReport['documentTimestamps'][number]
export type TimeStamp = Signature['timestamps'][number] | DocumentTimeStamp

/** Identifier of the PDF. Identifiers begin with a letter, as `xs:ID` requires. */
export const DOCUMENT_ID = 'D-1'
/** Identifier of a certificate. */
export const certificateId = (sha256: string) => `C-${sha256}`
/** Identifier of a signature time-stamp. @param index in its signature, from 0 */
export const timeStampId = (signatureId: string, index: number) => `${signatureId}-T-${index + 1}`

/** A reference to an object. */
export const reference = (name: string, id: string): XmlText => element(name, { VOReference: id })

/** @param sha256 lower-case hex */
const digestXml = (sha256: string): XmlText =>
  element(
    'DigestAlgAndValue',
    {},
    element('ds:DigestMethod', { Algorithm: SHA256_URI }),
    element('ds:DigestValue', {}, Buffer.from(sha256, 'hex').toString('base64')),
  )

function objectXml(
  id: string,
  type: Parameters<typeof objectType>[0],
  representation: XmlText,
  ...more: readonly XmlText[]
): XmlText {
  return element(
    'ValidationObject',
    { id },
    element('ObjectType', {}, objectType(type)),
    element('ValidationObjectRepresentation', {}, representation),
    ...more,
  )
}

/** The result for a time-stamp, as a report of its own. */
function timeStampReport(stamp: TimeStamp, { policy }: CoreReport): XmlText {
  const { indication, subIndication: reason, errors, warnings, certificateChain } = stamp
  const [own] = certificateChain
  return element(
    'ValidationReport',
    {},
    constraintsXml({ errors, warnings }, policy),
    own &&
      element(
        'SignerInformation',
        {},
        reference('SignerCertificate', certificateId(own.sha256)),
        element('Signer', {}, stamp.tsa ?? own.subject),
      ),
    element(
      'SignatureValidationStatus',
      {},
      element('MainIndication', {}, blockIndication(indication)),
      reason && element('SubIndication', {}, subIndication(reason)),
    ),
  )
}

/** Our own report does not hold the octets of tokens: the object says where the token is. */
function timeStampXml(id: string, place: XmlText | string, stamp: TimeStamp, report: CoreReport) {
  return objectXml(
    id,
    'timestamp',
    element('direct', {}, place),
    element(
      'POE',
      {},
      element('POETime', {}, stamp.productionTime ?? report.validationTime),
      element('TypeOfProof', {}, POE_BY_VALIDATION),
    ),
    timeStampReport(stamp, report),
  )
}

function timeStampsXml(report: CoreReport): XmlText[] {
  const inSignatures = report.signatures.flatMap(({ id, timestamps }) =>
    timestamps.map((stamp, index) =>
      timeStampXml(
        timeStampId(id, index),
        `time-stamp ${index + 1} of signature ${id}`,
        stamp,
        report,
      ),
    ),
  )
  const ofDocument = report.documentTimestamps.map((stamp) =>
    timeStampXml(
      stamp.id,
      element('SignatureReference', {}, element('PAdESFieldName', {}, stamp.fieldName)),
      stamp,
      report,
    ),
  )
  return [...inSignatures, ...ofDocument]
}

/** SHA-256 of every certificate that the report names. */
function namedCertificates({ signatures, documentTimestamps }: CoreReport): Set<string> {
  const chained = [
    ...signatures,
    ...signatures.flatMap(({ timestamps }) => timestamps),
    ...documentTimestamps,
  ].flatMap(({ certificateChain }) => certificateChain.map(({ sha256 }) => sha256))
  const signers = signatures.flatMap(({ signer }) => (signer ? [signer.certificateSha256] : []))
  return new Set([...chained, ...signers])
}

/**
 * Writes `SignatureValidationObjects`.
 *
 * @param certificates DER of those in the chains; of others the digest is written
 */
export function objectsXml(report: CoreReport, certificates: readonly Uint8Array[]): XmlText {
  const known = new Map(
    certificates.map((der) => [createHash('sha256').update(der).digest('hex'), der]),
  )
  const certificateXml = (sha256: string) => {
    const der = known.get(sha256)
    const value = der && element('base64', {}, Buffer.from(der).toString('base64'))
    return objectXml(certificateId(sha256), 'certificate', value ?? digestXml(sha256))
  }
  return element(
    'SignatureValidationObjects',
    {},
    objectXml(DOCUMENT_ID, 'signedData', digestXml(report.document.sha256)),
    ...[...namedCertificates(report)].map(certificateXml),
    ...timeStampsXml(report),
  )
}
