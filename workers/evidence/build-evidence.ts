/** Builds the unsealed evidence PDF of a finished case: who signed what, when and how. */
import type { Opening } from '../../domain/audit/entry.ts'
import { CONSENT_TEXTS, consentLanguages, type ConsentText } from '../../domain/consent.ts'
import type { Language } from '../../domain/cases/definition.ts'
import { DEFAULT_TIME_ZONE } from '../../domain/local-time.ts'
import { pemOfCertificate } from '../../domain/pem.ts'
import { composeDocument, type Attachment, type DocumentContent } from '../../pades/index.ts'
import { AUDIT_FILE_NAME, auditFile, embeddedEntries, encodeAuditFile } from './audit-file.ts'
import type { Evidence, EvidenceInput } from './input.ts'
import {
  aboutBlocks,
  caseBlocks,
  consentBlocks,
  documentBlocks,
  glossaryBlocks,
  timelineBlocks,
  verificationBlocks,
  type AttachmentLine,
} from './sections.ts'
import { participantBlocks } from './participants.ts'
import { logoBlocks } from './pictures.ts'
import { EVIDENCE_TEXTS } from './texts.ts'

const AUTHOR = 'sigcase'
/** Attachment with the root certificate. It is a convenience and proves nothing by itself. */
export const ROOT_FILE_NAME = 'root.pem'

/** Slovak when every signer uses Slovak, otherwise English. */
function evidenceLanguage(languages: readonly Language[]): Language {
  return languages.every((language) => language === 'sk') ? 'sk' : 'en'
}

/** Name of the attachment that holds a consent text; newer versions end with their language. */
export const consentFileName = (version: string, language: Language) =>
  version.endsWith(`-${language}`) ? `consent-${version}.txt` : `consent-${version}-${language}.txt`

function acceptedConsents({ view }: EvidenceInput): readonly ConsentText[] {
  const versions = new Set(view.participants.map(({ signature }) => signature?.consent.textVersion))
  return CONSENT_TEXTS.filter(({ version }) => versions.has(version))
}

interface AttachedFile extends AttachmentLine {
  file: Attachment
}

function attachmentsOf(evidence: Evidence): AttachedFile[] {
  const { input, entries, openings, consents, texts } = evidence
  const { namespace: tenant, name: caseId } = input.signatureCase.metadata
  const { createdAt } = input
  const attached = (
    name: string,
    contents: string,
    mediaType: string,
    bytes: Uint8Array,
    relationship: Attachment['relationship'],
  ): AttachedFile => ({
    name,
    contents,
    file: { name, mediaType, bytes, description: contents, createdAt, relationship },
  })
  const text = (name: string, contents: string, mediaType: string, value: string) =>
    attached(name, contents, mediaType, new TextEncoder().encode(value), 'Supplement')
  const trail = encodeAuditFile(auditFile({ tenant, caseId }, entries, openings))
  return [
    attached(AUDIT_FILE_NAME, texts.verification.auditFile, 'application/json', trail, 'Data'),
    text(
      ROOT_FILE_NAME,
      texts.verification.rootFile,
      'application/x-pem-file',
      pemOfCertificate(input.rootCertificate),
    ),
    ...consents.flatMap(({ version, texts: words }) =>
      consentLanguages(version).map((language) =>
        text(
          consentFileName(version, language),
          texts.verification.consentFile(version, language),
          'text/plain',
          `${words[language]}\n`,
        ),
      ),
    ),
  ]
}

function gather(input: EvidenceInput): Evidence {
  const language = evidenceLanguage(
    input.view.participants.map(({ definition }) => definition.language),
  )
  const entries = embeddedEntries(input.trail.entries)
  const openings: Readonly<Record<string, Opening>> = input.trail.openings
  return {
    input,
    language,
    timeZone: input.timeZone ?? DEFAULT_TIME_ZONE,
    texts: EVIDENCE_TEXTS[language],
    entries,
    openings,
    consents: acceptedConsents(input),
  }
}

/**
 * Builds the content of the evidence: its purpose, the document with both digests, the case, every
 * participant, the timeline in UTC, the consent text, how to verify it, and a glossary.
 * `audit.json`, the root certificate and the consent texts are attachments.
 */
export function evidenceContent(input: EvidenceInput): DocumentContent {
  const evidence = gather(input)
  const { texts, language } = evidence
  const { definition } = input.signatureCase.spec
  const attachments = attachmentsOf(evidence)
  return {
    language,
    title: texts.documentTitle,
    subject: definition.title,
    author: AUTHOR,
    createdAt: input.createdAt,
    header: definition.title,
    footer: texts.footer(input.signatureCase.metadata.name),
    blocks: [
      ...logoBlocks(evidence),
      ...aboutBlocks(evidence),
      ...documentBlocks(evidence),
      ...caseBlocks(evidence),
      ...participantBlocks(evidence, consentFileName),
      ...timelineBlocks(evidence),
      ...consentBlocks(evidence),
      ...verificationBlocks(evidence, attachments),
      ...glossaryBlocks(evidence),
    ],
    attachments: attachments.map(({ file }) => file),
  }
}

/**
 * Builds the evidence PDF, see {@link evidenceContent}.
 *
 * @returns the file, unsigned
 * @throws PadesError `CONTENT_TOO_LARGE` - see `composeDocument`
 */
export async function buildEvidence(input: EvidenceInput): Promise<Uint8Array> {
  return composeDocument(evidenceContent(input))
}
