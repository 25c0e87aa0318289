/**
 * Gathers what a verifier will need of every signature once the authorities no longer answer (ETSI
 * EN 319 142-1, 5.4.2; EN 319 102-1, 5.5).
 */
import { type Certificate, readCertificate } from '../cms/certificate-reader.ts'
import { PathFinder } from '../cms/certification-path.ts'
import type { OcspResponse } from '../cms/ocsp-reader.ts'
import { respondersToCheck } from '../cms/responders.ts'
import { RevocationList } from '../cms/revocation-list-reader.ts'
import { type RevocationData, RevocationEvidence } from '../cms/revocation.ts'
import { readTimeStampToken } from '../cms/time-stamp-reader.ts'
import { PadesError } from '../errors.ts'
import type { LongTermRequest, RevocationQuestion, RevocationSource } from './request.ts'

/** A signature that needs validation data, with its certificates. */
export interface SignatureToKeep {
  /** Octets of `/Contents` with their padding: they name the signature in the store. */
  readonly contents: Uint8Array
  /** The signer's certificate, and those of the authorities that stamped the signature. */
  readonly leaves: readonly Certificate[]
  /** All that came with it, among which issuers are found. */
  readonly carried: readonly Certificate[]
}

/** What vouches for one signature, each piece once. */
export interface ValidationData {
  readonly contents: Uint8Array
  readonly certificates: readonly Certificate[]
  /** DER. */
  readonly revocationLists: readonly Uint8Array[]
  readonly ocspResponses: readonly Uint8Array[]
}

/** A signature outside a document. */
export interface DetachedSignature {
  readonly signature: Uint8Array
  /** DER, the signer's first. */
  readonly certificates: readonly Uint8Array[]
  /** DER TimeStampToken. */
  readonly timeStampToken: Uint8Array
}

interface Step {
  readonly certificate: Certificate
  /** Undefined when it is not known. */
  readonly issuer: Certificate | undefined
}

type Source = RevocationList | OcspResponse

const isRoot = ({ selfIssued }: Certificate) => selfIssued

/**
 * Asks for the revocation data of all paths at once.
 *
 * @param known further certificates among which issuers are found
 * @param at moment for which the revocation status must be known
 * @throws PadesError `REVOCATION_DATA_MISSING`, `CERTIFICATE_REVOKED`, and what `source` throws
 */
export async function gatherValidationData(
  signatures: readonly SignatureToKeep[],
  known: readonly Certificate[],
  source: RevocationSource,
  at: Date,
): Promise<ValidationData[]> {
  const paths = new PathFinder()
  const brought = signatures.flatMap(({ leaves, carried }) => [...leaves, ...carried])
  const pool = unique([...known, ...brought])
  const anchors = pool.filter(isRoot)
  // What the certificates are for is judged elsewhere: here it matters who issued them.
  const options = { anchors, intermediates: pool, at, purpose: 'signature' as const }
  const pathOf = remembered((leaf: Certificate) => paths.find(leaf, options))
  const steps = signatures.map(({ leaves }) => leaves.flatMap((leaf) => stepsOf(pathOf(leaf))))
  const questioned = unique(steps.flat().filter(needsStatus), ({ certificate }) => certificate)
  const data = await source(questioned.map(questionOf))
  const evidence = new RevocationEvidence(data)
  const sourcesOf = remembered((step: Step) => goodSources(evidence, step, at), certificateOf)
  return signatures.map(({ contents }, index) => {
    const own = unique(steps[index], certificateOf)
    const sources = new Set([
      ...own.filter(needsStatus).flatMap(sourcesOf),
      ...own.filter(isSilent).flatMap((step) => knownSources(evidence, step, at)),
    ])
    const lists = [...sources].filter((one) => one instanceof RevocationList)
    const responses = [...sources].filter((one) => !(one instanceof RevocationList))
    return {
      contents,
      certificates: own.map(certificateOf),
      revocationLists: lists.map(({ der }) => der),
      ocspResponses: responses.map(({ der }) => der),
    }
  })
}

/**
 * Revocation data of a signature outside a document, and of its time-stamp.
 *
 * @throws PadesError as {@link gatherValidationData}, `BAD_CERTIFICATE`, `BAD_TIME_STAMP`
 */
export async function detachedValidationData(
  { signature, certificates, timeStampToken }: DetachedSignature,
  { revocation, certificates: given = [] }: LongTermRequest,
  at: Date,
): Promise<RevocationData> {
  const own = certificates.map(readCertificate)
  const { certificate, signedData } = readTimeStampToken(timeStampToken)
  const leaves = [...own.slice(0, 1), ...(certificate ? [certificate] : [])]
  const known = [...own, ...signedData.certificates, ...given.map(readCertificate)]
  const signatures = [{ contents: signature, leaves, carried: [] }]
  const [data] = await gatherValidationData(signatures, known, revocation, at)
  return data
}

const certificateOf = ({ certificate }: Step) => certificate

function stepsOf({ certificates }: { certificates: readonly Certificate[] }): Step[] {
  return certificates.map((certificate, index) => ({
    certificate,
    issuer: certificates[index + 1],
  }))
}

/** A root is trusted or not; of others the status counts when it is published. */
const needsStatus = ({ certificate }: Step) =>
  !isRoot(certificate) && certificate.publishesRevocation

/** It does not say whom to ask; its authority's data may be at hand for other certificates. */
const isSilent = ({ certificate }: Step) => !isRoot(certificate) && !certificate.publishesRevocation

/** What says that a certificate was not revoked; empty when nothing does. */
function knownSources(
  evidence: RevocationEvidence,
  { certificate, issuer }: Step,
  at: Date,
): Source[] {
  if (!issuer) return []
  const { status, source } = evidence.statusOf(certificate, issuer, at)
  if (status !== 'good' || !source) return []
  if (source instanceof RevocationList) return [source]
  const responders = respondersToCheck(source, issuer)
  const { producedAt } = source
  return [
    source,
    ...responders.flatMap((one) => evidence.statusOf(one, issuer, producedAt).source ?? []),
  ]
}

function questionOf({ certificate, issuer }: Step): RevocationQuestion {
  if (!issuer) throw missing(certificate, 'its issuer is not known')
  return { certificate: certificate.der, issuer: issuer.der }
}

function goodSources(evidence: RevocationEvidence, step: Step, at: Date): Source[] {
  const { certificate, issuer } = step
  if (!issuer) throw missing(certificate, 'its issuer is not known')
  const { status } = evidence.statusOf(certificate, issuer, at)
  if (status === 'revoked') {
    throw new PadesError('CERTIFICATE_REVOKED', `The certificate ${named(certificate)} was revoked`)
  }
  const sources = knownSources(evidence, step, at)
  if (sources.length > 0) return sources
  const why = status === 'stale' ? 'what its authority published is outdated' : 'nothing was had'
  throw missing(certificate, why)
}

/** Not by its subject: that may be a person, and messages go to logs. */
const named = ({ issuerText, serialNumberText }: Certificate) =>
  `${serialNumberText} of ${issuerText}`

const missing = (certificate: Certificate, why: string) =>
  new PadesError(
    'REVOCATION_DATA_MISSING',
    `The revocation status of certificate ${named(certificate)} is not known: ${why}`,
  )

function unique(certificates: readonly Certificate[]): Certificate[]
function unique<T>(items: readonly T[], certificate: (item: T) => Certificate): T[]
function unique<T>(items: readonly T[], certificate?: (item: T) => Certificate): T[] {
  const keyOf = (item: T) => (certificate ? certificate(item) : (item as Certificate)).sha256
  return [...new Map(items.map((item) => [keyOf(item), item])).values()]
}

/** Works once for each certificate. */
function remembered<T, R>(
  work: (item: T) => R,
  certificate: (item: T) => Certificate = (item) => item as unknown as Certificate,
): (item: T) => R {
  const results = new Map<string, R>()
  return (item) => {
    const key = certificate(item).sha256
    const found = results.get(key) ?? work(item)
    results.set(key, found)
    return found
  }
}
