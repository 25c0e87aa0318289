/**
 * The elements of ETSI TS 119 102-2 (version 1.4.1) that reports use, and the order of their
 * children: a replacement for the official schema, which is not part of this repository.
 */
import type { XmlElement } from '../../../trusted-lists/xml.ts'

const REPORT =
  'SignatureIdentifier? ValidationConstraintsEvaluationReport? ValidationTimeInfo? ' +
  'SignersDocument? SignatureAttributes? SignerInformation? SignatureQuality? ' +
  'SignatureValidationProcess? SignatureValidationStatus OtherInformation?'

const OBJECT = 'ObjectType ValidationObjectRepresentation POE? POEProvisioning? ValidationReport?'
const STATUS = 'MainIndication SubIndication* AssociatedValidationReportData*'
const STAMP = 'AttributeObject* TimeStampValue'
const POE = 'POETime TypeOfProof POEObject?'

/** Children by the path of parent and element, or by the element alone. */
const MODEL: Readonly<Record<string, string>> = {
  ValidationReport:
    'SignatureValidationReport+ SignatureValidationObjects? SignatureValidator? Signature?',
  'ValidationObject/ValidationReport': REPORT,
  SignatureValidationReport: REPORT,
  SignatureIdentifier:
    'DigestAlgAndValue? SignatureValue? HashOnly DocHashOnly DAIdentifier? OtherInformation?',
  ValidationConstraintsEvaluationReport: 'SignatureValidationPolicy? ValidationConstraint*',
  SignatureValidationPolicy:
    'SignaturePolicyIdentifier PolicyName? FormalPolicyURI? ReadablePolicyURI?',
  SignaturePolicyIdentifier: '(SignaturePolicyId|SignaturePolicyImplied)',
  SignaturePolicyId: 'SigPolicyId Transforms? SigPolicyHash SigPolicyQualifiers?',
  SigPolicyId: 'Identifier Description?',
  SigPolicyHash: 'DigestMethod DigestValue',
  ValidationConstraint:
    'ValidationConstraintIdentifier ValidationConstraintParameter* ConstraintStatus ' +
    'ValidationStatus? Indications?',
  ValidationConstraintParameter: 'Type Value',
  ConstraintStatus: 'Status OverriddenBy?',
  ValidationStatus: STATUS,
  SignatureValidationStatus: STATUS,
  ValidationTimeInfo: 'ValidationTime BestSignatureTime',
  BestSignatureTime: POE,
  POE,
  SignersDocument:
    '(DigestAlgAndValue SignersDocumentRepresentation?|SignersDocumentRepresentation)',
  DigestAlgAndValue: 'DigestMethod DigestValue',
  SignatureAttributes:
    '(SigningTime|SigningCertificate|SignatureTimeStamp|DocTimeStamp|SubFilter|ByteRange)+',
  SigningTime: 'AttributeObject* Time',
  SigningCertificate: 'AttributeObject* CertID*',
  'CertificateChain/SigningCertificate': '',
  SignatureTimeStamp: STAMP,
  DocTimeStamp: STAMP,
  SubFilter: 'AttributeObject* SubFilterElement',
  SignerInformation: 'SignerCertificate Signer? OtherInformation?',
  SignatureQuality: 'SignatureQualityInformation+',
  SignatureValidationProcess: 'SignatureValidationProcessID? SignatureValidationServicePolicy?',
  AssociatedValidationReportData:
    'TrustAnchor? CertificateChain? RelatedValidationObject* RevocationStatusInformation? ' +
    'CryptoInformation? AdditionalValidationReportData?',
  CertificateChain: 'SigningCertificate IntermediateCertificate* TrustAnchor? OtherInformation?',
  RevocationStatusInformation:
    'ValidationObjectId RevocationTime RevocationReason? RevocationObject?',
  CryptoInformation: 'ValidationObjectId Algorithm AlgorithmParameters? SecureAlgorithm NotAfter?',
  AdditionalValidationReportData: 'ReportData+',
  ReportData: 'Type Value',
  SignatureValidationObjects: 'ValidationObject+',
  ValidationObject: OBJECT,
  ValidationObjectRepresentation: '(direct|base64|DigestAlgAndValue|URI)+',
  direct: 'SignatureReference?',
  OtherInformation: 'SignatureReference?',
  SignatureReference: '(PAdESFieldName)',
  SignatureValidator: 'DigitalId+ TSPInformation? OtherInformation?',
  DigitalId: 'X509Certificate',
}

/** Names as a text, in which each name ends with a space. */
const patternOf = (model: string) =>
  new RegExp(
    `^${model
      .replace(/[A-Za-z0-9]+/g, '(?:$& )')
      .replace(/ (?=\(|$)/g, '')
      .replaceAll(') (', ')(')}$`,
  )

/**
 * Lists the elements whose children are not in the order of the standard.
 *
 * @param element outside of the enveloped signature
 * @param parent name of the element above
 */
export function modelFaults(element: XmlElement, parent = ''): string[] {
  if (element.name === 'Signature') return []
  const names = element.children.map(({ name }) => `${name} `).join('')
  const model = MODEL[`${parent}/${element.name}`] ?? MODEL[element.name] ?? ''
  const isRight = model === '' ? names === '' : patternOf(model).test(names)
  return [
    ...(isRight ? [] : [`${parent}/${element.name}: ${names}`]),
    ...element.children.flatMap((child) => modelFaults(child, element.name)),
  ]
}
