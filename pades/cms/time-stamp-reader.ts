/** Reads and verifies time-stamp tokens (RFC 3161, 2.3 and 2.4.2; RFC 5816). */

import { createHash } from 'node:crypto'
import { PadesError } from '../errors.ts'
import { readAlgorithmIdentifier } from './certificate-reader.ts'
import type { Certificate } from './certificate-reader.ts'
import type { CertificationPath } from './certification-path.ts'
import type { PathProblem } from './path-problems.ts'
import { PathFinder } from './certification-path.ts'
import { compareOctets, TAG, withoutLeadingZeros } from './der.ts'
import { DerError, readDer } from './der-reader.ts'
import {
  readInteger,
  readObjectIdentifier,
  readOctetString,
  readSmallInteger,
} from './der-values.ts'
import { readTime } from './der-time.ts'
import type { DerElement } from './der-reader.ts'
import { readExtensions } from './extension-list.ts'
import { readGeneralName } from './general-names.ts'
import type { GeneralName } from './general-names.ts'
import { namesOf } from './name-constraints.ts'
import { relativeNameKeys } from './name-matching.ts'
import { OID } from './object-identifiers.ts'
import { HASHES } from './signature-algorithms.ts'
import { findSignerCertificate, readSignedData } from './signed-data-reader.ts'
import type { ShareCertificate, SignedData } from './signed-data-reader.ts'
import { checkSigner } from './signer-info.ts'
import type { SignerProblem } from './signer-info.ts'

/** What a token says; nothing of it is checked yet. */
export interface TimeStampToken {
  readonly genTime: Date
  /** Octets of the digest that was stamped. */
  readonly messageImprint: Uint8Array
  /** Name in `node:crypto`, or the dotted OID of a hash function that is not known. */
  readonly hash: string
  /** Dotted OID. */
  readonly policy: string
  /** Unsigned octets in their shortest form. */
  readonly serialNumber: Uint8Array
  readonly nonce: Uint8Array | undefined
  /** DER GeneralName of the authority, as the token names it. */
  readonly authorityName: DerElement | undefined
  /** Whether it has a critical extension; none is known. */
  readonly hasCriticalExtension: boolean
  /** The authority's certificate, when the token carries it. */
  readonly certificate: Certificate | undefined
  readonly signedData: SignedData
}

/**
 * Reads a token.
 *
 * @param der TimeStampToken
 * @param share as for `readSignedData`
 * @throws PadesError `BAD_TIME_STAMP`
 */
export function readTimeStampToken(der: Uint8Array, share?: ShareCertificate): TimeStampToken {
  try {
    const signedData = readSignedData(der, share)
    const [signer] = signedData.signers
    const { content, contentType } = signedData
    if (contentType !== OID.timeStampInfo || !content || !signer) throw new DerError('no TSTInfo')
    return {
      ...readInfo(readDer(content).as(TAG.sequence)),
      certificate: findSignerCertificate(signer, signedData.certificates),
      signedData,
    }
  } catch (cause) {
    throw new PadesError('BAD_TIME_STAMP', undefined, { cause })
  }
}

const AUTHORITY_NAME = TAG.contextConstructed
const EXTENSIONS = TAG.contextConstructed | 1

function readInfo(info: DerElement) {
  const [version, policy, imprint, serialNumber, genTime, ...rest] = info.children
  if (!genTime || readSmallInteger(version) !== 1) throw new DerError('no TSTInfo')
  const { type } = readAlgorithmIdentifier(imprint.as(TAG.sequence).child(0))
  const nonce = rest.find((part) => part.tag === TAG.integer)
  const authorityName = rest.find((part) => part.tag === AUTHORITY_NAME)
  const extensions = rest.find((part) => part.tag === EXTENSIONS)
  return {
    genTime: readTime(genTime.as(TAG.generalizedTime)),
    messageImprint: readOctetString(imprint.child(1)),
    hash: HASHES[type] ?? type,
    policy: readObjectIdentifier(policy),
    serialNumber: withoutLeadingZeros(readInteger(serialNumber)),
    nonce: nonce && withoutLeadingZeros(readInteger(nonce)),
    authorityName: authorityName?.child(0),
    hasCriticalExtension: readExtensions(extensions, EXTENSIONS).some(({ critical }) => critical),
  }
}

export type TimeStampProblem =
  | SignerProblem
  | PathProblem
  | 'TIME_STAMP_UNREADABLE'
  | 'TIME_STAMP_IMPRINT_DIFFERS'
  | 'TIME_STAMP_NAMES_ANOTHER'
  | 'TIME_STAMP_IN_THE_FUTURE'
  | 'TIME_STAMP_OUTSIDE_VALIDITY'

/** What verifying a token came to; it is good when there are no problems. */
export interface TimeStampVerdict {
  /** Undefined when it could not be read. */
  readonly token: TimeStampToken | undefined
  readonly problems: readonly TimeStampProblem[]
  /** The authority's path; undefined when its certificate was not found. */
  readonly path: CertificationPath | undefined
}

export interface TimeStampOptions {
  /** The digest that must have been stamped, by the token's hash function. */
  imprintOf: (hash: string) => Uint8Array
  /** Whom one trusts; as a function, of the time that the token says. */
  anchors: readonly Certificate[] | ((genTime: Date) => readonly Certificate[])
  /** Where issuers of the authority may be found, beside the token itself. */
  intermediates?: readonly Certificate[]
  /** Moment at which the authority's certificates must be valid and the token not in the future. */
  at: Date
  /** By how much the clock of the authority may be ahead; 0 when absent. */
  clockToleranceMs?: number
  paths?: PathFinder
}

/**
 * Verifies a token: imprint, signature, the authority's certificates and purpose. A bad token is a
 * result, not an error.
 *
 * @param der TimeStampToken
 */
export function verifyTimeStampToken(der: Uint8Array, options: TimeStampOptions): TimeStampVerdict {
  const paths = options.paths ?? new PathFinder()
  let token: TimeStampToken
  try {
    token = readTimeStampToken(der, (certificate) => paths.share(certificate))
  } catch {
    return { token: undefined, problems: ['TIME_STAMP_UNREADABLE'], path: undefined }
  }
  const { certificate, signedData, genTime } = token
  const problems: TimeStampProblem[] = []
  problems.push(...imprintProblems(token, options.imprintOf))
  if (token.hasCriticalExtension) problems.push('UNKNOWN_CRITICAL_EXTENSION')
  const [signer] = signedData.signers
  const signerVerdict = checkSigner(signedData, {
    certificate,
    contentType: OID.timeStampInfo,
    digestOf: (hash) =>
      createHash(hash)
        .update(signedData.content ?? new Uint8Array())
        .digest(),
  })
  problems.push(...signerVerdict.problems)
  if (!certificate || !signer) return { token, problems, path: undefined }
  if (token.authorityName && !isNameOf(certificate, token.authorityName)) {
    problems.push('TIME_STAMP_NAMES_ANOTHER')
  }
  const { anchors } = options
  const path = paths.find(certificate, {
    anchors: typeof anchors === 'function' ? anchors(genTime) : anchors,
    intermediates: [...signedData.certificates, ...(options.intermediates ?? [])],
    at: options.at,
    purpose: 'time-stamp',
  })
  problems.push(...path.problems)
  const { clockToleranceMs = 0 } = options
  if (genTime.getTime() > options.at.getTime() + clockToleranceMs)
    problems.push('TIME_STAMP_IN_THE_FUTURE')
  if (genTime < certificate.notBefore || genTime > certificate.notAfter) {
    problems.push('TIME_STAMP_OUTSIDE_VALIDITY')
  }
  return { token, problems, path }
}

/**
 * Whether a GeneralName is one of the names of a certificate (RFC 3161, 2.4.2). The order of the
 * relative names does not count, because some authorities reverse it.
 */
function isNameOf(certificate: Certificate, element: DerElement): boolean {
  try {
    const name = readGeneralName(element)
    return namesOf(certificate).some((own) => isSameName(own, name))
  } catch (error) {
    if (error instanceof DerError) return false
    throw error
  }
}

function isSameName(one: GeneralName, other: GeneralName): boolean {
  if (one.form !== other.form) return false
  if (one.form !== 'directoryName') return compareOctets(one.value, other.value) === 0
  const [own, named] = [one, other].map(({ value }) => relativeNameKeys(value).sort().join())
  return own === named
}

function imprintProblems(
  { hash, messageImprint }: TimeStampToken,
  imprintOf: (hash: string) => Uint8Array,
): TimeStampProblem[] {
  if (!Object.values(HASHES).includes(hash)) return ['DIGEST_ALGORITHM_UNKNOWN']
  return compareOctets(imprintOf(hash), messageImprint) === 0 ? [] : ['TIME_STAMP_IMPRINT_DIFFERS']
}
