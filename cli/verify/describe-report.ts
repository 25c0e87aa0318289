/** Formats a validation report as text for a terminal. */
import type { ValidationReport } from '../../pades/index.ts'
import { CHANGES } from '../../workers/verification-report/printed-report.ts'

type Signature = ValidationReport['signatures'][number]
type DocumentTimeStamp = ValidationReport['documentTimestamps'][number]

const COVERS = {
  ENTIRE_FILE: 'the whole file',
  ENTIRE_REVISION: 'the whole document at the time of signing',
  PARTIAL: 'not all of the document',
} as const

const MODIFIED = {
  none: 'not changed since',
  permitted: 'changed since in permitted ways only',
  notPermitted: 'CHANGED since in ways that are not permitted',
  unknown: 'changes since are unknown',
} as const

/** Characters in names from the PDF that could move the cursor or reorder text. */
const CONTROLS = /[\p{Cc}\p{Bidi_Control}]/gu
const printable = (text: string) => text.replace(CONTROLS, '?')

const row = (name: string, value: string) => `  ${name.padEnd(12)}${printable(value)}`

function verdictOf({ indication, subIndication }: Signature | DocumentTimeStamp): string {
  return subIndication === undefined ? indication : `${indication} (${subIndication})`
}

function findingsOf({ errors, warnings }: Signature | DocumentTimeStamp): string[] {
  return [
    ...errors.map(({ key, text }) => row('error', `${key}: ${text}`)),
    ...warnings.map(({ key, text }) => row('warning', `${key}: ${text}`)),
  ]
}

const infosOf = ({ infos }: Signature): string[] =>
  infos.map(({ key, text }) => row('info', `${key}: ${text}`))

function bodyOf({ integrity, modifications }: Signature | DocumentTimeStamp): string[] {
  return [
    row('covers', COVERS[integrity.coverage]),
    row('since then', CHANGES[modifications.level]),
    ...modifications.changes
      .filter(({ permitted }) => !permitted)
      .map(({ object, path, action }) => row('', `object ${object} ${action} ${path}`.trim())),
  ]
}

function signatureLines(signature: Signature): string[] {
  const { id, fieldName, level, signer, bestSignatureTime, claimedSigningTime } = signature
  const anchor = signature.certificateChain.at(-1)
  return [
    `${id} "${printable(fieldName)}": ${verdictOf(signature)}`,
    row('level', level),
    row('signer', signer?.subject ?? 'unknown'),
    row('trusted by', anchor?.trustAnchor ? anchor.subject : 'no root'),
    row('proven by', bestSignatureTime),
    row('claimed at', claimedSigningTime ?? 'no time'),
    ...bodyOf(signature),
    ...signature.timestamps.map((one) =>
      row('time-stamp', `${one.productionTime ?? '?'} ${one.indication} ${one.tsa ?? ''}`),
    ),
    ...findingsOf(signature),
    ...infosOf(signature),
  ]
}

function timeStampLines(timeStamp: DocumentTimeStamp): string[] {
  const { id, fieldName, productionTime, tsa } = timeStamp
  return [
    `${id} "${printable(fieldName)}", time-stamp of the document: ${verdictOf(timeStamp)}`,
    row('made', productionTime ?? '?'),
    row('by', tsa ?? 'unknown'),
    ...bodyOf(timeStamp),
    ...findingsOf(timeStamp),
  ]
}

function describePolicy({ id, version, formFilling, sha256 }: ValidationReport['policy']): string {
  const digest = sha256 === undefined ? '' : `, SHA-256 ${sha256}`
  return `${id} ${version}, form filling ${formFilling}${digest}`
}

/**
 * @param name name of the file
 * @param trusted description of the trusted roots
 */
export function describeReport(name: string, report: ValidationReport, trusted: string): string {
  const { summary, document, signatures, documentTimestamps } = report
  const count = `${summary.validSignaturesCount} of ${summary.signaturesCount} signatures valid`
  const modified = MODIFIED[summary.documentModifiedAfterSigning]
  // Without a signature there is no signed state to compare with.
  const verdict = summary.indication
    ? `${summary.indication}; ${count}; ${modified}`
    : 'no signature'
  const { sha256, size, revisions } = document
  const { policy } = report
  const tail = document.unsignedTailBytes
  return [
    `${name}: ${verdict}`,
    row('trusted', trusted),
    row('at', report.validationTime),
    row('policy', describePolicy(policy)),
    row('file', `${size} bytes, ${revisions} revisions, SHA-256 ${sha256}`),
    ...(tail > 0 ? [row('', `${tail} bytes at its end are not part of a revision`)] : []),
    ...signatures.flatMap((one) => ['', ...signatureLines(one)]),
    ...documentTimestamps.flatMap((one) => ['', ...timeStampLines(one)]),
  ].join('\n')
}
