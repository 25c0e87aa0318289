/** The one catalogue of why a trusted list is refused, with words that an operator can act on. */

export const TRUSTED_LIST_ERRORS = {
  NOT_AVAILABLE: 'The list could not be had from its source',
  MALFORMED_XML: 'The list is not well-formed XML in UTF-8',
  DTD_FORBIDDEN: 'The list has a document type declaration or processing instruction',
  LIMIT_EXCEEDED: 'The list is larger or nested more deeply than any honest one',
  NOT_A_TRUSTED_LIST: 'The document is not a trusted list of the expected form',
  UNKNOWN_VERSION: 'The list is of a version that is not known; versions 5 and 6 are',
  WRONG_LIST: 'The list is of another type or territory than was asked for',
  SIGNATURE_MISSING: 'The list has no signature, or more than one',
  SIGNATURE_FORM: 'The signature is not made as trusted lists are signed',
  SIGNATURE_WRONG: 'The signature does not fit the list',
  SIGNER_NOT_NAMED: 'The list is signed by a key that nobody trusted has named for it',
  SEQUENCE_WENT_BACK: 'The list is older than the one that was accepted before',
  ISSUED_IN_FUTURE: 'The list says that it was issued later than now',
  ANCHORS_SUPERSEDED: 'The list of lists does not name the publication of the anchors',
} as const satisfies Record<string, string>

export type TrustedListErrorCode = keyof typeof TRUSTED_LIST_ERRORS

/** Why a list was refused; `code` is stable, `message` is for people. */
export class TrustedListError extends Error {
  readonly code: TrustedListErrorCode

  constructor(code: TrustedListErrorCode, detail?: string, options?: ErrorOptions) {
    super(TRUSTED_LIST_ERRORS[code] + (detail === undefined ? '' : `: ${detail}`), options)
    this.name = 'TrustedListError'
    this.code = code
  }
}
