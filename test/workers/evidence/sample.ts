/** A finished case with its trail, as evidence is built of it. */
import { createHash, X509Certificate } from 'node:crypto'
import { rootCertificates } from 'node:tls'
import {
  entryAfter,
  openingOf,
  type AuditEntry,
  type AuditEvent,
  type Opening,
} from '../../../domain/audit/entry.ts'
import { caseView } from '../../../domain/cases/lifecycle.ts'
import { auditEvent, dueAuditEvents } from '../../../domain/cases/due-audit-events.ts'
import type { ParticipantDefinition } from '../../../domain/cases/definition.ts'
import type { SignatureCase } from '../../../domain/cases/signature-case.ts'
import type { InvitationRequest, SignatureFact } from '../../../domain/cases/spec.ts'
import type { EvidenceInput } from '../../../workers/evidence/input.ts'
import {
  CASE_ID,
  CASE_KEY,
  DOCUMENT_SHA256,
  participant,
  signature,
  signatureCase,
  type CaseOptions,
} from '../../fixtures/signature-case.ts'

/** Some root that Node trusts: it only has to be a certificate. */
export const ROOT_CERTIFICATE = new Uint8Array(new X509Certificate(`${rootCertificates[0]}`).raw)

export const FINALISED_AT = '2026-11-02T09:00:40.000Z'

/** A chain of entries over the events, each salt derived from its number. */
export function trailOf(events: readonly AuditEvent[]): {
  entries: AuditEntry[]
  openings: Record<string, Opening>
} {
  const entries: AuditEntry[] = []
  const openings: Record<string, Opening> = {}
  let salts = 0
  const salt = () => createHash('md5').update(`salt ${++salts}`).digest('hex')
  for (const event of events) {
    const opening = openingOf(event, salt)
    openings[event.eventId] = opening
    entries.push(entryAfter(entries.at(-1), CASE_KEY, event, opening))
  }
  return { entries, openings }
}

export interface SampleSigner {
  certificateSubject: string
  certificateSerial: string
}

const certificateOf = ({ firstName, lastName, id }: ParticipantDefinition) => ({
  certificateSubject: `CN=${firstName} ${lastName}, serialNumber=${id}`,
  certificateSerial: createHash('md5').update(id).digest('hex'),
})

interface Credential extends SampleSigner {
  participantId: string
}

/** Everything that happens in the life of the case, in order. */
function eventsOf(
  subject: SignatureCase,
  signatures: readonly SignatureFact[],
  credentials: readonly Credential[],
  signedSha256: string,
  refused: readonly string[],
): AuditEvent[] {
  const due = dueAuditEvents(subject, signatures)
  const { quickSign, participants } = subject.spec.definition
  const requested = (subject.spec.invitations ?? []).map(({ participantId }) => participantId)
  const invited = participants
    .filter(({ id, notify }) => (notify && !quickSign) || requested.includes(id))
    .map(({ id }) =>
      auditEvent(CASE_ID, 'participant.invited', {
        occurredAt: '2026-11-02T08:05:03.000Z',
        actor: 'system',
        participantId: id,
        ...(refused.includes(id) ? { data: { refused: 'recipient', answer: 550 } } : {}),
      }),
    )
  const viewed = subject.spec.definition.participants.map(({ id }) =>
    auditEvent(CASE_ID, 'participant.viewed', {
      occurredAt: '2026-11-02T08:09:00.000Z',
      actor: 'participant',
      participantId: id,
      ip: '2001:db8::7',
      documentSha256: signatures[0]?.documentSha256 ?? '',
    }),
  )
  const system = { occurredAt: FINALISED_AT, actor: 'system' as const }
  const sealing = credentials.flatMap((one) =>
    (['participant.certificate_issued', 'participant.signature_applied'] as const).map((type) =>
      auditEvent(CASE_ID, type, {
        ...system,
        participantId: one.participantId,
        occurrence: one.certificateSerial,
        data: { certificateSerial: one.certificateSerial },
      }),
    ),
  )
  const isSigning = ({ type }: AuditEvent) => /consented|signed/.test(type)
  return [
    ...due.filter((event) => !isSigning(event)),
    ...invited,
    ...viewed,
    ...due.filter(isSigning),
    ...sealing,
    auditEvent(CASE_ID, 'case.finalised', { ...system, documentSha256: signedSha256 }),
  ]
}

export interface SampleOptions {
  participants?: ParticipantDefinition[]
  definition?: CaseOptions['definition']
  /** Invitations that the tenant requested. */
  invitations?: readonly InvitationRequest[]
  /** Ids of participants whose invitation the mail server refused. */
  refused?: readonly string[]
  /** By the clock of every participant's device. */
  acceptedAt?: string
  /** Consent of every participant. */
  consent?: { textVersion: string; acceptedAt: string }
  screen?: { width: number; height: number }
  originalSha256?: string
  originalSize?: number
  signaturesBefore?: number
  signedSha256?: string
  /** By participant id; made up when absent. */
  certificates?: Readonly<Record<string, SampleSigner>>
  rootCertificate?: Uint8Array
}

export function evidenceInput(options: SampleOptions = {}): EvidenceInput {
  const { originalSha256 = DOCUMENT_SHA256, signedSha256 = 'a'.repeat(64) } = options
  const { acceptedAt = '2026-11-02T09:09:50.000+01:00' } = options
  const { screen = { width: 390, height: 844 } } = options
  const participants = options.participants ?? [participant(1), participant(2)]
  const document = {
    sha256: originalSha256,
    size: options.originalSize ?? 483_112,
    pageCount: 12,
  }
  const signatures = participants.map((one, index) =>
    signature(one, {
      signedAt: `2026-11-02T08:${String(10 + (index % 50)).padStart(2, '0')}:00.000Z`,
      documentSha256: originalSha256,
      consent: options.consent ?? { textVersion: '2026-11', acceptedAt },
      client: {
        timezone: 'Europe/Bratislava',
        language: 'sk-SK',
        screen,
        viewedAllPages: true,
      },
      userAgent: 'Mozilla/5.0 (iPhone; CPU iPhone OS 19_1 like Mac OS X) Version/19.1 Safari/604.1',
    }),
  )
  const defined = signatureCase({
    phase: 'IN_PROGRESS',
    participants,
    signatures,
    ...(options.definition ? { definition: options.definition } : {}),
    status: { document: { ...document, acceptedAt: '2026-11-02T08:05:00.000Z' } },
  })
  const { invitations } = options
  const subject = invitations
    ? { ...defined, spec: { ...defined.spec, invitations: [...invitations] } }
    : defined
  const credentials = participants.map((one) => ({
    participantId: one.id,
    ...(options.certificates?.[one.id] ?? certificateOf(one)),
  }))
  const events = eventsOf(subject, signatures, credentials, signedSha256, options.refused ?? [])
  return {
    signatureCase: subject,
    view: caseView(subject, signatures, Date.parse(FINALISED_AT)),
    trail: trailOf(events),
    original: { ...document, signatures: options.signaturesBefore ?? 0 },
    signed: { sha256: signedSha256, size: 561_204, level: 'PAdES-BASELINE-LTA' },
    signers: credentials.map((one) => ({
      ...one,
      issuer: 'CN=Sigcase Issuing CA, O=Sigcase, C=SK',
      timeStampedAt: FINALISED_AT,
      timeStampedBy: 'CN=Sigcase TSA, O=Sigcase, C=SK',
    })),
    rootCertificate: options.rootCertificate ?? ROOT_CERTIFICATE,
    baseUrl: 'https://podpis.example.com',
    createdAt: new Date('2026-11-02T09:00:41.000Z'),
  }
}
