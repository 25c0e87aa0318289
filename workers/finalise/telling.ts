/** The steps that follow from the stored outcome: whoever finds it there can take each of them. */
import { createHash } from 'node:crypto'
import { signDocument } from '../../pades/index.ts'
import type { AuditEntry, Opening } from '../../domain/audit/entry.ts'
import type { AuditTrail } from '../../domain/audit/trail.ts'
import { evidenceKey, issuedKey, resultKey } from '../../domain/cases/keys.ts'
import { caseView } from '../../domain/cases/lifecycle.ts'
import { auditEvent } from '../../domain/cases/owed.ts'
import type { FinalisedDocument, FinaliseResult } from '../../domain/cases/results.ts'
import { encodeJson } from '../../domain/json-object.ts'
import type { CaseKey } from '../../domain/ports/stores.ts'
import { buildEvidence } from '../evidence/build-evidence.ts'
import type { EvidenceInput, EvidenceSigner } from '../evidence/input.ts'
import { revokeCertificates, unusedCertificates } from '../pki/certificates.ts'
import { lastingSignatures, levelOf, ownSignatures, type OwnSignature } from './own-output.ts'
import { sealingRequest } from './sealing.ts'
import type { FinaliseDeps, Step, Telling } from './work.ts'

const JSON_TYPE = 'application/json'
const PDF_TYPE = 'application/pdf'

const sha256Of = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

/** What can be told of a PDF whose own signatures are `signatures`. */
function described(pdf: Uint8Array, signatures: readonly OwnSignature[]): FinalisedDocument {
  return { sha256: sha256Of(pdf), size: pdf.length, level: levelOf(signatures) }
}

/** Everything here is read from the stored bytes, so that every run tells the same. */
async function recordSignatures(work: Telling, deps: FinaliseDeps): Promise<void> {
  const { key, outcome, document } = work
  const signatures = work.signatures ?? (await ownSignatures(outcome, document.size, deps))
  work.signatures = signatures
  work.signedDocument = described(outcome, signatures)
  const { sha256, size, level } = work.signedDocument
  const system = { actor: 'system' as const, documentSha256: sha256 }
  const byParticipants = signatures.flatMap(({ participantId, ...signature }) => {
    if (participantId === undefined) return []
    const { certificateSerial, signedAt: occurredAt } = signature
    const common = { occurredAt, ...system, participantId, occurrence: certificateSerial }
    const { subject, certificateSha256, notBefore, notAfter, fieldName, timeStampedAt } = signature
    return [
      auditEvent(key.caseId, 'participant.certificate_issued', {
        ...common,
        data: { subject, certificateSerial, certificateSha256, notBefore, notAfter },
      }),
      auditEvent(key.caseId, 'participant.signature_applied', {
        ...common,
        data: { fieldName, certificateSerial, timeStampedAt, level: signature.level },
      }),
    ]
  })
  const lastAt = signatures
    .map(({ signedAt }) => signedAt)
    .sort()
    .at(-1) as string
  const finalised = auditEvent(key.caseId, 'case.finalised', {
    occurredAt: lastAt,
    ...system,
    data: { size, level, originalSha256: document.sha256 },
  })
  const used = new Set(signatures.map(({ certificateSerial }) => certificateSerial))
  const [unused] = await Promise.all([
    unusedCertificates(key, used, deps),
    deps.trail.append(key, [...byParticipants, finalised]),
    registerDigest(work, deps),
  ])
  // Those of runs that lost, and of attempts that failed.
  await revokeCertificates(key, unused, deps)
}

async function registerDigest({ key, signedDocument }: Telling, deps: FinaliseDeps) {
  const place = issuedKey(signedDocument.sha256)
  const entry = encodeJson({ ...key, issuedAt: deps.now().toISOString() })
  await deps.objects.putIfAbsent(place, entry, JSON_TYPE)
}

/** The trail with the personal values that its evidence shows. */
async function trailOf(key: CaseKey, trail: AuditTrail): Promise<EvidenceInput['trail']> {
  const entries = await trail.entries(key)
  const openings: Record<string, Opening> = {}
  const readOne = async ({ eventId }: AuditEntry) => {
    const opening = await trail.opening(key, eventId)
    if (opening) openings[eventId] = opening
  }
  await Promise.all(entries.map(readOne))
  return { entries, openings }
}

const signersOf = (signatures: readonly OwnSignature[]): EvidenceSigner[] =>
  signatures.flatMap(({ participantId, subject, ...signature }) => {
    if (participantId === undefined) return []
    const { certificateSerial, issuer, timeStampedAt } = signature
    const certificate = { certificateSubject: subject, certificateSerial, issuer }
    return [{ participantId, ...certificate, timeStampedAt }]
  })

interface SealedEvidence {
  bytes: Uint8Array
  signatures: readonly OwnSignature[]
}

async function sealedEvidence(work: Telling, deps: FinaliseDeps): Promise<SealedEvidence> {
  const { key, signatureCase, accepted, document, signedDocument, signatures = [] } = work
  const { certificates } = await deps.signingDevice.describe('seal')
  const createdAt = deps.now()
  const evidence = await buildEvidence({
    signatureCase,
    view: caseView(signatureCase, accepted, createdAt.getTime()),
    trail: await trailOf(key, deps.trail),
    original: document,
    signed: signedDocument,
    signers: signersOf(signatures),
    rootCertificate: certificates.at(-1) as Uint8Array,
    baseUrl: deps.baseUrl,
    createdAt,
  })
  const sealed = await signDocument(evidence, { signers: [], ...(await sealingRequest(deps)) })
  const { bytes } = sealed
  return { bytes, signatures: await lastingSignatures(bytes, evidence.length, deps) }
}

/** The evidence as it is stored: that of another run, or the one made now. */
async function storedEvidence(work: Telling, deps: FinaliseDeps): Promise<SealedEvidence> {
  const place = evidenceKey(work.key)
  if (!(await deps.objects.stat(place))) {
    const made = await sealedEvidence(work, deps)
    if (await deps.objects.putIfAbsent(place, made.bytes, PDF_TYPE)) return made
  }
  const stored = await deps.objects.get(place)
  if (!stored) throw new Error('the evidence was stored and is not there')
  return { bytes: stored.bytes, signatures: await ownSignatures(stored.bytes, 0, deps) }
}

async function makeEvidence(work: Telling, deps: FinaliseDeps): Promise<void> {
  const { bytes, signatures } = await storedEvidence(work, deps)
  work.evidenceDocument = described(bytes, signatures)
}

async function recordResult(work: Telling, { objects, now }: FinaliseDeps): Promise<void> {
  const result: FinaliseResult = {
    signedDocument: work.signedDocument,
    evidenceDocument: work.evidenceDocument,
    completedAt: now().toISOString(),
  }
  await objects.putIfAbsent(resultKey(work.key), encodeJson(result), JSON_TYPE)
}

/** In this order: the evidence tells of what stands in the trail, the result of both documents. */
export const TELLING: readonly Step<Telling>[] = [
  { name: 'record-signatures', run: recordSignatures },
  { name: 'make-evidence', run: makeEvidence },
  { name: 'record-result', run: recordResult },
]
