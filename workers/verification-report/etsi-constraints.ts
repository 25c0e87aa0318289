/**
 * The constraints of a validation and their results (ETSI TS 119 102-2, 4.3.5): one for each
 * building block of EN 319 102-1.
 */
import type { CoreReport } from '../../domain/contract/validation-report.ts'
import { FINDINGS, type FindingKind } from '../../pades/index.ts'
import {
  blockIndication,
  CONSTRAINT_APPLIED,
  ownName,
  SHA256_URI,
  subIndication,
} from './etsi-names.ts'
import { element, type XmlText } from './xml-writer.ts'

type Findings = Pick<CoreReport['signatures'][number], 'errors' | 'warnings'>
type Policy = CoreReport['policy']

/** Building blocks of EN 319 102-1, with the sub-indications that they can have. */
const BLOCKS: readonly { name: string; subIndications: readonly string[] }[] = [
  { name: 'formatChecking', subIndications: ['FORMAT_FAILURE'] },
  {
    name: 'identificationOfTheSigningCertificate',
    subIndications: ['NO_SIGNING_CERTIFICATE_FOUND'],
  },
  {
    name: 'x509CertificateValidation',
    subIndications: [
      'NO_CERTIFICATE_CHAIN_FOUND',
      'CHAIN_CONSTRAINTS_FAILURE',
      'OUT_OF_BOUNDS_NO_POE',
      'TIMESTAMP_ORDER_FAILURE',
      'REVOKED_NO_POE',
      'REVOKED_CA_NO_POE',
      'NOT_YET_VALID',
      'TRY_LATER',
    ],
  },
  { name: 'cryptographicVerification', subIndications: ['HASH_FAILURE', 'SIG_CRYPTO_FAILURE'] },
  { name: 'cryptographicConstraints', subIndications: ['CRYPTO_CONSTRAINTS_FAILURE'] },
  { name: 'signatureAcceptanceValidation', subIndications: ['SIG_CONSTRAINTS_FAILURE'] },
]

const kindOf = (key: string): FindingKind | undefined =>
  (FINDINGS as Readonly<Record<string, FindingKind>>)[key]

/** Says which policy was used; without a file it is the built-in one, which has no digest. */
function policyXml({ id, version, sha256 }: Policy): XmlText {
  const name = `${id}, version ${version}`
  const identifier = sha256
    ? element(
        'xades:SignaturePolicyId',
        {},
        element(
          'xades:SigPolicyId',
          {},
          element(
            'xades:Identifier',
            {},
            /^[a-z][a-z0-9+.-]*:/i.test(id) ? id : ownName('policy', id),
          ),
        ),
        element(
          'xades:SigPolicyHash',
          {},
          element('ds:DigestMethod', { Algorithm: SHA256_URI }),
          element('ds:DigestValue', {}, Buffer.from(sha256, 'hex').toString('base64')),
        ),
      )
    : element('xades:SignaturePolicyImplied', {})
  return element(
    'SignatureValidationPolicy',
    {},
    element('SignaturePolicyIdentifier', {}, identifier),
    element('PolicyName', {}, name),
  )
}

/** A decision of the policy, as a parameter of the constraint. */
const parameter = (type: string, value: string) =>
  element(
    'ValidationConstraintParameter',
    {},
    element('Type', {}, ownName('constraint', type)),
    element('Value', {}, value),
  )

function constraintXml(
  { name, subIndications }: (typeof BLOCKS)[number],
  { errors, warnings }: Findings,
  policy: Policy,
): XmlText {
  const isOwn = ({ key }: Findings['errors'][number]) =>
    subIndications.includes(kindOf(key)?.subIndication ?? '')
  const failures = errors.filter(isOwn)
  const gravest =
    failures.find(({ key }) => kindOf(key)?.indication === 'TOTAL_FAILED') ?? failures[0]
  const kind = gravest && kindOf(gravest.key)
  const isAcceptance = name === 'signatureAcceptanceValidation'
  const lines = [...failures, ...(isAcceptance ? warnings : [])]
  const { formFilling } = policy
  return element(
    'ValidationConstraint',
    {},
    element('ValidationConstraintIdentifier', {}, ownName('constraint', name)),
    isAcceptance && formFilling ? parameter('formFilling', formFilling) : undefined,
    element('ConstraintStatus', {}, element('Status', {}, CONSTRAINT_APPLIED)),
    element(
      'ValidationStatus',
      {},
      element('MainIndication', {}, blockIndication(kind?.indication ?? 'TOTAL_PASSED')),
      kind?.subIndication && element('SubIndication', {}, subIndication(kind.subIndication)),
    ),
    lines.length > 0
      ? element('Indications', {}, lines.map(({ key, text }) => `${key}: ${text}`).join('; '))
      : undefined,
  )
}

/** Writes `ValidationConstraintsEvaluationReport` of one signature or time-stamp. */
export const constraintsXml = (findings: Findings, policy: Policy): XmlText =>
  element(
    'ValidationConstraintsEvaluationReport',
    {},
    policyXml(policy),
    ...BLOCKS.map((block) => constraintXml(block, findings, policy)),
  )
