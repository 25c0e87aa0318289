/** Whom and what a validation believes (EN 319 102-1, 5.2.4: validation context initialization). */

import { readCertificate } from '../cms/certificate-reader.ts'
import type { Certificate } from '../cms/certificate-reader.ts'
import type { PathFinder } from '../cms/certification-path.ts'
import { compareOctets } from '../cms/der.ts'
import { findOtherKeys } from '../cms/other-keys.ts'
import type { FindListIssuers, RevocationData } from '../cms/revocation.ts'
import { archivedRevocation } from '../cms/revocation-values.ts'
import { PadesError } from '../errors.ts'
import type { AlgorithmExpiry } from './algorithm-policy.ts'
import type { ExaminedSignature } from './integrity.ts'
import { Lacking } from './lacking.ts'
import { findListIssuers } from './list-issuers.ts'
import type { RevocationReport } from './report.ts'
import { evidenceOf } from './security-store-reader.ts'
import type { SecurityStore } from './security-store-reader.ts'
import type { Trust } from './time-stamps.ts'
import type { Anchors, TrustAnchor } from './trust-anchors.ts'

/** Certificates from elsewhere; a few complete the paths of one document. */
const MAX_INTERMEDIATES = 40

/** The name of a validation policy, as a report gives it. */
export interface ValidationPolicy {
  readonly id: string
  readonly version: number
  /** SHA-256 of the policy file, lower-case hex. */
  readonly sha256: string
}

export interface ValidationOptions {
  /** The only trusted certificates, as DER or with limits. */
  trustAnchors: readonly (Uint8Array | TrustAnchor)[]
  validationTime: Date
  /**
   * Lets certificates count whose published revocation was not looked at; without it they are
   * INDETERMINATE, TRY_LATER. For those who know that nothing was revoked.
   */
  acceptUncheckedRevocation?: boolean
  /**
   * Lets signatures count after which fields of the form were filled in, where the signature does
   * not forbid it: people then see something else than was signed. Off without it.
   */
  permitFormFilling?: boolean
  /**
   * Algorithms and keys that do not count from some time on, beside those that are weak anyway. The
   * time is when the signature or time-stamp is proven to have existed.
   */
  algorithmExpiries?: readonly AlgorithmExpiry[]
  /** Name of the policy in the report; absent for the built-in one. */
  policy?: ValidationPolicy
  /** Revocation data from elsewhere, beside what the document has in it. */
  revocationData?: RevocationData
  /**
   * Certificates from elsewhere, as DER, that may complete paths; they are not trusted. Those that
   * cannot be read are left out.
   */
  intermediates?: readonly Uint8Array[]
}

/** What the document has in it that helps to judge. */
interface InDocument {
  readonly store: SecurityStore | undefined
  readonly examined: readonly ExaminedSignature[]
}

/** Brings together the caller's trust and what the document and the caller know of revocations. */
export function trustOf(
  options: ValidationOptions,
  anchors: Anchors,
  paths: PathFinder,
  inDocument: InDocument,
): Trust {
  const { validationTime, acceptUncheckedRevocation = false } = options
  const sources = revocationSources(inDocument, options.revocationData)
  // Only so many pieces count: those of the document come last and cannot hide the others.
  const parts = [
    ...sources.filter(({ origin }) => origin === 'ONLINE'),
    ...sources.filter(({ origin }) => origin !== 'ONLINE'),
  ].map(({ data }) => data)
  const given = readableCertificates(options.intermediates ?? []).map((one) => paths.share(one))
  // Trusted certificates come first: those in the document cannot hide them.
  const certificates = [...given, ...certificatesIn(inDocument)]
  const listIssuerPaths = findListIssuers({
    anchors,
    paths,
    certificates,
    evidence: evidenceOf(parts, validationTime),
    acceptUncheckedRevocation,
  })
  const listIssuers: FindListIssuers = (...question) =>
    listIssuerPaths(...question).map(({ certificate }) => certificate)
  const otherKeys = findOtherKeys([...anchors.certificates, ...certificates])
  return {
    data: {
      revocationLists: parts.flatMap(({ revocationLists }) => revocationLists),
      ocspResponses: parts.flatMap(({ ocspResponses }) => ocspResponses),
    },
    anchors: anchors.certificates,
    trusted: (purpose, at) => anchors.for(purpose, at),
    intermediates: [...(inDocument.store?.certificates ?? []), ...given],
    ownIntermediates: inDocument.store?.certificates ?? [],
    paths,
    validationTime,
    permitsFormFilling: options.permitFormFilling ?? false,
    algorithmExpiries: options.algorithmExpiries ?? [],
    revocation: evidenceOf(parts, validationTime, listIssuers, otherKeys),
    otherKeys,
    listIssuerPaths,
    originOf: (der) => sources.find(({ data }) => isIn(data, der))?.origin,
    acceptUncheckedRevocation,
    lacking: new Lacking(),
    authorityChecks: new Map(),
  }
}

function readableCertificates(ders: readonly Uint8Array[]): Certificate[] {
  return ders.slice(0, MAX_INTERMEDIATES).flatMap((der) => {
    try {
      return [readCertificate(der)]
    } catch (error) {
      if (error instanceof PadesError) return []
      throw error
    }
  })
}

const certificatesIn = ({ store, examined }: InDocument): Certificate[] => [
  ...(store?.certificates ?? []),
  ...examined.flatMap(({ signedData }) => signedData?.certificates ?? []),
]

interface RevocationSource {
  readonly origin: RevocationReport['origin']
  readonly data: RevocationData
}

/** What is known of revocations: from the store, from each CMS, from elsewhere, in this order. */
function revocationSources(
  { store, examined }: InDocument,
  elsewhere: RevocationData | undefined,
): RevocationSource[] {
  const inContainers = examined.flatMap(({ signedData }) =>
    signedData
      ? [
          signedData.revocationData,
          ...signedData.signers.map((signer) => archivedRevocation(signer.signedAttributes)),
        ]
      : [],
  )
  return [
    ...(store ? [{ origin: 'DSS' as const, data: store.data }] : []),
    ...inContainers.map((data) => ({ origin: 'CMS' as const, data })),
    ...(elsewhere ? [{ origin: 'ONLINE' as const, data: elsewhere }] : []),
  ]
}

const isIn = ({ revocationLists, ocspResponses }: RevocationData, der: Uint8Array): boolean =>
  [...revocationLists, ...ocspResponses].some((piece) => compareOctets(piece, der) === 0)
