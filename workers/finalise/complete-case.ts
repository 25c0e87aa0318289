/**
 * Completes a case whose signed PDF is stored: trail, registry, evidence and result. The steps
 * depend only on the stored PDF, so any run can do them.
 */
import { readLogo, signDocument } from '../../pades/index.ts'
import type { AuditEntry } from '../../domain/audit/entry.ts'
import type { WholeTrail } from '../../domain/audit/entry.ts'
import { evidenceKey, issuedKey, resultKey } from '../../domain/cases/keys.ts'
import { caseView } from '../../domain/cases/lifecycle.ts'
import { dueAuditEvents } from '../../domain/cases/due-audit-events.ts'
import type { FinaliseResult, FinalisedDocument } from '../../domain/cases/results.ts'
import { PDF_TYPE } from '../../domain/media-types.ts'
import type { CaseKey } from '../../domain/ports/stores.ts'
import { buildEvidence } from '../evidence/build-evidence.ts'
import type { EvidenceSigner } from '../evidence/input.ts'
import { secondsBetween } from '../measure.ts'
import { revokeCertificates, unusedRuns } from '../pki/certificates.ts'
import {
  MAXIMUM_LOST_RACES,
  putOver,
  putWorkerResult,
} from '../../application/store/stored-results.ts'
import { changed } from './fault.ts'
import { readShownDrawings } from './inputs.ts'
import { measuredStep } from './measured-step.ts'
import { readFreshOutput, withoutSandbox, type OwnOutput, type OwnSignature } from './own-output.ts'
import { sealingRequest } from './sealing.ts'
import { onePerParticipant, signatureEvents } from './signature-events.ts'
import { readSoundTrail } from './sound-trail.ts'
import { readOwnEvidence } from './stored-evidence.ts'
import type { FinaliseDeps, SignedByAll } from './signed-by-all.ts'

/** Returns when the last participant signed; an ISO 8601 time. */
const lastSignedAt = (signatures: readonly { signedAt: string }[]): string =>
  signatures
    .map(({ signedAt }) => signedAt)
    .sort()
    .at(-1) as string

/** Checks that the signed PDF is the one that the trail names, if it names one. */
function assertSameDocument(entries: readonly AuditEntry[], signed: OwnOutput): void {
  const finalised = entries.find(({ type }) => type === 'case.finalised')
  if (!finalised || finalised.documentSha256 === signed.document.sha256) return
  throw changed('The signed PDF was changed outside the service after it was made')
}

/** Records the signatures from the stored bytes, so that every run records the same. */
async function recordSignatures(
  { key, signatureCase, document, accepted }: SignedByAll,
  signed: OwnOutput,
  deps: FinaliseDeps,
): Promise<void> {
  // Appending nothing returns the verified trail.
  assertSameDocument(await deps.trail.append(key, []), signed)
  const { signatures } = signed
  const causedAt = lastSignedAt(accepted)
  const recorded = signatureEvents(key.caseId, signed, causedAt, document.sha256)
  const used = new Set(signatures.map(({ certificateSerial }) => certificateSerial))
  // The job that seals the trail revokes the certificates of failed attempts. This run may have
  // lost a race to the seal, and then revokes its own.
  const isResumed = !signed.madeFrom
  const due = dueAuditEvents(signatureCase, accepted)
  const [, unused] = await Promise.all([
    deps.trail.append(key, [...due, ...recorded]),
    isResumed ? unusedRuns(key, used, deps) : [],
  ])
  await revokeCertificates(key, unused, deps)
}

/** Registers a digest; from then on, verification reports that this service issued the document. */
async function registerDigest(
  key: CaseKey,
  { sha256 }: Pick<FinalisedDocument, 'sha256'>,
  deps: FinaliseDeps,
) {
  const objectKey = issuedKey(sha256)
  const issued = { ...key, issuedAt: deps.now().toISOString() }
  const writing = { ...deps, durability: 'later' } as const
  await putWorkerResult(objectKey, issued, { object: 'issued', key }, writing)
}

const signersOf = (signatures: readonly OwnSignature[]): EvidenceSigner[] =>
  onePerParticipant(signatures).flatMap(({ participantId, subject, ...signature }) => {
    if (participantId === undefined) return []
    const { certificateSerial, issuer, timeStampedAt, timeStampedBy } = signature
    const certificate = { certificateSubject: subject, certificateSerial, issuer }
    const by = timeStampedBy === undefined ? {} : { timeStampedBy }
    const own = signatures.filter((one) => one.participantId === participantId)
    const infos = [...new Set(own.flatMap((one) => one.infos))]
    return [{ participantId, ...certificate, timeStampedAt, ...by, infos }]
  })

async function sealEvidence(
  all: SignedByAll,
  signed: OwnOutput,
  trail: WholeTrail,
  deps: FinaliseDeps,
): Promise<OwnOutput> {
  const { signatureCase, accepted, document } = all
  const [{ certificates }, drawings, look] = await Promise.all([
    deps.signingDevice.describe('seal'),
    signed.madeFrom?.drawings ?? readShownDrawings(all, deps),
    deps.branding?.read(all.key.tenant),
  ])
  const createdAt = deps.now()
  const evidence = await buildEvidence({
    signatureCase,
    view: caseView(signatureCase, accepted, createdAt.getTime()),
    trail,
    original: { ...document, signatures: signed.earlierSignatures },
    signed: signed.document,
    signers: signersOf(signed.signatures),
    drawings,
    logo: look?.logo && readLogo(look.logo.bytes),
    timeZone: look?.timeZone,
    rootCertificate: certificates.at(-1) as Uint8Array,
    baseUrl: deps.baseUrl,
    createdAt,
  })
  const sealed = await signDocument(evidence, { signers: [], ...(await sealingRequest(deps)) })
  return readFreshOutput(sealed, evidence.length, withoutSandbox(deps))
}

/**
 * Stores the evidence, or uses that of another run. The trail is read again, because its current
 * content is sealed. Only then the signed PDF is registered as issued.
 *
 * @returns the description of the stored evidence
 */
async function storeEvidence(
  all: SignedByAll,
  signed: OwnOutput,
  deps: FinaliseDeps,
): Promise<FinalisedDocument> {
  const { key } = all
  const objectKey = evidenceKey(key)
  const isResumed = !signed.madeFrom
  const [trail, first] = await Promise.all([
    readSoundTrail(all, deps, { isWhole: isResumed }),
    isResumed ? deps.objects.get(objectKey) : undefined,
  ])
  const registering = registerDigest(key, signed.document, deps)
  // Awaited below; avoids an unhandled rejection.
  registering.catch(() => undefined)
  let made: OwnOutput | undefined
  for (let lost = 0; lost <= MAXIMUM_LOST_RACES; lost++) {
    const stored = lost === 0 ? first : await deps.objects.get(objectKey)
    const own = stored && (await readOwnEvidence(stored, { key, ...trail }, deps))
    if (own) {
      await Promise.all([registering, registerDigest(key, own.document, deps)])
      return own.document
    }
    if (stored) deps.alarm.raise({ object: 'evidence', fault: 'otherEvidence', key })
    made ??= await sealEvidence(all, signed, trail, deps)
    const object = {
      key: objectKey,
      bytes: made.bytes,
      contentType: PDF_TYPE,
      durability: 'later',
    } as const
    const [isStored] = await Promise.all([
      putOver(deps.objects, object, stored?.generation),
      registering,
    ])
    if (!isStored) continue
    // Not before it is stored: a process that is killed in between would leave a digest of
    // evidence that exists nowhere.
    await registerDigest(key, made.document, deps)
    return made.document
  }
  throw new Error(`the evidence of case ${key.caseId} kept changing`)
}

async function recordResult(
  key: CaseKey,
  signedDocument: FinalisedDocument,
  evidenceDocument: FinalisedDocument,
  deps: FinaliseDeps,
): Promise<void> {
  const completedAt = deps.now().toISOString()
  const result: FinaliseResult = { signedDocument, evidenceDocument, completedAt }
  await putWorkerResult(resultKey(key), result, { object: 'result', key }, deps)
}

/**
 * Writes the audit entries, the evidence and the result. The order matters: the evidence contains
 * the trail, and the result refers to both documents. It makes all writes before it durable.
 *
 * @param signed the signed PDF as it is stored
 * @throws AuditTrailError when the trail is not sound
 * @throws DocumentFault when the trail names another signed PDF
 * @throws Error when a key, an authority or a store fails; a retry can succeed
 */
export async function completeCase(
  all: SignedByAll,
  signed: OwnOutput,
  deps: FinaliseDeps,
): Promise<void> {
  await measuredStep('record-signatures', () => recordSignatures(all, signed, deps), deps)
  const evidence = await measuredStep('make-evidence', () => storeEvidence(all, signed, deps), deps)
  const record = () => recordResult(all.key, signed.document, evidence, deps)
  await measuredStep('record-result', record, deps)
  const { metrics, now } = deps
  const seconds = secondsBetween(lastSignedAt(all.accepted), now().toISOString())
  metrics.observe('sigcase_case_completion_seconds', {}, seconds)
}
