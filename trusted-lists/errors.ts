/** The catalogue of reasons for refusing a trusted list, with messages for operators. */

export const TRUSTED_LIST_ERRORS = {
  NOT_AVAILABLE: 'The list could not be fetched from its source',
  MALFORMED_XML: 'The list is not well-formed XML in UTF-8',
  DTD_FORBIDDEN: 'The list has a document type declaration or processing instruction',
  LIMIT_EXCEEDED: 'The list exceeds the limits of size or nesting',
  NOT_A_TRUSTED_LIST: 'The document is not a trusted list of the expected form',
  UNKNOWN_VERSION: 'The version of the list is not supported; versions 5 and 6 are',
  WRONG_LIST: 'The list has another type or territory than requested',
  SIGNATURE_MISSING: 'The list has no signature, or more than one',
  SIGNATURE_FORM: 'The signature does not have the form of trusted list signatures',
  SIGNATURE_WRONG: 'The signature does not match the list',
  SIGNER_NOT_NAMED: 'The list is signed by a certificate that no trusted list names for it',
  SEQUENCE_WENT_BACK: 'The list is older than the one that was accepted before',
  ISSUED_IN_FUTURE: 'The issue date of the list is in the future',
  ANCHORS_SUPERSEDED: 'The list of lists does not name the publication of the anchors',
} as const satisfies Record<string, string>

export type TrustedListErrorCode = keyof typeof TRUSTED_LIST_ERRORS

/** The reason for refusing a list; `code` is stable, `message` is human-readable. */
export class TrustedListError extends Error {
  readonly code: TrustedListErrorCode

  constructor(code: TrustedListErrorCode, detail?: string, options?: ErrorOptions) {
    super(TRUSTED_LIST_ERRORS[code] + (detail === undefined ? '' : `: ${detail}`), options)
    this.name = 'TrustedListError'
    this.code = code
  }
}
