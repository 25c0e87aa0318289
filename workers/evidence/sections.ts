/** The sections of the evidence PDF, except the one about the participants. */
import { createHash } from 'node:crypto'
import { entryHash, eventOf, NO_PREVIOUS, type AuditEntry } from '../../domain/audit/entry.ts'
import { acceptedLanguage } from '../../domain/consent.ts'
import { singleLine } from '../../domain/mail/safe-text.ts'
import type { Block, Timeline } from '../../pades/index.ts'
import { mannerOf } from './identification.ts'
import type { Evidence } from './input.ts'
import { verificationFigure } from './pictures.ts'
import { rows, spelled } from './rows.ts'
import type { EventValues } from './texts.ts'
import { hasLocalTime, utcAndLocal } from './utc.ts'

const VERIFY_COMMAND =
  'npm run --silent verify-evidence -- evidence.pdf signed.pdf --trust root.pem'

/** Path of the page that verifies documents. */
const VERIFICATION_PATH = '/verify'

const heading = (text: string): Block => ({ kind: 'heading', level: 1, text })
const subheading = (text: string): Block => ({ kind: 'heading', level: 2, text })
const paragraph = (text: string): Block => ({ kind: 'paragraph', text })

/** Explains in one paragraph what the document is. */
export function aboutBlocks(evidence: Evidence): Block[] {
  const { input, texts, timeZone } = evidence
  const { definition } = input.signatureCase.spec
  const text = texts.about.text({
    title: definition.title.trim(),
    baseUrl: input.baseUrl,
    createdAt: utcAndLocal(input.createdAt.toISOString(), evidence),
    timeZone: hasLocalTime(input.createdAt, evidence) ? timeZone : undefined,
    participants: definition.participants.length,
  })
  return [{ kind: 'callout', title: texts.about.title, text }]
}

/** Digests and sizes of the document before and after signing. */
export function documentBlocks({ input, texts }: Evidence): Block[] {
  const { original, signed, signatureCase } = input
  const words = texts.document
  const signaturesBefore =
    original.signatures > 0 ? words.notJudged(original.signatures) : undefined
  return [
    heading(words.heading),
    rows([
      [words.name, signatureCase.spec.definition.title],
      spelled(words.nameSpelled, signatureCase.spec.definition.title),
      [words.pages, String(original.pageCount)],
      [words.sizeBefore, texts.bytes(original.size)],
      [words.digestBefore, original.sha256, 'mono'],
      [words.signaturesBefore, signaturesBefore],
      [words.sizeAfter, texts.bytes(signed.size)],
      [words.digestAfter, signed.sha256, 'mono'],
      [words.level, signed.level],
    ]),
    { kind: 'paragraph', text: words.note, tone: 'muted' },
  ]
}

/** Who created the case, how and when. Rows without a value are omitted. */
export function caseBlocks(evidence: Evidence): Block[] {
  const { input, entries, texts } = evidence
  const { metadata, spec, status } = input.signatureCase
  const { sender, validUntil } = spec.definition
  const words = texts.case
  const senderLine = [sender?.name, sender?.replyTo].filter((part) => part !== undefined)
  const signedAt = input.view.participants
    .flatMap(({ signature }) => (signature ? [signature.signedAt] : []))
    .sort((a, b) => Date.parse(a) - Date.parse(b))
    .at(-1)
  const finalised = entries.find(({ type }) => type === 'case.finalised')
  return [
    heading(words.heading),
    rows([
      [words.id, metadata.name, 'mono'],
      [words.tenant, metadata.namespace],
      [words.sender, senderLine.join(', ') || undefined],
      [words.manner, words.manners[mannerOf(evidence)]],
      [words.created, utcAndLocal(spec.creation.at, evidence)],
      [words.createdFrom, spec.creation.ip],
      [
        words.documentAccepted,
        status?.document && utcAndLocal(status.document.acceptedAt, evidence),
      ],
      [words.validUntil, utcAndLocal(validUntil, evidence)],
      [words.lastSignature, signedAt && utcAndLocal(signedAt, evidence)],
      [words.finalised, finalised && utcAndLocal(finalised.occurredAt, evidence)],
    ]),
  ]
}

const textOf = (value: unknown) => (typeof value === 'string' ? value : undefined)
const numberOf = (value: unknown) => (typeof value === 'number' ? value : undefined)

function failureOf({ factor, reason }: Record<string, unknown>): EventValues['failure'] {
  if (factor === 'pin') return 'wrongPin'
  return reason === 'not_sent' ? 'notSent' : undefined
}

function timelineEvent(evidence: Evidence, entry: AuditEntry): Timeline['events'][number] {
  const { input, texts, openings } = evidence
  const { ip, data, participantId } = eventOf(entry, openings[entry.eventId])
  const participant = input.view.participants.find(
    ({ definition }) => definition.id === participantId,
  )?.definition
  const statedReason =
    entry.type === 'participant.declined' && singleLine(`${data['reason'] ?? ''}`)
  const values: EventValues = {
    ...(participant ? { name: `${participant.firstName} ${participant.lastName}` } : {}),
    title: textOf(data['title'])?.trim(),
    pageCount: numberOf(data['pageCount']),
    consentVersion: textOf(data['textVersion']),
    reminder: numberOf(data['reminder']),
    isRefused: data['refused'] !== undefined,
    ...(statedReason ? { statedReason } : {}),
    failure: failureOf(data),
  }
  const { actors, ip: from, certificate } = texts.timeline
  const serial = textOf(data['certificateSerial'])
  const detail = [
    actors[entry.actor],
    ip && from(ip),
    textOf(data['destination']),
    serial && certificate(serial),
  ]
  return {
    time: utcAndLocal(entry.occurredAt, evidence, '\n'),
    title: `${entry.sequence}. ${texts.events[entry.type](values)}`,
    detail: detail.filter((part) => part !== undefined).join(' · '),
    digest: entry.type,
  }
}

/**
 * All entries of the trail in order, and the hash of the last one, at which the hash chain ends.
 */
export function timelineBlocks(evidence: Evidence): Block[] {
  const { entries, texts } = evidence
  const last = entries.at(-1)
  return [
    heading(texts.timeline.heading),
    paragraph(texts.timeline.intro),
    { kind: 'timeline', events: entries.map((entry) => timelineEvent(evidence, entry)) },
    rows([
      [texts.timeline.entries, String(entries.length)],
      [texts.timeline.head, last ? entryHash(last) : NO_PREVIOUS, 'mono'],
    ]),
  ]
}

/** The texts that were accepted, each in the languages in which somebody accepted it. */
export function consentBlocks({ input, consents, texts }: Evidence): Block[] {
  const accepted = (version: string) =>
    input.view.participants
      .filter(({ signature }) => signature?.consent.textVersion === version)
      .map(({ definition }) => acceptedLanguage(version, definition.language))
  return [
    heading(texts.consent.heading),
    paragraph(texts.consent.intro),
    ...consents.flatMap(({ version, texts: words }) =>
      [...new Set(accepted(version))].flatMap((language) => [
        subheading(texts.consent.version(version, language)),
        { kind: 'paragraph' as const, text: words[language] ?? '', language },
      ]),
    ),
  ]
}

/** One attachment, as listed in the evidence. */
export interface AttachmentLine {
  name: string
  contents: string
}

/**
 * Explains how to verify the evidence, first with the service and then without it.
 *
 * @param attachments in the order of the file
 */
export function verificationBlocks(
  evidence: Evidence,
  attachments: readonly AttachmentLine[],
): Block[] {
  const { input, texts } = evidence
  const words = texts.verification
  const rootDigest = createHash('sha256').update(input.rootCertificate).digest('hex')
  return [
    heading(words.heading),
    paragraph(words.intro),
    subheading(words.byPageHeading),
    verificationFigure(evidence, `${input.baseUrl}${VERIFICATION_PATH}`),
    subheading(words.byReaderHeading),
    paragraph(words.byReader),
    rows([[words.rootDigest, rootDigest, 'mono']]),
    subheading(words.byToolHeading),
    paragraph(words.byTool),
    rows([[words.command, VERIFY_COMMAND]]),
    subheading(words.byHandHeading),
    paragraph(words.byHand),
    subheading(words.attachmentsHeading),
    {
      kind: 'table',
      columns: [
        { title: words.attachment, weight: 1, mono: true },
        { title: words.contents, weight: 2 },
      ],
      rows: attachments.map(({ name, contents }) => [name, contents]),
    },
  ]
}

/** Explains terms that a reader may not know. */
export function glossaryBlocks({ texts }: Evidence): Block[] {
  const { heading: title, term, meaning, entries } = texts.glossary
  return [
    heading(title),
    {
      kind: 'table',
      columns: [
        { title: term, weight: 1 },
        { title: meaning, weight: 3 },
      ],
      rows: entries,
    },
  ]
}
