/** Namespaces and identifiers of validation reports (ETSI TS 119 102-2). */

/** Namespaces by the prefix that reports use. */
export const NAMESPACES = {
  xmlns: 'http://uri.etsi.org/19102/v1.2.1#',
  'xmlns:ds': 'http://www.w3.org/2000/09/xmldsig#',
  'xmlns:xades': 'http://uri.etsi.org/01903/v1.3.2#',
  'xmlns:tsl': 'http://uri.etsi.org/02231/v2#',
} as const

export const SHA256_URI = 'http://www.w3.org/2001/04/xmlenc#sha256'

const ETSI = 'urn:etsi:019102'
/** Prefix of identifiers for which the standard has none. */
const OWN = 'urn:x-sigcase'

const MAIN_INDICATIONS: Readonly<Record<string, string>> = {
  TOTAL_PASSED: 'total-passed',
  TOTAL_FAILED: 'total-failed',
  INDETERMINATE: 'indeterminate',
}

/** MainIndication of a signature. @param indication as in our own report */
export const mainIndication = (indication: string) =>
  `${ETSI}:mainindication:${MAIN_INDICATIONS[indication] ?? 'indeterminate'}`

/** MainIndication of a building block or a time-stamp. */
export const blockIndication = (indication: string) =>
  mainIndication(indication).replace('total-', '')

/** SubIndication, as EN 319 102-1, 5.1.3 names it. */
export const subIndication = (name: string) => `${ETSI}:subindication:${name}`

/** The standard has no sub-indication for a document without a signature. */
export const NO_SIGNATURE_FOUND = `${OWN}:subindication:NO_SIGNATURE_FOUND`

export const CONSTRAINT_APPLIED = `${ETSI}:constraintStatus:applied`
export const POE_BY_VALIDATION = `${ETSI}:poetype:validation`
/** Validation process for signatures with long-term availability (EN 319 102-1, 5.6). */
export const LTA_PROCESS = `${ETSI}:validationprocess:LTA`

/** Type of a validation object. */
export const objectType = (name: 'certificate' | 'timestamp' | 'signedData') =>
  `${ETSI}:validationObject:${name}`

/** CRLReason (RFC 5280, 5.3.1). */
export const revocationReason = (name: string) => `${ETSI}:revocationReason:${name}`

/** Identifier of our own for a constraint, a quality, a policy or a kind of data. */
export const ownName = (
  kind: 'constraint' | 'quality' | 'policy' | 'finding' | 'modifications',
  name: string,
) => `${OWN}:${kind}:${encodeURIComponent(name)}`

const MORE = 'http://www.w3.org/2001/04/xmldsig-more#'
const NEWER = 'http://www.w3.org/2007/05/xmldsig-more#'

/** Signature algorithms (RFC 9231), by the names of our own report. */
const ALGORITHMS: Readonly<Record<string, string>> = {
  'rsa-md5': `${MORE}rsa-md5`,
  'rsa-sha1': 'http://www.w3.org/2000/09/xmldsig#rsa-sha1',
  'dsa-sha1': 'http://www.w3.org/2000/09/xmldsig#dsa-sha1',
  'dsa-sha256': 'http://www.w3.org/2009/xmldsig11#dsa-sha256',
  'ecdsa-sha1': `${MORE}ecdsa-sha1`,
  ...Object.fromEntries(
    ['sha224', 'sha256', 'sha384', 'sha512'].flatMap((hash) => [
      [`rsa-${hash}`, `${MORE}rsa-${hash}`],
      [`ecdsa-${hash}`, `${MORE}ecdsa-${hash}`],
      [`rsa-pss-${hash}`, `${NEWER}${hash}-rsa-MGF1`],
    ]),
  ),
  ...Object.fromEntries(
    ['sha3-256', 'sha3-384', 'sha3-512'].flatMap((hash) => [
      [`rsa-pss-${hash}`, `${NEWER}${hash}-rsa-MGF1`],
      [`ecdsa-${hash}`, `http://www.w3.org/2021/04/xmldsig-more#ecdsa-${hash}`],
    ]),
  ),
  ed25519: 'http://www.w3.org/2021/04/xmldsig-more#eddsa-ed25519',
  ed448: 'http://www.w3.org/2021/04/xmldsig-more#eddsa-ed448',
}

/** @param name of our own report, or the dotted OID of an algorithm that it does not know */
export function algorithmUri(name: string): string {
  if (/^[\d.]+$/.test(name)) return `urn:oid:${name}`
  return ALGORITHMS[name] ?? `${OWN}:algorithm:${name}`
}
