/** A case as tenants see it (specification 2.1 to 2.4). */
import { documentKey, evidenceKey, outcomeKey } from '../../domain/cases/keys.ts'
import type { CaseView, ParticipantView } from '../../domain/cases/lifecycle.ts'
import type { CaseDefinition } from '../../domain/cases/definition.ts'
import type { CaseStatus } from '../../domain/cases/status.ts'
import type {
  CaseAnswer,
  DocumentAnswer,
  ParticipantAnswer,
} from '../../domain/contract/answers.ts'
import { DOWNLOAD_URL_LIFE_MS } from '../../domain/limits.ts'
import { signingUrl } from '../../domain/signing-url.ts'
import type { CaseKey } from '../../domain/ports/stores.ts'
import type { ApiDeps } from '../deps.ts'
import type { ObservedCase } from '../../application/cases/read-case.ts'
import { documentNames } from '../../domain/cases/document-names.ts'

type PresentDeps = Pick<ApiDeps, 'objects' | 'links' | 'baseUrl' | 'now'>

/** What is shown of a participant to everybody who may see them. */
export function presentParticipantCore({ definition, signature }: ParticipantView) {
  const { id, firstName, lastName, language, notify, signatureFields } = definition
  return {
    id,
    firstName,
    lastName,
    language,
    notify,
    status: signature ? ('SIGNED' as const) : ('UNSIGNED' as const),
    ...(signature ? { signedAt: signature.signedAt } : {}),
    signatureFields,
  }
}

/** The signing link of a participant; its token is made anew and is not stored. */
export async function mintSignerUrl(
  link: CaseKey & { participantId: string },
  { links, baseUrl }: Pick<PresentDeps, 'links' | 'baseUrl'>,
): Promise<string> {
  return signingUrl(baseUrl, link.participantId, await links.mint(link))
}

async function presentParticipant(
  participant: ParticipantView,
  key: CaseKey,
  deps: PresentDeps,
): Promise<ParticipantAnswer> {
  const { id, email, phone } = participant.definition
  return {
    ...presentParticipantCore(participant),
    email,
    ...(phone === undefined ? {} : { phone }),
    signerUrl: await mintSignerUrl({ ...key, participantId: id }, deps),
  }
}

interface NamedDocument {
  name: string
  sha256: string
  size: number
  level?: string
}

/** A stored document without a link. */
export function describeDocument({ name, sha256, size, level }: NamedDocument) {
  return { name, size, sha256, ...(level === undefined ? {} : { level }) }
}

/** A stored document with a link of 15 minutes. */
export async function presentDocument(
  objectKey: string,
  document: NamedDocument,
  { objects, now }: Pick<PresentDeps, 'objects' | 'now'>,
): Promise<DocumentAnswer & { size: number; sha256: string; url: string }> {
  const expiresAt = new Date(now().getTime() + DOWNLOAD_URL_LIFE_MS)
  const url = await objects.presignGet(objectKey, { expiresAt, downloadName: document.name })
  return { ...describeDocument(document), url }
}

/** The original without a link. */
function presentOriginal({ signatureCase }: Pick<ObservedCase, 'signatureCase'>): DocumentAnswer {
  const { document } = signatureCase.status ?? {}
  const name = documentNames(signatureCase.spec.definition.title).original
  if (!document) return { name }
  const { sha256, size, warnings } = document
  return { name, sha256, size, ...(warnings && { warnings }) }
}

async function presentDocuments(
  { key, signatureCase, view }: ObservedCase,
  deps: PresentDeps,
): Promise<Pick<CaseAnswer, 'originalDocument' | 'signedDocument' | 'evidenceDocument'>> {
  const names = documentNames(signatureCase.spec.definition.title)
  const { document, signedDocument, evidenceDocument } = signatureCase.status ?? {}
  if (!document) return { originalDocument: presentOriginal({ signatureCase }) }
  // Only the digest is left of an erased document.
  const present = (objectKey: string, stored: NamedDocument) =>
    view.isErased ? describeDocument(stored) : presentDocument(objectKey, stored, deps)
  const { sha256, size, warnings } = document
  const original = { name: names.original, sha256, size }
  const originalDocument = {
    ...(await present(documentKey(key), original)),
    ...(warnings && { warnings }),
  }
  if (view.phase !== 'DONE' || !signedDocument || !evidenceDocument) return { originalDocument }
  const signed = { ...signedDocument, name: names.signed }
  const evidence = { ...evidenceDocument, name: names.evidence }
  return {
    originalDocument,
    signedDocument: await present(outcomeKey(key), signed),
    evidenceDocument: await present(evidenceKey(key), evidence),
  }
}

/** What a case that has ended shows about its end. */
function presentEnd(view: CaseView, status: CaseStatus | undefined, reason: string | undefined) {
  switch (view.phase) {
    case 'UPLOAD_REJECTED':
      return { rejectCode: status?.rejectCode, rejectReason: status?.rejectReason }
    case 'EXPIRED':
      return { expiredAt: view.endedAt }
    case 'CANCELLED':
      return {
        cancelledAt: view.endedAt,
        ...(reason === undefined ? {} : { cancelReason: reason }),
      }
    case 'FAILED':
      return {
        failedAt: status?.failedAt,
        failureCode: status?.failureCode,
        failureReason: status?.failureReason,
      }
    default:
      return {}
  }
}

/** What the tenant chose beside the people, without what must stay secret. */
function presentOptions({ multiFactorType, callback, sender, device }: CaseDefinition) {
  const { url, authType, data } = callback ?? {}
  return {
    ...(multiFactorType === undefined ? {} : { multiFactorType }),
    ...(url === undefined || authType === undefined
      ? {}
      : { callback: { url, authType, ...(data === undefined ? {} : { data: JSON.parse(data) }) } }),
    ...(sender === undefined ? {} : { sender }),
    ...(device === undefined ? {} : { device }),
  }
}

/** With its documents and links to them, which open for 15 minutes. */
export async function presentCase(seen: ObservedCase, deps: PresentDeps): Promise<CaseAnswer> {
  const [described, documents] = await Promise.all([
    describeCase(seen, deps),
    presentDocuments(seen, deps),
  ])
  return Object.assign(described, documents)
}

/** Without documents that are signed or links to any: a listing would mint hundreds. */
export async function presentListedCase(
  seen: ObservedCase,
  deps: PresentDeps,
): Promise<CaseAnswer> {
  return { ...(await describeCase(seen, deps)), originalDocument: presentOriginal(seen) }
}

/** All but the documents. */
async function describeCase(
  seen: ObservedCase,
  deps: PresentDeps,
): Promise<Omit<CaseAnswer, 'originalDocument'>> {
  const { key, signatureCase, view } = seen
  const { definition, creation, cancellation } = signatureCase.spec
  const { title, validUntil, quickSign, ownPlaces = true } = definition
  return {
    id: key.caseId,
    title,
    status: view.phase,
    ...presentEnd(view, signatureCase.status, cancellation?.reason),
    created: creation.at,
    validUntil,
    quickSign,
    ownPlaces,
    ...presentOptions(definition),
    participants: await Promise.all(
      view.participants.map((participant) => presentParticipant(participant, key, deps)),
    ),
  }
}
