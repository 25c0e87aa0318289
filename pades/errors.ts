/** The one catalogue of what this library cannot do, with words that a person can act on. */

/** What helps with most documents that cannot be signed as they are. */
export const PRINT_ANEW =
  'print the document to a new PDF (which has no signatures) and upload that'

export const PADES_ERRORS = {
  NOT_A_PDF: 'The file is not a PDF',
  DAMAGED: 'The PDF is damaged and cannot be read; save or print it as a new PDF and upload that',
  DAMAGED_AND_SIGNED:
    'The PDF is damaged and carries signatures, which a repair would break;' +
    ' upload it as it was before it was damaged',
  AMBIGUOUS: `PDF programs may show the document differently; ${PRINT_ANEW}`,
  ENCRYPTED: 'The PDF is protected with a password or permissions; upload one without protection',
  NO_PAGES: 'The PDF has no pages',
  TOO_MANY_OBJECTS: 'The PDF has more objects than are supported; save a simpler version of it',
  LIMIT_EXCEEDED: `The PDF is built in a way that exceeds the limits; ${PRINT_ANEW}`,
  CERTIFIED:
    'The PDF is certified by its author and forbids further signature fields;' +
    ' upload the version from before it was certified',
  LOCKED:
    'A signature in the PDF locks its form fields against further signatures;' +
    ' upload a version without that lock',
  DYNAMIC_XFA: `The PDF is a dynamic XFA form, which cannot be signed; ${PRINT_ANEW}`,
  DEFIES_SIGNING:
    'The PDF is built in a way that makes new signatures invalid;' +
    ' print it as a new PDF, which has none of the signatures that this one carries',
  READ_DIFFERENTLY: `The PDF is read differently by different PDF programs; ${PRINT_ANEW}`,
  UNDRAWN: 'PDF programs show a comment or form field of the PDF differently; ' + PRINT_ANEW,
  PAGE_MISSING: 'A signature is placed on a page that the PDF does not have',
  BAD_PLACEMENT: 'A signature is placed outside its page or has no size',
  BAD_DRAWING: 'The drawing of the signature cannot be read',
  HOLE_TOO_SMALL: 'The signature is larger than the place reserved for it',
  BAD_CMS: 'The signature container cannot be read',
  BAD_CERTIFICATE: 'The certificate cannot be read',
  BAD_KEY: 'The private key cannot be read or is of a kind that does not sign here',
  BAD_NAME: 'A name has no part that a certificate can carry',
  BAD_TIME_STAMP: 'The time-stamp cannot be read or is not for this signature',
  BAD_REVOCATION_DATA: 'Revocation data cannot be read',
  REVOCATION_DATA_MISSING:
    'The revocation status of a certificate could not be had from its authority',
  CERTIFICATE_REVOKED: 'A certificate that is to be relied on was revoked by its authority',
  NO_SIGNERS: 'There is nobody to sign for',
  NO_SIGNATURES: 'The PDF has no signature that could be made to last',
  BAD_ATTACHMENT: 'A file cannot be attached to the document',
  CONTENT_TOO_LARGE: 'The document would be too long to be read',
} as const satisfies Record<string, string>

export type PadesErrorCode = keyof typeof PADES_ERRORS

/** What this library could not do; `code` is stable, `message` is for people. */
export class PadesError extends Error {
  readonly code: PadesErrorCode

  /** @param message in place of the catalogue's: more exact, safe to show to any person */
  constructor(code: PadesErrorCode, message: string = PADES_ERRORS[code], options?: ErrorOptions) {
    super(message, options)
    this.name = 'PadesError'
    this.code = code
  }
}
