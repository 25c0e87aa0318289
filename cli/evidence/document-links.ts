/** Checks links from the trail to the signed PDF: digests, signatures, certificates, consents. */
import { createHash } from 'node:crypto'
import { eventId } from '../../domain/cases/due-audit-events.ts'
import { validateSignatures, type SignatureReport } from '../../pades/index.ts'
import { SEAL_FIELD_NAME } from '../../workers/finalise/signers.ts'
import { prefixWithDigest } from './prefix.ts'
import { assertLeftAlone, assertPassed, endOf } from './signature.ts'
import { broken, dataOf, participantIds, theEntry, type Link, type Work } from './link-check.ts'

/** The digest in an entry, and the end of the part of the signed file with this digest. */
function locate(
  work: Work,
  type: 'document.uploaded' | 'case.finalised',
): { sha256: string; length: number } | undefined {
  const entry = theEntry(work, type)
  const sha256 = entry.documentSha256 ?? broken(`the entry ${type} names no digest`)
  const length = prefixWithDigest(work.signed, sha256, [dataOf(work, entry)['size']])
  return length === undefined ? undefined : { sha256, length }
}

function checkIssued(work: Work): string {
  const issued = locate(work, 'case.finalised')
  if (!issued) {
    const { documentSha256 } = theEntry(work, 'case.finalised')
    return broken(`the signed file differs from the one in the trail (SHA-256 ${documentSha256})`)
  }
  work.issued = issued
  const appended = work.signed.length - issued.length
  const later = appended > 0 ? `, ${appended} bytes were appended since` : ''
  return `SHA-256 ${issued.sha256}${later}`
}

function checkOriginal(work: Work): string {
  const original = locate(work, 'document.uploaded')
  if (!original) return broken('the signed file does not begin with the document that was uploaded')
  work.original = original
  return `its first ${original.length} bytes, SHA-256 ${original.sha256}`
}

/** Whether the field is the seal; its name has a number if the document already had a seal. */
const isSealField = (name: string) => name.replace(/-\d+$/, '') === SEAL_FIELD_NAME

async function checkSignatures(work: Work): Promise<string> {
  const { signed, anchors, now, original, issued } = work
  const report = await validateSignatures(signed, { trustAnchors: anchors, validationTime: now })
  const later = report.signatures.find((signature) => endOf(signature) > issued.length)
  if (later) broken(`signature ${later.fieldName} was added after the document was issued`)
  const own = report.signatures
    .filter((signature) => endOf(signature) > original.length)
    .sort((a, b) => endOf(a) - endOf(b))
  const seal = own.at(-1)
  if (!seal || !isSealField(seal.fieldName)) return broken('the last signature is not the seal')
  for (const signature of own) assertPassed(signature)
  assertLeftAlone(seal, report)
  work.own = own
  const foreign = report.signatures.length - own.length
  const before = foreign > 0 ? `; ${foreign} that the document had before are not judged` : ''
  return `${own.length - 1} of participants and the seal${before}`
}

/**
 * Event ids are deterministic, so the entry of a certificate can be found by its serial number even
 * after its personal values were erased.
 */
function isOfCertificate(
  work: Work,
  type: 'participant.certificate_issued' | 'participant.signature_applied',
  participantId: string,
  signature: SignatureReport,
): boolean {
  const serial = signature.signer?.serialNumber
  const expected = eventId(work.audit.caseId, type, participantId, serial)
  const entry = work.audit.entries.find((candidate) => candidate.eventId === expected)
  if (entry?.type !== type || entry.participantId !== participantId) return false
  const recorded = dataOf(work, entry)['certificateSerial']
  return recorded === undefined || recorded === serial
}

function checkCertificates(work: Work): string {
  const participants = participantIds(work)
  const waiting = new Set(participants)
  const byParticipants = work.own.slice(0, -1)
  for (const signature of byParticipants) {
    const { fieldName, signer } = signature
    // A participant can sign several fields with one certificate (decision 4).
    const owner = participants.find((id) =>
      isOfCertificate(work, 'participant.certificate_issued', id, signature),
    )
    if (owner === undefined) {
      return broken(
        `the certificate of signature ${fieldName} (serial number ${signer?.serialNumber}) ` +
          'is not in the trail',
      )
    }
    if (!isOfCertificate(work, 'participant.signature_applied', owner, signature)) {
      broken(`the trail has no entry for signature ${fieldName} in the document`)
    }
    if (!signer?.subject.includes(owner)) {
      broken(`the certificate of signature ${fieldName} names another participant than ${owner}`)
    }
    waiting.delete(owner)
  }
  const [missing] = waiting
  if (missing !== undefined) broken(`participant ${missing} has no signature in the document`)
  return `${participants.length} certificates`
}

function checkConsents(work: Work): string {
  const { sha256 } = work.original
  const participants = participantIds(work)
  for (const participantId of participants) {
    const consented = theEntry(work, 'participant.consented', participantId)
    const signed = theEntry(work, 'participant.signed', participantId)
    for (const { type, documentSha256 } of [consented, signed]) {
      if (documentSha256 !== sha256) {
        broken(`the entry ${type} of participant ${participantId} is for another document`)
      }
    }
    if (consented.sequence > signed.sequence) {
      broken(`participant ${participantId} signed before consenting`)
    }
  }
  return `${participants.length} participants`
}

const sha256Of = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

/** The checks before this one prove consistency; this one proves the issuer. */
function checkRoot({ trust, anchors }: Work): string {
  const digests = anchors.map(sha256Of).join(', ')
  if (trust) return `${trust.origin}, SHA-256 ${digests}`
  return broken(
    `the root (SHA-256 ${digests}) is only what the evidence itself declares: have the operator ` +
      'of the service confirm it, and give its certificate with --trust',
  )
}

/** Checks in order; each relies on the previous ones and on those of the trail. */
export const DOCUMENT_LINKS: readonly Link[] = [
  { name: 'the signed file is the one that was issued', check: checkIssued },
  { name: 'the signed file begins with the uploaded document', check: checkOriginal },
  { name: 'the signatures in the signed file are valid', check: checkSignatures },
  { name: 'each signature belongs to one participant', check: checkCertificates },
  { name: 'every participant consented and signed this document', check: checkConsents },
  { name: 'the root certificate is a trusted one', check: checkRoot },
]
