/** The steps that follow from the stored outcome: whoever finds it there can take each of them. */
import { signDocument } from '../../pades/index.ts'
import type { AuditEntry, Opening } from '../../domain/audit/entry.ts'
import type { AuditTrail } from '../../domain/audit/trail.ts'
import { evidenceKey, issuedKey, resultKey } from '../../domain/cases/keys.ts'
import { caseView } from '../../domain/cases/lifecycle.ts'
import { auditEvent } from '../../domain/cases/owed.ts'
import type { FinaliseResult, FinalisedDocument } from '../../domain/cases/results.ts'
import { encodeJson } from '../../domain/json-object.ts'
import { JSON_TYPE, PDF_TYPE } from '../../domain/media-types.ts'
import type { CaseKey } from '../../domain/ports/stores.ts'
import { buildEvidence } from '../evidence/build-evidence.ts'
import type { EvidenceInput, EvidenceSigner } from '../evidence/input.ts'
import { revokeCertificates, unusedCertificates } from '../pki/certificates.ts'
import {
  readFreshOutput,
  readOwnOutput,
  withoutSandbox,
  type OwnOutput,
  type OwnSignature,
} from './own-output.ts'
import { sealingRequest } from './sealing.ts'
import type { FinaliseDeps, Step, Telling } from './work.ts'

/**
 * A PDF tells times in whole seconds: what the last signature caused must not seem to lie before
 * it. Both ISO 8601 in UTC with milliseconds.
 */
const notBefore = (instant: string, cause: string) => (instant < cause ? cause : instant)

/** Everything here is read from the stored bytes, so that every run tells the same. */
async function recordSignatures(work: Telling, deps: FinaliseDeps): Promise<void> {
  const { key, document } = work
  const { signatures } = work.signed
  const { sha256, size, level } = work.signed.document
  const causedAt = work.accepted
    .map(({ signedAt }) => signedAt)
    .sort()
    .at(-1) as string
  const system = { actor: 'system' as const, documentSha256: sha256 }
  const byParticipants = onePerParticipant(signatures).flatMap(
    ({ participantId, ...signature }) => {
      if (participantId === undefined) return []
      const { certificateSerial } = signature
      const occurredAt = notBefore(signature.signedAt, causedAt)
      const common = { occurredAt, ...system, participantId, occurrence: certificateSerial }
      const { subject, certificateSha256, timeStampedAt } = signature
      const validity = { notBefore: signature.notBefore, notAfter: signature.notAfter }
      const [fieldName, ...furtherFieldNames] = signatures.flatMap((one) =>
        one.participantId === participantId ? [one.fieldName] : [],
      )
      const fields = { fieldName, ...(furtherFieldNames.length > 0 ? { furtherFieldNames } : {}) }
      return [
        auditEvent(key.caseId, 'participant.certificate_issued', {
          ...common,
          data: { subject, certificateSerial, certificateSha256, ...validity },
        }),
        auditEvent(key.caseId, 'participant.signature_applied', {
          ...common,
          data: { ...fields, certificateSerial, timeStampedAt, level: signature.level },
        }),
      ]
    },
  )
  const lastAt = signatures
    .map(({ signedAt }) => signedAt)
    .sort()
    .at(-1) as string
  const finalised = auditEvent(key.caseId, 'case.finalised', {
    occurredAt: notBefore(lastAt, causedAt),
    ...system,
    data: { size, level, originalSha256: document.sha256 },
  })
  const used = new Set(signatures.map(({ certificateSerial }) => certificateSerial))
  const [entries, unused] = await Promise.all([
    deps.trail.append(key, [...byParticipants, finalised]),
    unusedCertificates(key, used, deps),
    registerDigest(work.key, work.signed.document, deps),
  ])
  work.entries = entries
  // Those of runs that lost, and of attempts that failed.
  await revokeCertificates(key, unused, deps)
}

/** From then on a verification says that this service issued the document. */
async function registerDigest(
  key: CaseKey,
  { sha256 }: Pick<FinalisedDocument, 'sha256'>,
  deps: FinaliseDeps,
) {
  const place = issuedKey(sha256)
  const entry = encodeJson({ ...key, issuedAt: deps.now().toISOString() })
  await deps.objects.putIfAbsent(place, entry, JSON_TYPE)
}

/** The trail with the personal values that its evidence shows. */
async function trailOf(
  { key, entries }: Telling,
  trail: AuditTrail,
): Promise<EvidenceInput['trail']> {
  const openings: Record<string, Opening> = {}
  const readOne = async ({ eventId }: AuditEntry) => {
    const opening = await trail.opening(key, eventId)
    if (opening) openings[eventId] = opening
  }
  await Promise.all(entries.map(readOne))
  return { entries, openings }
}

/** Further ones of a participant are made with the same certificate (decision 4). */
const onePerParticipant = (signatures: readonly OwnSignature[]): OwnSignature[] =>
  signatures.filter(
    ({ participantId }, index) =>
      signatures.findIndex((one) => one.participantId === participantId) === index,
  )

const signersOf = (signatures: readonly OwnSignature[]): EvidenceSigner[] =>
  onePerParticipant(signatures).flatMap(({ participantId, subject, ...signature }) => {
    if (participantId === undefined) return []
    const { certificateSerial, issuer, timeStampedAt, timeStampedBy } = signature
    const certificate = { certificateSubject: subject, certificateSerial, issuer }
    const by = timeStampedBy === undefined ? {} : { timeStampedBy }
    return [{ participantId, ...certificate, timeStampedAt, ...by }]
  })

async function sealedEvidence(work: Telling, deps: FinaliseDeps): Promise<OwnOutput> {
  const { signatureCase, accepted, document, signed } = work
  const { certificates } = await deps.signingDevice.describe('seal')
  const createdAt = deps.now()
  const evidence = await buildEvidence({
    signatureCase,
    view: caseView(signatureCase, accepted, createdAt.getTime()),
    trail: await trailOf(work, deps.trail),
    original: document,
    signed: signed.document,
    signers: signersOf(signed.signatures),
    rootCertificate: certificates.at(-1) as Uint8Array,
    baseUrl: deps.baseUrl,
    createdAt,
  })
  const sealed = await signDocument(evidence, { signers: [], ...(await sealingRequest(deps)) })
  return readFreshOutput(sealed, evidence.length, withoutSandbox(deps))
}

/** The evidence as it is stored: that of another run, or the one made now. */
async function makeEvidence(work: Telling, deps: FinaliseDeps): Promise<void> {
  const place = evidenceKey(work.key)
  if (!work.hasEvidence) {
    const made = await sealedEvidence(work, deps)
    work.evidenceDocument = made.document
    const [isStored] = await Promise.all([
      deps.objects.putIfAbsent(place, made.bytes, PDF_TYPE),
      // Nobody will ever see the bytes of a run that lost, nor ask for their digest.
      registerDigest(work.key, made.document, deps),
    ])
    if (isStored) return
  }
  const stored = await deps.objects.get(place)
  if (!stored) throw new Error('the evidence was stored and is not there')
  work.evidenceDocument = (await readOwnOutput(stored, 0, withoutSandbox(deps))).document
  await registerDigest(work.key, work.evidenceDocument, deps)
}

async function recordResult(work: Telling, deps: FinaliseDeps): Promise<void> {
  const { objects, now } = deps
  const { key, signed, evidenceDocument } = work
  if (!evidenceDocument) throw new Error('the evidence is made before the result')
  const completedAt = now().toISOString()
  const result: FinaliseResult = { signedDocument: signed.document, evidenceDocument, completedAt }
  await objects.putIfAbsent(resultKey(key), encodeJson(result), JSON_TYPE)
}

/** In this order: the evidence tells of what stands in the trail, the result of both documents. */
export const TELLING: readonly Step<Telling>[] = [
  { name: 'record-signatures', run: recordSignatures },
  { name: 'make-evidence', run: makeEvidence },
  { name: 'record-result', run: recordResult },
]
