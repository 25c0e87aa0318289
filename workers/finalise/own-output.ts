/** Validates a PDF that this service signed like a verifier, before it is handed out. */
import { Buffer } from 'node:buffer'
import { createHash } from 'node:crypto'
import {
  coveredEnd,
  type Drawing,
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

/** A verifier would not accept a signature of this service: the PDF must not leave the process. */
export class InvalidOutputError extends Error {
  override readonly name = 'InvalidOutputError'
}

/** The description of one signature that this service made. Instants are in ISO 8601. */
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
  /** SHA-256 fingerprint of the root of its certificate path, hex. */
  rootSha256: string
  notBefore: string
  notAfter: string
  /** Signing time claimed by the signature (`/M`). */
  signedAt: string
  /** Time of its time-stamp. */
  timeStampedAt: string
  /** Distinguished name of the authority of the time-stamp. */
  timeStampedBy?: string
  level: string
  /** Findings of the validation about its visible part. */
  infos: readonly InfoKey[]
}

export interface OutputDeps {
  signingDevice: SigningDevice
  timeStamps: Pick<TimeStampAuthority, 'trustAnchors'>
  /**
   * Sandbox for files that contain an upload, because the uploader controls how long their
   * validation takes. Absent for files of which this service made every byte; this process
   * validates them.
   */
  sandbox?: Pick<PdfSandbox, 'validateSigned'>
  /** Who uploaded the file, if this process made it just now: see {@link PdfSandbox.inspect}. */
  owner?: string
  /** What this process has verified of it, see {@link ValidationRequest}. */
  rightValues?: readonly string[]
  now(): Date
}

/** Level of every signature that this service makes. */
export const OWN_LEVEL = 'PAdES-BASELINE-LTA'

const ROOT_KEYS: readonly SigningKeyName[] = ['seal', 'time-stamp-authority']

/**
 * Returns the service's own roots as DER.
 *
 * @throws Error when the device cannot be reached
 */
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

/**
 * Returns the SHA-256 fingerprints of {@link ownRoots}, hex.
 *
 * @throws Error when the device cannot be reached
 */
export async function ownRootDigests(device: SigningDevice): Promise<ReadonlySet<string>> {
  const roots = await ownRoots(device)
  return new Set(roots.map((root) => createHash('sha256').update(root).digest('hex')))
}

/**
 * Returns the trust anchors for documents of this service: its roots, and those of its time-stamps.
 */
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

/**
 * Dependencies for evidence and canaries: they contain no upload, so this process validates them.
 */
export function withoutSandbox({ signingDevice, timeStamps, now }: OutputDeps): OutputDeps {
  return { signingDevice, timeStamps, now }
}

/**
 * Validates the signatures of a PDF.
 *
 * @throws InvalidOutputError when the PDF cannot be validated
 */
async function reportsOn(
  pdf: Uint8Array,
  trustAnchors: readonly Uint8Array[],
  validationTime: Date,
  { sandbox, owner, rightValues }: Pick<OutputDeps, 'sandbox' | 'owner' | 'rightValues'>,
): Promise<readonly SignatureReport[]> {
  if (!sandbox) return (await validateSignatures(pdf, { trustAnchors, validationTime })).signatures
  const request: ValidationRequest = {
    trustAnchors: trustAnchors.map((certificate) => ({ certificate })),
    validationTime,
    ...(rightValues && { rightValues }),
  }
  const verdict = await sandbox.validateSigned(pdf, request, owner)
  if (verdict.outcome === 'validated') {
    // The library's own report, parsed from JSON.
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
 * @param originalSize size of the original document in octets; signatures within it are foreign
 * @returns the signatures in the order of the file, and how many signatures the original has
 * @throws InvalidOutputError when there is no signature, or one does not validate or has no
 *   time-stamp
 * @throws Error when the sandbox fails; the document is not at fault
 */
export async function ownSignatures(
  pdf: Uint8Array,
  originalSize: number,
  deps: OutputDeps,
): Promise<Pick<OwnOutput, 'signatures' | 'earlierSignatures'>> {
  const trustAnchors = await serviceRoots(deps)
  // Tolerate an authority whose clock is ahead: its time-stamp must not count as from the future.
  const validationTime = new Date(deps.now().getTime() + CLOCK_TOLERANCE_MS)
  const signatures = await reportsOn(pdf, trustAnchors, validationTime, deps)
  const own = signatures.filter((signature) => coveredEnd(signature) > originalSize)
  if (own.length === 0) throw new InvalidOutputError('no signature of this service was found')
  const inOrder = own.sort((a, b) => coveredEnd(a) - coveredEnd(b))
  return {
    signatures: inOrder.map(described),
    earlierSignatures: signatures.length - own.length,
  }
}

/** A PDF with the description of its signatures. */
export interface OwnOutput {
  bytes: Uint8Array
  document: FinalisedDocument
  signatures: readonly OwnSignature[]
  /** How many signatures of others the file had before. */
  earlierSignatures: number
  /** What the signed PDF was made from, if this run made it. */
  madeFrom?: { drawings: ReadonlyMap<string, Drawing> }
}

/**
 * Validates and describes a PDF that this service signed.
 *
 * @param sha256 hex, if the caller already computed it
 * @throws InvalidOutputError - see {@link ownSignatures}
 */
export async function readOwnOutput(
  { bytes, sha256 }: { bytes: Uint8Array; sha256?: string },
  originalSize: number,
  deps: OutputDeps,
): Promise<OwnOutput> {
  const validated = await ownSignatures(bytes, originalSize, deps)
  const document = {
    sha256: sha256 ?? createHash('sha256').update(bytes).digest('hex'),
    size: bytes.length,
    level: levelOf(validated.signatures),
  }
  return { bytes, document, ...validated }
}

/**
 * Like {@link readOwnOutput}, for a PDF that was just made: it must contain all long-term
 * validation data.
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

/**
 * The level of a document is the lowest level of its signatures. There is at least one signature.
 */
function levelOf(signatures: readonly OwnSignature[]): string {
  // The name of each level begins with the names of the lower levels, so the shortest is the
  // lowest.
  return signatures.map(({ level }) => level).sort((a, b) => a.length - b.length)[0] as string
}
