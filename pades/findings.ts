/**
 * The one catalogue of what validation can find, each with what it makes of a signature (ETSI EN
 * 319 102-1, 5.1.3: indications and sub-indications).
 */

export type Indication = 'TOTAL_PASSED' | 'INDETERMINATE' | 'TOTAL_FAILED'

export type SubIndication =
  | 'FORMAT_FAILURE'
  | 'HASH_FAILURE'
  | 'SIG_CRYPTO_FAILURE'
  | 'NOT_YET_VALID'
  | 'SIG_CONSTRAINTS_FAILURE'
  | 'CHAIN_CONSTRAINTS_FAILURE'
  | 'CRYPTO_CONSTRAINTS_FAILURE'
  | 'NO_SIGNING_CERTIFICATE_FOUND'
  | 'NO_CERTIFICATE_CHAIN_FOUND'
  | 'OUT_OF_BOUNDS_NO_POE'
  | 'TIMESTAMP_ORDER_FAILURE'
  | 'REVOKED_NO_POE'
  | 'REVOKED_CA_NO_POE'
  | 'TRY_LATER'

export interface FindingKind {
  /** What becomes of a signature with this finding; absent for warnings. */
  readonly indication?: Exclude<Indication, 'TOTAL_PASSED'>
  readonly subIndication?: SubIndication
  readonly text: string
}

const failed = (subIndication: SubIndication, text: string) =>
  ({ indication: 'TOTAL_FAILED', subIndication, text }) as const
const indeterminate = (subIndication: SubIndication, text: string) =>
  ({ indication: 'INDETERMINATE', subIndication, text }) as const
const warning = (text: string) => ({ text }) as const

/** In order of rank: of two findings that weigh alike, the first one names the sub-indication. */
export const FINDINGS = {
  BYTE_RANGE_INVALID: failed(
    'FORMAT_FAILURE',
    'ByteRange is not two ranges around exactly the Contents of the signature',
  ),
  BYTE_RANGE_NOT_A_REVISION: failed(
    'FORMAT_FAILURE',
    'ByteRange does not end where a revision of the document ends',
  ),
  CONTENTS_UNREADABLE: failed('FORMAT_FAILURE', 'The signature container (CMS) cannot be read'),
  NOT_ONE_SIGNER: failed('FORMAT_FAILURE', 'The CMS does not have exactly one signer'),
  CONTENT_INSIDE: failed('FORMAT_FAILURE', 'The CMS holds content of its own'),
  CONTENT_TYPE_DIFFERS: failed('FORMAT_FAILURE', 'The content type is not the one it must be'),
  ATTRIBUTE_VALUES_WRONG: failed(
    'FORMAT_FAILURE',
    'A signed attribute that must have one value has several, or none',
  ),
  TIME_STAMP_UNREADABLE: failed('FORMAT_FAILURE', 'The time-stamp token cannot be read'),
  DIGEST_DIFFERS: failed('HASH_FAILURE', 'The signed bytes were changed after signing'),
  TIME_STAMP_IMPRINT_DIFFERS: failed('HASH_FAILURE', 'The time-stamp is for something else'),
  SIGNATURE_VALUE_WRONG: failed(
    'SIG_CRYPTO_FAILURE',
    'The signature value does not fit the certificate and the signed attributes',
  ),
  CERTIFICATE_NOT_YET_VALID: failed(
    'NOT_YET_VALID',
    'The signature existed before the certificate was valid',
  ),
  DOCUMENT_ENCRYPTED: indeterminate(
    'SIG_CONSTRAINTS_FAILURE',
    'The document is encrypted and cannot be decrypted without a password or a certificate',
  ),
  DOCUMENT_DAMAGED: indeterminate(
    'SIG_CONSTRAINTS_FAILURE',
    'The document is damaged, so changes after signing cannot be determined',
  ),
  MODIFIED_AFTER_SIGNING: indeterminate(
    'SIG_CONSTRAINTS_FAILURE',
    'The document was changed after signing in a way that is not known to be harmless',
  ),
  FORM_FILLED_AFTER_SIGNING: indeterminate(
    'SIG_CONSTRAINTS_FAILURE',
    'Fields of the form were filled in after signing, and the policy does not permit that',
  ),
  REVISION_AT_END: indeterminate(
    'SIG_CONSTRAINTS_FAILURE',
    'Bytes after the last revision look like objects, which some readers would show',
  ),
  SYNTAX_AMBIGUOUS: indeterminate(
    'SIG_CONSTRAINTS_FAILURE',
    'Readers may understand the signed document differently, and more was added after signing',
  ),
  LATER_REVISION_AMBIGUOUS: indeterminate(
    'SIG_CONSTRAINTS_FAILURE',
    'Readers may understand what was added after signing differently',
  ),
  LINEARIZED_LATER: indeterminate(
    'SIG_CONSTRAINTS_FAILURE',
    'The file names a length that it did not have when signed: some readers show an older state',
  ),
  END_NOT_FOUND_BY_ALL: indeterminate(
    'SIG_CONSTRAINTS_FAILURE',
    'So many bytes follow the last revision that some readers do not find its end',
  ),
  FIELD_NOT_IN_REVISION: indeterminate(
    'SIG_CONSTRAINTS_FAILURE',
    'The signature was not in this field when it was made',
  ),
  SIGNATURE_SHARED: indeterminate(
    'SIG_CONSTRAINTS_FAILURE',
    'Several fields show the same signature',
  ),
  NAMES_AMBIGUOUS: indeterminate(
    'SIG_CONSTRAINTS_FAILURE',
    'Several signature fields have the same name',
  ),
  TOO_MUCH_VALIDATION_DATA: indeterminate(
    'SIG_CONSTRAINTS_FAILURE',
    'The document holds more validation data than are read, so that a revocation may be missed',
  ),
  TOO_MUCH_TO_HASH: indeterminate(
    'SIG_CONSTRAINTS_FAILURE',
    'The signatures cover more bytes than are hashed for one document',
  ),
  SIGNED_ATTRIBUTES_MISSING: indeterminate(
    'SIG_CONSTRAINTS_FAILURE',
    'The CMS has no signed attributes',
  ),
  ATTRIBUTE_UNREADABLE: indeterminate(
    'SIG_CONSTRAINTS_FAILURE',
    'An attribute of the CMS cannot be read',
  ),
  ALGORITHMS_DISAGREE: indeterminate(
    'SIG_CONSTRAINTS_FAILURE',
    'The CMS contradicts itself about its algorithms',
  ),
  SIGNING_CERTIFICATE_DIFFERS: indeterminate(
    'SIG_CONSTRAINTS_FAILURE',
    'The signed reference names another certificate',
  ),
  SIGNING_CERTIFICATE_NOT_NAMED: indeterminate(
    'SIG_CONSTRAINTS_FAILURE',
    'No signed attribute names the signing certificate',
  ),
  SIGNATURE_TIME_STAMP_BROKEN: indeterminate(
    'SIG_CONSTRAINTS_FAILURE',
    'A time-stamp of the signature is broken or belongs to another signature',
  ),
  SECOND_JUDGE_DISAGREES: indeterminate(
    'SIG_CONSTRAINTS_FAILURE',
    'A second, independent validation library does not come to the same result',
  ),
  EMBEDDED_CERTIFICATE_BROKEN: indeterminate(
    'SIG_CONSTRAINTS_FAILURE',
    'A certificate beside the signature is broken',
  ),
  SUB_FILTER_UNKNOWN: indeterminate(
    'SIG_CONSTRAINTS_FAILURE',
    'The kind of signature (SubFilter) is not known',
  ),
  SIGNED_ATTRIBUTES_NOT_DER: indeterminate(
    'SIG_CONSTRAINTS_FAILURE',
    'The signed attributes are not DER (RFC 5652, 5.4)',
  ),
  CONTENTS_BYTES_AFTER_CMS: indeterminate(
    'SIG_CONSTRAINTS_FAILURE',
    'Contents holds bytes after the CMS, which nothing protects',
  ),
  CONTENTS_ODDLY_WRITTEN: indeterminate(
    'SIG_CONSTRAINTS_FAILURE',
    'Contents mixes upper and lower case or holds white space, as after an edit',
  ),
  SIGNATURE_ODDLY_WRITTEN: indeterminate(
    'SIG_CONSTRAINTS_FAILURE',
    'Readers may find other entries in the signature dictionary or its field, or not find them',
  ),
  SIGNING_CERTIFICATE_NOT_FOUND: indeterminate(
    'NO_SIGNING_CERTIFICATE_FOUND',
    'The signing certificate is not in the CMS',
  ),
  DIGEST_ALGORITHM_UNKNOWN: indeterminate(
    'CRYPTO_CONSTRAINTS_FAILURE',
    'The digest algorithm is not known',
  ),
  SIGNATURE_ALGORITHM_UNKNOWN: indeterminate(
    'CRYPTO_CONSTRAINTS_FAILURE',
    'The signature algorithm is not known',
  ),
  ALGORITHM_TOO_WEAK: indeterminate(
    'CRYPTO_CONSTRAINTS_FAILURE',
    'An algorithm or key is no longer considered secure',
  ),
  NO_CERTIFICATE_CHAIN_FOUND: indeterminate(
    'NO_CERTIFICATE_CHAIN_FOUND',
    'No way leads from the certificate to a trusted one',
  ),
  ISSUER_IS_NO_AUTHORITY: indeterminate(
    'CHAIN_CONSTRAINTS_FAILURE',
    'The issuer of a certificate is not a certification authority',
  ),
  PATH_TOO_LONG: indeterminate(
    'CHAIN_CONSTRAINTS_FAILURE',
    'The chain has more authorities than one of them allows',
  ),
  KEY_USAGE_FORBIDS: indeterminate(
    'CHAIN_CONSTRAINTS_FAILURE',
    'The certificate, or one of its authorities, is not for this use',
  ),
  UNKNOWN_CRITICAL_EXTENSION: indeterminate(
    'CHAIN_CONSTRAINTS_FAILURE',
    'A certificate or token has a critical extension, or a constraint, that cannot be processed',
  ),
  NAME_CONSTRAINTS_NOT_MET: indeterminate(
    'CHAIN_CONSTRAINTS_FAILURE',
    'An authority in the chain may not issue certificates for one of the names in them',
  ),
  POLICY_CONSTRAINTS_NOT_MET: indeterminate(
    'CHAIN_CONSTRAINTS_FAILURE',
    'An authority in the chain requires a certificate policy that does not hold for the chain',
  ),
  ISSUER_OUTSIDE_VALIDITY: indeterminate(
    'OUT_OF_BOUNDS_NO_POE',
    'An authority was not valid at the time of the signature',
  ),
  CERTIFICATE_EXPIRED: indeterminate(
    'OUT_OF_BOUNDS_NO_POE',
    'The certificate had expired and nothing proves an earlier time of signing',
  ),
  TIME_STAMP_NAMES_ANOTHER: indeterminate(
    'SIG_CONSTRAINTS_FAILURE',
    'The time-stamp names another authority than its certificate does',
  ),
  TIME_STAMP_OUTSIDE_VALIDITY: indeterminate(
    'OUT_OF_BOUNDS_NO_POE',
    'The time-stamp names a time at which its authority was not valid',
  ),
  TIME_STAMP_IN_THE_FUTURE: indeterminate(
    'TIMESTAMP_ORDER_FAILURE',
    'The time-stamp names a time after that at which it is known to have existed',
  ),
  TIME_STAMPS_OUT_OF_ORDER: indeterminate(
    'TIMESTAMP_ORDER_FAILURE',
    'A time-stamp names a time after that of another one which was made later',
  ),
  CERTIFICATE_REVOKED: indeterminate(
    'REVOKED_NO_POE',
    'A certificate was revoked and nothing proves that the signature is older',
  ),
  CERTIFICATE_ON_HOLD: indeterminate(
    'TRY_LATER',
    'A certificate was on hold, and nothing shows that this began later or had ended',
  ),
  AUTHORITY_REVOKED: indeterminate(
    'REVOKED_CA_NO_POE',
    'An authority was revoked later, and nothing proves that its revocation data are older',
  ),
  REVOCATION_UNKNOWN: indeterminate(
    'TRY_LATER',
    'A certificate says where its revocation is published, and nothing shows that it was good then',
  ),
  COVERED_BY_UNTRUSTED: indeterminate(
    'SIG_CONSTRAINTS_FAILURE',
    'A later signature is visible on a page, and its certificate has no trust anchor',
  ),
  FORM_FILLED: warning('Fields of the form were filled in after signing, as the policy permits'),
  REVOCATION_DATA_OUTDATED: warning(
    'Whether an authority was revoked is known for the time of its time-stamp, not for now',
  ),
  SIGNATURE_TIME_STAMP_NOT_TRUSTED: warning('A time-stamp of the signature cannot be relied on'),
  CONTENT_TIME_STAMP_NOT_TRUSTED: warning('A time-stamp of the content cannot be relied on'),
  SIGNING_CERTIFICATE_NOT_NAMED_LEGACY: warning(
    'No signed attribute names the signing certificate, which this kind of signature permits',
  ),
  EMBEDDED_CERTIFICATE_UNKNOWN: warning(
    'A certificate beside the signature is of no use: of another kind, or its issuer not known',
  ),
  UNSIGNED_ATTRIBUTE_UNKNOWN: warning('The CMS has an unsigned attribute that is not known'),
  CMS_ODDLY_WRITTEN: warning('The unsigned part of the CMS is not written as the standard says'),
  UNSIGNED_BYTES_AT_END: warning('Unsigned bytes follow the last revision'),
} as const satisfies Record<string, FindingKind>

export type FindingKey = keyof typeof FINDINGS

/** Observations about a signature that are not errors; the `infos` of a report. */
export const INFOS = {
  APPEARANCE_COVERS_CONTENT: 'The visible part of this signature lies over text of the page',
  APPEARANCE_OVERLAPS_SIGNATURE: 'The visible part of this signature and that of another overlap',
} as const

export type InfoKey = keyof typeof INFOS

/** A finding as a report gives it. */
export interface Finding {
  readonly key: FindingKey
  readonly text: string
}

export interface Conclusion {
  readonly indication: Indication
  readonly subIndication?: SubIndication
  readonly errors: readonly Finding[]
  readonly warnings: readonly Finding[]
}

/** An info as a report gives it. */
export interface Info {
  readonly key: InfoKey
  readonly text: string
}

/** The infos of a report. */
export const infosOf = (keys: readonly InfoKey[]): Info[] =>
  keys.map((key) => ({ key, text: INFOS[key] }))

const RANKS = new Map(Object.keys(FINDINGS).map((key, rank) => [key, rank]))

/** What a set of findings comes to; the gravest comes first. */
export function conclude(keys: Iterable<FindingKey>): Conclusion {
  const sorted = [...new Set(keys)].sort((a, b) => (RANKS.get(a) ?? 0) - (RANKS.get(b) ?? 0))
  const kindOf = (key: FindingKey): FindingKind => FINDINGS[key]
  const finding = (key: FindingKey): Finding => ({ key, text: FINDINGS[key].text })
  const errors = sorted.filter((key) => kindOf(key).indication)
  const decisive = errors.find((key) => kindOf(key).indication === 'TOTAL_FAILED') ?? errors[0]
  const warnings = sorted.filter((key) => !kindOf(key).indication).map(finding)
  if (!decisive) return { indication: 'TOTAL_PASSED', errors: [], warnings }
  const { indication, subIndication } = FINDINGS[decisive] as Required<FindingKind>
  return { indication, subIndication, errors: errors.map(finding), warnings }
}
