/** Looks at a PDF that this service signed with a verifier's eyes, before anybody else does. */
import { Buffer } from 'node:buffer'
import { createHash } from 'node:crypto'
import {
  coveredEnd,
  type InfoKey,
  validateSignatures,
  type SignatureReport,
} from '../../pades/index.ts'
import type { PdfSandbox, ValidationRequest } from '../../domain/ports/pdf-sandbox.ts'
import { CLOCK_TOLERANCE_MS } from '../../domain/limits.ts'
import type { FinalisedDocument } from '../../domain/cases/results.ts'
import type {
  SigningDevice,
  SigningKeyName,
  TimeStampAuthority,
} from '../../domain/ports/signing.ts'
import { ownAuthorities } from '../pki/authorities.ts'
import { participantOfField } from './signers.ts'

/** A signature of ours that a verifier would not accept: the PDF must not leave the process. */
export class InvalidOutputError extends Error {
  override readonly name = 'InvalidOutputError'
}

/** What is told of one signature that this service made. Instants in ISO 8601. */
export interface OwnSignature {
  fieldName: string
  /** Absent for the seal. */
  participantId?: string
  /** Distinguished names. */
  subject: string
  issuer: string
  /** Hex. */
  certificateSerial: string
  certificateSha256: string
  /** Fingerprint of the certificate that its path ends with, hex. */
  rootSha256: string
  notBefore: string
  notAfter: string
  /** As the signature claims (`/M`). */
  signedAt: string
  /** By its time-stamp. */
  timeStampedAt: string
  /** Distinguished name of the authority of the time-stamp. */
  timeStampedBy?: string
  level: string
  /** What validation says of its visible part. */
  infos: readonly InfoKey[]
}

export interface OutputDeps {
  signingDevice: SigningDevice
  timeStamps: Pick<TimeStampAuthority, 'trustAnchors'>
  /**
   * Validates what contains an upload: its maker decides how long that takes. Absent for documents
   * of which this service made every byte; they are validated in this process.
   */
  sandbox?: Pick<PdfSandbox, 'validateSigned'>
  now(): Date
}

/** What every signature has that this service makes. */
export const OWN_LEVEL = 'PAdES-BASELINE-LTA'

const ROOT_KEYS: readonly SigningKeyName[] = ['seal', 'time-stamp-authority']

/** DER of the service's own roots. @throws Error when the device cannot be reached */
export async function ownRoots(device: SigningDevice): Promise<Uint8Array[]> {
  const roots = new Map<string, Uint8Array>()
  for (const { root } of await ownAuthorities(device)) {
    roots.set(Buffer.from(root.certificate.der).toString('base64'), root.certificate.der)
  }
  for (const key of ROOT_KEYS) {
    const root = (await device.describe(key)).certificates.at(-1) as Uint8Array
    roots.set(Buffer.from(root).toString('base64'), root)
  }
  return [...roots.values()]
}

/** Fingerprints of {@link ownRoots}, hex. @throws Error when the device cannot be reached */
export async function ownRootDigests(device: SigningDevice): Promise<ReadonlySet<string>> {
  const roots = await ownRoots(device)
  return new Set(roots.map((root) => createHash('sha256').update(root).digest('hex')))
}

/** What verifiers of this service's documents trust: its roots, and those of its time-stamps. */
export async function serviceRoots({
  signingDevice,
  timeStamps,
}: Pick<OutputDeps, 'signingDevice' | 'timeStamps'>): Promise<Uint8Array[]> {
  const own = await ownRoots(signingDevice)
  const roots = new Map(own.map((root) => [Buffer.from(root).toString('base64'), root]))
  for (const root of await timeStamps.trustAnchors()) {
    roots.set(Buffer.from(root).toString('base64'), root)
  }
  return [...roots.values()]
}

/** For evidence and canaries, which contain no upload and are validated in this process. */
export function withoutSandbox({ signingDevice, timeStamps, now }: OutputDeps): OutputDeps {
  return { signingDevice, timeStamps, now }
}

/** The signatures of a PDF. @throws InvalidOutputError when the PDF cannot be validated */
async function reportsOn(
  pdf: Uint8Array,
  trustAnchors: readonly Uint8Array[],
  validationTime: Date,
  { sandbox }: Pick<OutputDeps, 'sandbox'>,
): Promise<readonly SignatureReport[]> {
  if (!sandbox) return (await validateSignatures(pdf, { trustAnchors, validationTime })).signatures
  const request: ValidationRequest = {
    trustAnchors: trustAnchors.map((certificate) => ({ certificate })),
    validationTime,
  }
  const verdict = await sandbox.validateSigned(pdf, request)
  if (verdict.outcome === 'validated') {
    // The library's own report, which came back as JSON.
    return verdict.validation.report.signatures as unknown as readonly SignatureReport[]
  }
  throw new InvalidOutputError(`the signed document cannot be validated: ${verdict.outcome}`)
}

function described(report: SignatureReport): OwnSignature {
  const { fieldName, indication, subIndication, signer, certificateChain, level } = report
  const stamp = report.timestamps.find(({ type }) => type === 'signature')
  const timeStampedAt = stamp?.productionTime
  const { claimedSigningTime: signedAt } = report
  if (indication !== 'TOTAL_PASSED' || !signer || !timeStampedAt || !signedAt) {
    const faults = report.errors.map(({ key, text }) => `${key}: ${text}`).join('; ')
    const why = `${indication} ${subIndication ?? ''} ${faults}`
    throw new InvalidOutputError(`the signature in ${fieldName} does not validate: ${why}`)
  }
  const participantId = participantOfField(fieldName)
  return {
    fieldName,
    ...(participantId === undefined ? {} : { participantId }),
    subject: signer.subject,
    issuer: certificateChain[1]?.subject ?? signer.subject,
    certificateSerial: signer.serialNumber,
    certificateSha256: signer.certificateSha256,
    rootSha256: certificateChain.at(-1)?.sha256 ?? '',
    notBefore: signer.notBefore,
    notAfter: signer.notAfter,
    signedAt: new Date(signedAt).toISOString(),
    timeStampedAt: new Date(timeStampedAt).toISOString(),
    ...(stamp?.tsa === undefined ? {} : { timeStampedBy: stamp.tsa }),
    level,
    infos: report.infos.map(({ key }) => key),
  }
}

/**
 * Validates the signatures that this service added, against {@link serviceRoots}.
 *
 * @param originalSize octets that were there before; signatures within them are somebody else's
 * @returns in the order of the file
 * @throws InvalidOutputError when there is none, or one does not validate or has no time-stamp
 * @throws Error when the sandbox fails; the document is not to blame
 */
export async function ownSignatures(
  pdf: Uint8Array,
  originalSize: number,
  deps: OutputDeps,
): Promise<OwnSignature[]> {
  const trustAnchors = await serviceRoots(deps)
  // A time-stamp of this moment is not from the future because its authority's clock is ahead.
  const validationTime = new Date(deps.now().getTime() + CLOCK_TOLERANCE_MS)
  const signatures = await reportsOn(pdf, trustAnchors, validationTime, deps)
  const own = signatures.filter((signature) => coveredEnd(signature) > originalSize)
  if (own.length === 0) throw new InvalidOutputError('no signature of this service was found')
  return own.sort((a, b) => coveredEnd(a) - coveredEnd(b)).map(described)
}

/** A PDF with what is told of it. */
export interface OwnOutput {
  bytes: Uint8Array
  document: FinalisedDocument
  signatures: readonly OwnSignature[]
}

/**
 * Reads what is told of a PDF that this service signed.
 *
 * @param sha256 hex, of whoever made the file; taken anew when absent
 * @throws InvalidOutputError - see {@link ownSignatures}
 */
export async function readOwnOutput(
  { bytes, sha256 }: { bytes: Uint8Array; sha256?: string },
  originalSize: number,
  deps: OutputDeps,
): Promise<OwnOutput> {
  const signatures = await ownSignatures(bytes, originalSize, deps)
  const document = {
    sha256: sha256 ?? createHash('sha256').update(bytes).digest('hex'),
    size: bytes.length,
    level: levelOf(signatures),
  }
  return { bytes, document, signatures }
}

/**
 * As {@link readOwnOutput}, for a PDF that was made just now: all that makes it last must be in it.
 *
 * @throws InvalidOutputError
 */
export async function readFreshOutput(
  made: { bytes: Uint8Array; sha256?: string },
  originalSize: number,
  deps: OutputDeps,
): Promise<OwnOutput> {
  const output = await readOwnOutput(made, originalSize, deps)
  const lower = output.signatures.find(({ level }) => level !== OWN_LEVEL)
  if (!lower) return output
  throw new InvalidOutputError(`the signature in ${lower.fieldName} is of level ${lower.level}`)
}

/** The level of a document is that of its lowest signature; there is at least one. */
function levelOf(signatures: readonly OwnSignature[]): string {
  // Each of the level's names begins with those of the lower ones.
  return signatures.map(({ level }) => level).sort((a, b) => a.length - b.length)[0] as string
}
