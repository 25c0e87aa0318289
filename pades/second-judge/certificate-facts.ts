/** What a certificate says about revocation: who may publish it, and where (RFC 5280, 4.2). */

import { Buffer } from 'node:buffer'
import { ExtKeyUsage, InfoAccess } from 'pkijs'
import type { Certificate } from 'pkijs'
import { keyStrength } from '../cms/key-strength.ts'
import { kindOf } from './engine.ts'
import type { JudgeEngine } from './engine.ts'

const EXTENDED_KEY_USAGE = '2.5.29.37'
const OCSP_SIGNING = '1.3.6.1.5.5.7.3.9'

const keys = new WeakMap<Certificate, string>()

/** The octets of a public key. */
export function keyOf(certificate: Certificate): string {
  const octets = () => certificate.subjectPublicKeyInfo.toSchema().toBER()
  const key = keys.get(certificate) ?? Buffer.from(octets()).toString('base64')
  keys.set(certificate, key)
  return key
}

/** Whether a certificate is for answers about the status of others (RFC 6960, 4.2.2.2). */
export const mayAnswer = ({ extensions }: Certificate): boolean =>
  extensions?.some(
    (one) =>
      one.extnID === EXTENDED_KEY_USAGE &&
      one.parsedValue instanceof ExtKeyUsage &&
      one.parsedValue.keyPurposes.includes(OCSP_SIGNING),
  ) ?? false

const OCSP_NO_CHECK = '1.3.6.1.5.5.7.48.1.5'

/** Whether the issuer says that a responder need not be asked about (RFC 6960, 4.2.2.2.1). */
export const isNeverChecked = ({ extensions }: Certificate): boolean =>
  extensions?.some(({ extnID }) => extnID === OCSP_NO_CHECK) ?? false

/** Whether subject and issuer have the same name. */
export const isSelfIssued = ({ subject, issuer }: Certificate): boolean => subject.isEqual(issuer)

/** Whether the key of one certificate signed another; false when this cannot be verified. */
export const hasSigned = (
  issuer: Certificate,
  certificate: Certificate,
  engine: JudgeEngine,
): Promise<boolean> => certificate.verify(issuer, engine).catch(() => false)

/** Whether others may have found the key: what it signs shows nothing. */
export const hasWeakKey = ({ subjectPublicKeyInfo }: Certificate): boolean =>
  keyStrength(kindOf(subjectPublicKeyInfo)) === 'weak'

const DISTRIBUTION_POINTS = '2.5.29.31'
const AUTHORITY_ACCESS = '1.3.6.1.5.5.7.1.1'
const ACCESS_OCSP = '1.3.6.1.5.5.7.48.1'

/** Whether a certificate names a place where its revocation is published. */
export const publishesRevocation = ({ extensions }: Certificate): boolean =>
  extensions?.some(
    (one) =>
      one.extnID === DISTRIBUTION_POINTS ||
      (one.extnID === AUTHORITY_ACCESS &&
        one.parsedValue instanceof InfoAccess &&
        one.parsedValue.accessDescriptions.some(
          ({ accessMethod }) => accessMethod === ACCESS_OCSP,
        )),
  ) ?? false

/** Bit 6 of the key usage, the seventh from the left (RFC 5280, 4.2.1.3). */
const CRL_SIGN = 0x02
const KEY_USAGE = '2.5.29.15'

/**
 * Whether the key usage of a certificate permits it to sign lists.
 *
 * @returns undefined for a certificate without a key usage
 */
export function mayIssueLists({ extensions }: Certificate): boolean | undefined {
  const usage = extensions?.find(({ extnID }) => extnID === KEY_USAGE)
  if (!usage) return undefined
  const bits = usage.parsedValue as { valueBlock?: { valueHexView?: Uint8Array } } | undefined
  return ((bits?.valueBlock?.valueHexView?.[0] ?? 0) & CRL_SIGN) !== 0
}
