/** Writes a validation report in the form of ETSI TS 119 102-2. */
import type { CoreReport, ValidationReport } from '../../domain/contract/validation-report.ts'
import { Buffer } from 'node:buffer'
import { constraintsXml } from './etsi-constraints.ts'
import {
  algorithmUri,
  LTA_PROCESS,
  mainIndication,
  NAMESPACES,
  NO_SIGNATURE_FOUND,
  ownName,
  POE_BY_VALIDATION,
  revocationReason,
  subIndication,
} from './etsi-names.ts'
import { certificateId, DOCUMENT_ID, objectsXml, reference, timeStampId } from './etsi-objects.ts'
import { element, type XmlText } from './xml-writer.ts'

type Signature = CoreReport['signatures'][number] &
  Partial<Pick<ValidationReport['signatures'][number], 'qualification'>>

export const XML_DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>\n'

/** A report, and what the file is made from beside it. */
export interface ReportSource {
  readonly report: CoreReport
  /** DER of the certificates in the report's chains, as far as they are at hand. */
  readonly certificates: readonly Uint8Array[]
}

/** The signature is identified by its field, since a name of a field occurs once in a PDF. */
const identifierXml = ({ id, fieldName }: Signature) =>
  element(
    'SignatureIdentifier',
    { id },
    element('HashOnly', {}, 'false'),
    element('DocHashOnly', {}, 'false'),
    element(
      'OtherInformation',
      {},
      element('SignatureReference', {}, element('PAdESFieldName', {}, fieldName)),
    ),
  )

/** The time-stamp that proves the best signature time, if one does. */
function provingStamp(
  { id, timestamps, bestSignatureTime }: Signature,
  { documentTimestamps }: CoreReport,
): string | undefined {
  const isProof = (stamp: { indication: string; productionTime?: string }) =>
    stamp.indication === 'TOTAL_PASSED' && stamp.productionTime === bestSignatureTime
  const own = timestamps.findIndex(isProof)
  return own >= 0 ? timeStampId(id, own) : documentTimestamps.find(isProof)?.id
}

function timeXml(signature: Signature, report: CoreReport): XmlText {
  const stamp = provingStamp(signature, report)
  return element(
    'ValidationTimeInfo',
    {},
    element('ValidationTime', {}, report.validationTime),
    element(
      'BestSignatureTime',
      {},
      element('POETime', {}, signature.bestSignatureTime),
      element('TypeOfProof', {}, POE_BY_VALIDATION),
      stamp === undefined ? undefined : reference('POEObject', stamp),
    ),
  )
}

/** The document time-stamps whose byte range ends behind that of the signature. */
function archiveStamps({ integrity }: Signature, { documentTimestamps }: CoreReport) {
  const endOf = ([, , start = 0, length = 0]: readonly number[]) => start + length
  const end = endOf(integrity.byteRange)
  return documentTimestamps.filter(({ integrity: own }) => endOf(own.byteRange) > end)
}

const isByteRange = (range: readonly number[]) => range.length > 0 && range.every(Number.isInteger)

function attributesXml(signature: Signature, report: CoreReport): XmlText {
  const { claimedSigningTime, timestamps, subFilter, integrity, signer, id } = signature
  const stampXml = (name: string, stampId: string, time: string | undefined) =>
    time &&
    element(name, {}, reference('AttributeObject', stampId), element('TimeStampValue', {}, time))
  const children = [
    claimedSigningTime &&
      element('SigningTime', { Signed: 'true' }, element('Time', {}, claimedSigningTime)),
    signer &&
      element(
        'SigningCertificate',
        {},
        reference('AttributeObject', certificateId(signer.certificateSha256)),
      ),
    ...timestamps.map(({ productionTime }, index) =>
      stampXml('SignatureTimeStamp', timeStampId(id, index), productionTime),
    ),
    ...archiveStamps(signature, report).map((stamp) =>
      stampXml('DocTimeStamp', stamp.id, stamp.productionTime),
    ),
    element('SubFilter', {}, element('SubFilterElement', {}, subFilter)),
    isByteRange(integrity.byteRange)
      ? element('ByteRange', {}, integrity.byteRange.join(' '))
      : undefined,
  ]
  return element('SignatureAttributes', {}, ...children.map((child) => child || undefined))
}

function qualityXml({ level, qualification }: Signature): XmlText {
  const qualities = [level, ...(qualification ? [qualification.level] : [])]
  return element(
    'SignatureQuality',
    {},
    ...qualities.map((name) =>
      element('SignatureQualityInformation', {}, ownName('quality', name)),
    ),
  )
}

function chainXml({ certificateChain }: Signature): XmlText | undefined {
  const [own, ...others] = certificateChain
  if (!own) return undefined
  const anchor = others.find(({ trustAnchor }) => trustAnchor)
  return element(
    'CertificateChain',
    {},
    reference('SigningCertificate', certificateId(own.sha256)),
    ...others
      .filter((one) => one !== anchor)
      .map(({ sha256 }) => reference('IntermediateCertificate', certificateId(sha256))),
    anchor && reference('TrustAnchor', certificateId(anchor.sha256)),
  )
}

const revocationXml = (revocation: readonly Signature['revocation'][number][]) =>
  revocation
    .filter(({ status, revokedAt }) => status === 'revoked' && revokedAt !== undefined)
    .map(({ certificateSha256, revokedAt, reason }) =>
      element(
        'RevocationStatusInformation',
        {},
        reference('ValidationObjectId', certificateId(certificateSha256)),
        element('RevocationTime', {}, revokedAt),
        reason && element('RevocationReason', {}, revocationReason(reason)),
      ),
    )

function cryptoXml({ id, integrity, errors }: Signature): XmlText | undefined {
  const { signatureAlgorithm } = integrity
  if (signatureAlgorithm === undefined) return undefined
  const isSecure = errors.every(({ key }) => !/^ALGORITHM_|_ALGORITHM_UNKNOWN$/.test(key))
  return element(
    'CryptoInformation',
    {},
    reference('ValidationObjectId', id),
    element('Algorithm', {}, algorithmUri(signatureAlgorithm)),
    element('SecureAlgorithm', {}, String(isSecure)),
  )
}

const dataXml = (kind: 'finding' | 'modifications', name: string, text: string) =>
  element('ReportData', {}, element('Type', {}, ownName(kind, name)), element('Value', {}, text))

/** What later revisions changed, and the findings, for which the standard has no element. */
function additionalXml({ modifications, errors, warnings, infos }: Signature): XmlText {
  const changes = modifications.changes.filter(({ permitted }) => !permitted)
  const lines = changes.map(({ object, path, action }) => `object ${object} ${path} ${action}`)
  return element(
    'AdditionalValidationReportData',
    {},
    dataXml('modifications', 'level', modifications.level),
    ...lines.map((text) => dataXml('modifications', 'notPermitted', text)),
    ...[...errors, ...warnings, ...infos].map(({ key, text }) => dataXml('finding', key, text)),
  )
}

function statusXml(signature: Signature): XmlText {
  const { indication, subIndication: reason, certificateChain, revocation } = signature
  const anchor = certificateChain.find(({ trustAnchor }) => trustAnchor)
  const [first, ...others] = revocationXml(revocation)
  return element(
    'SignatureValidationStatus',
    {},
    element('MainIndication', {}, mainIndication(indication)),
    reason && element('SubIndication', {}, subIndication(reason)),
    element(
      'AssociatedValidationReportData',
      {},
      anchor && reference('TrustAnchor', certificateId(anchor.sha256)),
      chainXml(signature),
      first,
      cryptoXml(signature),
      additionalXml(signature),
    ),
    // The schema permits one revoked certificate in each of them.
    ...others.map((one) => element('AssociatedValidationReportData', {}, one)),
  )
}

function signatureXml(signature: Signature, report: CoreReport): XmlText {
  const { signer, errors, warnings } = signature
  return element(
    'SignatureValidationReport',
    {},
    identifierXml(signature),
    constraintsXml({ errors, warnings }, report.policy),
    timeXml(signature, report),
    element('SignersDocument', {}, reference('SignersDocumentRepresentation', DOCUMENT_ID)),
    attributesXml(signature, report),
    signer &&
      element(
        'SignerInformation',
        {},
        reference('SignerCertificate', certificateId(signer.certificateSha256)),
        element('Signer', {}, signer.commonName ?? signer.subject),
      ),
    qualityXml(signature),
    element(
      'SignatureValidationProcess',
      {},
      element('SignatureValidationProcessID', {}, LTA_PROCESS),
    ),
    statusXml(signature),
  )
}

/** The schema requires one report; a document without a signature gets one that says so. */
const noSignatureXml = () =>
  element(
    'SignatureValidationReport',
    {},
    element(
      'SignatureValidationStatus',
      {},
      element('MainIndication', {}, mainIndication('INDETERMINATE')),
      element('SubIndication', {}, NO_SIGNATURE_FOUND),
    ),
  )

const validatorXml = (certificate: Uint8Array) =>
  element(
    'SignatureValidator',
    {},
    element(
      'DigitalId',
      {},
      element('tsl:X509Certificate', {}, Buffer.from(certificate).toString('base64')),
    ),
  )

/**
 * Writes a report as XML, without a signature.
 *
 * @param validator DER certificate of the validator; absent when the report is not signed
 * @returns the document element, without an XML declaration
 */
export function writeEtsiReport(
  { report, certificates }: ReportSource,
  validator?: Uint8Array,
): string {
  const reports = report.signatures.map((one) => signatureXml(one, report))
  return element(
    'ValidationReport',
    NAMESPACES,
    ...(reports.length > 0 ? reports : [noSignatureXml()]),
    objectsXml(report, certificates),
    validator && validatorXml(validator),
  ).xml
}
