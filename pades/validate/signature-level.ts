/**
 * The level of a signature, from what the file holds: neither the trust of the verifier nor the
 * time of validation changes it (EN 319 142-1, 6; EN 319 122-1, 6).
 */

import type { Certificate } from '../cms/certificate-reader.ts'
import type { PathFinder } from '../cms/certification-path.ts'
import type { PathPurpose } from '../cms/path-problems.ts'
import { OID } from '../cms/object-identifiers.ts'
import { certificateReference, referenceIsByMd5 } from '../cms/signed-data-reader.ts'
import { CADES } from './integrity.ts'
import type { ExaminedSignature } from './integrity.ts'
import { longTermLevel } from './long-term.ts'
import type { LongTerm, Need } from './long-term.ts'
import type { PadesLevel } from './report.ts'
import type { JudgedTimeStamp } from './time-stamps.ts'

/** What a level is determined from. */
export interface LevelContext {
  readonly longTerm: LongTerm
  /** Certificates of the document security store. */
  readonly ownIntermediates: readonly Certificate[]
  readonly paths: PathFinder
}

/** What follows from the bytes of the signature alone. */
const BASELINE: Readonly<Record<Strength, PadesLevel>> = {
  B: 'PAdES-BASELINE-B',
  T: 'PAdES-BASELINE-T',
  LT: 'PAdES-BASELINE-LT',
  LTA: 'PAdES-BASELINE-LTA',
}

/** The same for a CMS that does not meet the baseline of PAdES. */
const OTHER: Readonly<Record<Strength, PadesLevel>> = {
  B: 'PKCS7-B',
  T: 'PKCS7-T',
  LT: 'PKCS7-LT',
  LTA: 'PKCS7-LTA',
}

type Strength = 'B' | 'T' | 'LT' | 'LTA'

/**
 * Determines the level of a signature.
 *
 * @param timeStamps those of the signature itself
 */
export function levelOf(
  examined: ExaminedSignature,
  timeStamps: readonly JudgedTimeStamp[],
  context: LevelContext,
): PadesLevel {
  const { signedData, range } = examined
  if (signedData?.signers.length !== 1 || !range) return 'UNKNOWN'
  return (isBaseline(examined) ? BASELINE : OTHER)[strengthOf(examined, timeStamps, context)]
}

/** EN 319 142-1, 6.3: attributes that a baseline signature has, and those that it does not have. */
function isBaseline({ found, signedData, certificate }: ExaminedSignature): boolean {
  const attributes = signedData?.signers[0].signedAttributes
  return (
    found.subFilter === CADES &&
    signedData?.content === undefined &&
    certificate !== undefined &&
    attributes !== undefined &&
    attributes.isDer &&
    attributes.values.has(OID.contentType) &&
    attributes.values.has(OID.messageDigest) &&
    !attributes.values.has(OID.signingTime) &&
    found.claimedSigningTime !== undefined &&
    namesCertificate(attributes, certificate) &&
    !referenceIsByMd5(attributes)
  )
}

function strengthOf(
  { signedData, certificate }: ExaminedSignature,
  timeStamps: readonly JudgedTimeStamp[],
  { longTerm, ownIntermediates, paths }: LevelContext,
): Strength {
  const tokens = timeStamps.flatMap(({ isIntact, verdict }) =>
    isIntact && verdict.token ? [verdict.token] : [],
  )
  const times = [...tokens.map(({ genTime }) => genTime), ...longTerm.stampedAt]
  if (times.length === 0) return 'B'
  const needOf = (
    leaf: Certificate | undefined,
    certificates: readonly Certificate[] = [],
    at: Date,
    purpose: PathPurpose,
  ): Need[] => {
    if (!leaf) return [{ path: [], at }]
    // Without anchors the search gives the longest path that the file itself has.
    const intermediates = [...certificates, ...ownIntermediates]
    const options = { anchors: [], intermediates, at, purpose }
    return [{ path: paths.find(leaf, options).certificates, at }]
  }
  const earliest = new Date(Math.min(...times.map((time) => time.getTime())))
  return longTermLevel(longTerm, [
    ...needOf(certificate, signedData?.certificates, earliest, 'signature'),
    ...tokens.flatMap((token) =>
      needOf(token.certificate, token.signedData.certificates, token.genTime, 'time-stamp'),
    ),
  ])
}

function namesCertificate(
  attributes: Parameters<typeof certificateReference>[0],
  certificate: Certificate,
): boolean {
  try {
    return certificateReference(attributes, certificate) === 'matches'
  } catch {
    return false
  }
}
