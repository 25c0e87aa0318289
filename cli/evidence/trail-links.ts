/** Checks links within the evidence PDF: its seal, its trail, and the consent texts. */
import { createHash } from 'node:crypto'
import { entryHash, findChainFault, hasErased } from '../../domain/audit/entry.ts'
import { CONSENT_TEXTS, consentLanguages } from '../../domain/consent.ts'
import { certificatesOfPem } from '../../domain/pem.ts'
import { embeddedFiles, validateSignatures } from '../../pades/index.ts'
import { AUDIT_FILE_NAME, LAST_EMBEDDED_TYPE } from '../../workers/evidence/audit-file.ts'
import { consentFileName, ROOT_FILE_NAME } from '../../workers/evidence/build-evidence.ts'
import { OWN_LEVEL } from '../../workers/finalise/own-output.ts'
import { SEAL_FIELD_NAME } from '../../workers/finalise/signers.ts'
import { readAuditFile } from './audit-json.ts'
import { assertLeftAlone, assertPassed } from './signature.ts'
import { broken, dataOf, entriesOf, theEntry, type Link, type Work } from './work.ts'

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error))

function attachment(work: Work, name: string): Uint8Array {
  return work.attachments.get(name) ?? broken(`the evidence has no attachment ${name}`)
}

function carriesTrail(pdf: Uint8Array): boolean {
  try {
    return embeddedFiles(pdf).has(AUDIT_FILE_NAME)
  } catch {
    return false
  }
}

function readAttachments(work: Work): string {
  try {
    work.attachments = embeddedFiles(work.evidence)
  } catch (error) {
    return broken(`the evidence cannot be read: ${messageOf(error)}`)
  }
  if (!work.attachments.has(AUDIT_FILE_NAME) && carriesTrail(work.signed)) {
    broken('the two files are swapped: first the evidence, then the signed PDF')
  }
  const declared = new TextDecoder().decode(work.attachments.get(ROOT_FILE_NAME))
  work.anchors = work.trust?.certificates ?? certificatesOfPem(declared)
  return [...work.attachments.keys()].join(', ') || 'none'
}

/**
 * Evidence must have exactly one signature, the seal. A signed PDF has a seal too, and a tenant
 * could make it look like evidence, but it also has signatures of participants.
 */
async function checkSeal({ evidence, anchors, now }: Work): Promise<string> {
  const report = await validateSignatures(evidence, { trustAnchors: anchors, validationTime: now })
  const [seal, another] = report.signatures
  if (!seal) return broken('the evidence has no seal')
  if (another) broken('the evidence has other signatures besides the seal of the service')
  if (seal.fieldName !== SEAL_FIELD_NAME) broken('the evidence is signed, but not by the seal')
  const { time } = assertPassed(seal)
  assertLeftAlone(seal, report)
  // The service issues no evidence with a lower level, so somebody removed the end of the file.
  if (seal.level !== OWN_LEVEL) {
    broken(`the evidence was sealed as ${OWN_LEVEL} and is ${seal.level}: its end was cut off`)
  }
  return `by ${seal.signer?.subject}, time-stamped ${time}`
}

function checkChain(work: Work): string {
  try {
    work.audit = readAuditFile(attachment(work, AUDIT_FILE_NAME))
  } catch (error) {
    return broken(`${AUDIT_FILE_NAME}: ${messageOf(error)}`)
  }
  const { entries, openings, head } = work.audit
  const fault = findChainFault(entries, openings)
  if (fault) broken(`audit entry ${fault.sequence}: ${fault.fault}`)
  const last = entries.at(-1)
  if (!last || head.sequence !== last.sequence || head.hash !== entryHash(last)) {
    broken('the head of the trail is not its last entry')
  }
  const known = new Set(entries.map(({ eventId }) => eventId))
  const stray = Object.keys(openings).find((eventId) => !known.has(eventId))
  if (stray !== undefined) broken(`values of ${stray} do not belong to an entry`)
  const erased = entries.filter((entry) => hasErased(entry, openings[entry.eventId])).length
  const values = erased > 0 ? `, personal values of ${erased} erased` : ''
  return `${entries.length} entries${values}, head ${head.hash}`
}

function checkOneCase(work: Work): string {
  const { tenant, caseId, entries } = work.audit
  const [first] = entries
  if (first?.tenant !== tenant || first.caseId !== caseId) {
    broken('the trail belongs to another case than the evidence')
  }
  if (first.type !== 'case.created') broken('the trail does not begin with case.created')
  theEntry(work, 'case.created')
  theEntry(work, LAST_EMBEDDED_TYPE)
  if (entries.at(-1)?.type !== LAST_EMBEDDED_TYPE) {
    broken(`the trail does not end with ${LAST_EMBEDDED_TYPE}`)
  }
  return `case ${caseId} of ${tenant}`
}

function checkConsentTexts(work: Work): string {
  const versions = entriesOf(work, 'participant.consented').flatMap((entry) => {
    const version = dataOf(work, entry)['textVersion']
    return version === undefined ? [] : [String(version)]
  })
  const digests = [...new Set(versions)].flatMap((version) => {
    const published = CONSENT_TEXTS.find((text) => text.version === version)
    if (!published) return broken(`consent text ${version} was never published`)
    return consentLanguages(version).map((language) => {
      const name = consentFileName(version, language)
      const bytes = attachment(work, name)
      if (new TextDecoder().decode(bytes) !== `${published.texts[language]}\n`) {
        broken(`${name} differs from the published text`)
      }
      return `${name} ${createHash('sha256').update(bytes).digest('hex').slice(0, 16)}…`
    })
  })
  return digests.join(', ') || 'the versions were erased from the trail'
}

/** Checks in order; each relies on the previous ones. */
export const TRAIL_LINKS: readonly Link[] = [
  { name: 'the evidence carries its attachments', check: readAttachments },
  { name: 'the evidence is sealed and unchanged', check: checkSeal },
  { name: 'the audit trail is one whole chain', check: checkChain },
  { name: 'the audit trail is of one finished case', check: checkOneCase },
  { name: 'the consent texts are those that were published', check: checkConsentTexts },
]
