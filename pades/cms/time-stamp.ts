/** Asks for and issues time-stamps (RFC 3161, 2.4; RFC 5816). */

import { createHash } from 'node:crypto'
import { PadesError } from '../errors.ts'
import { digestIdentifier } from './algorithms.ts'
import type { HashName, Sign, CmsAlgorithm } from './algorithms.ts'
import {
  generalizedTime,
  integer,
  objectIdentifier,
  octetString,
  sequence,
  TAG,
  tlv,
  TRUE,
} from './der.ts'
import { DerError, readDer } from './der-reader.ts'
import { readSmallInteger } from './der-values.ts'
import { OID } from './object-identifiers.ts'
import { signedDataTemplate } from './signed-data.ts'

export interface TimeStampRequest {
  /** Digest of what is to be stamped. */
  messageImprint: Uint8Array
  hash: HashName
  /** Random octets, read as a positive number; the answer must repeat them. */
  nonce?: Uint8Array
  /** Dotted OID of the policy that is asked for. */
  policy?: string
}

const VERSION = integer(1)

const imprint = (hash: HashName, digest: Uint8Array) =>
  sequence(digestIdentifier(hash), octetString(digest))

/** Writes a request, also for the authority's certificate (RFC 3161, 2.4.1). @returns DER */
export function encodeTimeStampRequest(request: TimeStampRequest): Uint8Array {
  return sequence(
    VERSION,
    imprint(request.hash, request.messageImprint),
    ...(request.policy ? [objectIdentifier(request.policy)] : []),
    ...(request.nonce ? [integer(request.nonce)] : []),
    TRUE,
  )
}

/** Statuses that come with a token: granted, grantedWithMods. */
const GRANTED = 1

/**
 * Takes the token out of an authority's answer (RFC 3161, 2.4.2); it is not judged here.
 *
 * @param response DER TimeStampResp
 * @returns DER TimeStampToken
 * @throws PadesError `BAD_TIME_STAMP` when it was refused or cannot be read
 */
export function readTimeStampResponse(response: Uint8Array): Uint8Array {
  try {
    const [statusInfo, token] = readDer(response).as(TAG.sequence).children
    if (!statusInfo) throw new DerError('no status')
    const status = readSmallInteger(statusInfo.child(0))
    if (status > GRANTED || !token) throw new PadesError('BAD_TIME_STAMP', `status ${status}`)
    return token.encoded
  } catch (cause) {
    if (cause instanceof PadesError) throw cause
    throw new PadesError('BAD_TIME_STAMP', undefined, { cause })
  }
}

export interface TimeStampTokenOptions extends TimeStampRequest {
  /** Dotted OID of the policy under which it is issued. */
  policy: string
  /** Unsigned octets that no other token of this authority has. */
  serialNumber: Uint8Array
  genTime: Date
  /** How far `genTime` may be off; one second when absent. */
  accuracySeconds?: number
  /** DER, the authority's first, then its issuers. */
  certificates: readonly Uint8Array[]
  algorithm: CmsAlgorithm
  sign: Sign
}

/**
 * Issues a time-stamp as a local authority.
 *
 * @returns DER TimeStampToken
 * @throws PadesError `BAD_CERTIFICATE` when the authority's certificate cannot be read
 */
export async function issueTimeStampToken(options: TimeStampTokenOptions): Promise<Uint8Array> {
  const { nonce, accuracySeconds = 1 } = options
  const info = sequence(
    VERSION,
    objectIdentifier(options.policy),
    imprint(options.hash, options.messageImprint),
    integer(options.serialNumber),
    generalizedTime(options.genTime),
    sequence(integer(accuracySeconds)),
    ...(nonce ? [integer(nonce)] : []),
  )
  const template = signedDataTemplate({
    certificates: options.certificates,
    algorithm: options.algorithm,
    content: { type: OID.timeStampInfo, encoded: info },
  })
  const messageDigest = createHash(template.hash).update(info).digest()
  const attributes = template.signedAttributes(messageDigest)
  return template.encode(attributes, await options.sign(attributes))
}

/** Wraps a token as the answer to a request that was granted. @returns DER TimeStampResp */
export const encodeTimeStampResponse = (token: Uint8Array) =>
  sequence(sequence(tlv(TAG.integer, Uint8Array.of(0))), token)
