/** Composes a validation report as a PDF that people can print and file. */
import type { CoreReport, ValidationReport } from '../../domain/contract/validation-report.ts'
import { composeDocument, type Block, type DocumentContent } from '../../pades/index.ts'
import { rows, type Row } from '../evidence/rows.ts'
import { utc } from '../evidence/utc.ts'

/** Members that only the service adds are optional: the command line has reports without them. */
type AnyReport = CoreReport &
  Pick<ValidationReport, 'summary'> &
  Partial<Pick<ValidationReport, 'issuedByService' | 'trustedLists'>>
type Signature = CoreReport['signatures'][number] &
  Partial<Pick<ValidationReport['signatures'][number], 'qualification'>>
type DocumentTimeStamp = CoreReport['documentTimestamps'][number]
type Result = Signature | DocumentTimeStamp
type TableColumns = Extract<Block, { kind: 'table' }>['columns']

/** Signatures and document time-stamps that are printed; the other forms have all of them. */
const MAXIMUM_PRINTED = 100
/** Longer texts, which come from the PDF, are cut off. */
const MAXIMUM_TEXT_LENGTH = 300
/** The same in a table, whose columns are narrow. */
const MAXIMUM_CELL_LENGTH = 150
/**
 * Rows of one table. With {@link MAXIMUM_PRINTED} it keeps a report of a hostile PDF within the
 * limits of `composeDocument`.
 */
const MAXIMUM_TABLE_ROWS = 12

const heading = (text: string): Block => ({ kind: 'heading', level: 1, text })
const subheading = (text: string): Block => ({ kind: 'heading', level: 2, text })
const paragraph = (text: string): Block => ({ kind: 'paragraph', text })

const shortened = (text: string, length = MAXIMUM_TEXT_LENGTH) =>
  text.length > length ? `${text.slice(0, length)}…` : text

/** Builds a table, and a sentence about the rows that are left out. */
function tableBlocks(columns: TableColumns, cells: readonly (readonly string[])[]): Block[] {
  if (cells.length === 0) return []
  const left = cells.length - MAXIMUM_TABLE_ROWS
  const shown = cells
    .slice(0, MAXIMUM_TABLE_ROWS)
    .map((row) => row.map((text) => shortened(text, MAXIMUM_CELL_LENGTH)))
  return [
    { kind: 'table', columns, rows: shown },
    ...(left > 0 ? [paragraph(`${left} more are in the JSON and XML forms of this report.`)] : []),
  ]
}

const indicationOf = ({
  indication,
  subIndication,
}: Pick<Result, 'indication' | 'subIndication'>) =>
  subIndication === undefined ? indication : `${indication} (${subIndication})`

const COVERAGES = {
  ENTIRE_FILE: 'the whole file',
  ENTIRE_REVISION: 'the whole document at the time of signing',
  PARTIAL: 'not the whole document',
} as const

/** What later revisions changed, in words. */
export const CHANGES = {
  NONE: 'nothing was changed',
  LTA_UPDATES: 'validation data or time-stamps were added',
  FORM_FILLING: 'further signatures or form entries were added',
  ANNOTATIONS: 'annotations were added',
  OTHER: 'THE DOCUMENT WAS CHANGED',
} as const

const MODIFIED = {
  none: 'not changed after signing',
  permitted: 'changed after signing in permitted ways only',
  notPermitted: 'CHANGED after signing in ways that are not permitted',
  unknown: 'it cannot be determined whether it was changed after signing',
} as const

function summaryOf({ summary, document }: AnyReport): string {
  const { indication, signaturesCount, validSignaturesCount } = summary
  const count = `${validSignaturesCount} of ${signaturesCount} signatures are valid.`
  const state = `The document is ${MODIFIED[summary.documentModifiedAfterSigning]}.`
  const subject = `This report is about the PDF file with the SHA-256 digest ${document.sha256}.`
  return indication === undefined
    ? `No signature was found. ${subject}`
    : `${indication}. ${count} ${state} ${subject}`
}

function yesOrNo(value: boolean | undefined): string | undefined {
  if (value === undefined) return undefined
  return value ? 'yes' : 'no'
}

function documentBlocks({ document, policy, validationTime, ...report }: AnyReport): Block[] {
  const { issuedByService, trustedLists } = report
  const lists =
    trustedLists &&
    `sequence ${trustedLists.sequence}, ${trustedLists.stale ? 'some are outdated' : 'up to date'}`
  return [
    heading('Document and policy'),
    rows([
      ['SHA-256', document.sha256, 'mono'],
      ['Size in bytes', String(document.size)],
      ['Revisions', String(document.revisions)],
      ['Bytes behind the last revision', String(document.unsignedTailBytes)],
      ['Validated at', utc(validationTime)],
      ['Policy', `${policy.id}, version ${policy.version}`],
      ['SHA-256 of the policy', policy.sha256, 'mono'],
      ['Form filling after signing', policy.formFilling],
      ['Issued by this service', yesOrNo(issuedByService)],
      ['EU trusted lists', lists],
    ]),
    ...(report.summary.remarks ?? []).map(({ message }) => paragraph(`${message}.`)),
  ]
}

function findingsBlocks(result: Result): Block[] {
  const lines = [
    ...result.errors.map(({ key, text }) => ['error', key, text]),
    ...result.warnings.map(({ key, text }) => ['warning', key, text]),
    ...('infos' in result ? result.infos.map(({ key, text }) => ['info', key, text]) : []),
  ]
  const columns = [
    { title: 'Finding', weight: 1 },
    { title: 'Key', weight: 3 },
    { title: 'Explanation', weight: 5 },
  ]
  return tableBlocks(columns, lines)
}

function bodyRows({ integrity, modifications }: Result): Row[] {
  const changes = modifications.changes.filter(({ permitted }) => !permitted)
  const lines = changes.map(({ object, path, action }) => `object ${object} ${path} ${action}`)
  return [
    ['Covers', COVERAGES[integrity.coverage]],
    ['Afterwards', CHANGES[modifications.level]],
    ['Not permitted', lines.length > 0 ? shortened(lines.join('; ')) : undefined],
  ]
}

function chainBlock({ certificateChain }: Pick<Result, 'certificateChain'>): Block[] {
  const columns = [
    { title: 'Certificate', weight: 3 },
    { title: 'SHA-256', weight: 3, mono: true },
    { title: 'Trusted by', weight: 1 },
  ]
  const lines = certificateChain.map(({ subject, sha256, trustAnchor }) => [
    subject,
    sha256,
    trustAnchor?.source ?? '',
  ])
  return tableBlocks(columns, lines)
}

function signatureBlocks(signature: Signature): Block[] {
  const { signer, timestamps, qualification, claimedSigningTime } = signature
  const stamps = timestamps.map(({ productionTime, indication, tsa = 'unknown authority' }) => {
    const time = productionTime === undefined ? 'no time' : utc(productionTime)
    return `${time}, ${indication}, ${tsa}`
  })
  return [
    subheading(`${signature.id}: ${shortened(signature.fieldName)}`),
    rows([
      ['Result', indicationOf(signature)],
      ['Level', signature.level],
      ['Qualification', qualification?.level],
      ['Signer', shortened(signer?.subject ?? 'unknown')],
      ['Certificate number', signer && shortened(signer.serialNumber), 'mono'],
      ['Certificate valid', signer && `${utc(signer.notBefore)} to ${utc(signer.notAfter)}`],
      ['Proven to exist at', utc(signature.bestSignatureTime)],
      ['Claimed signing time', claimedSigningTime && utc(claimedSigningTime)],
      ['Time-stamps', stamps.length > 0 ? shortened(stamps.join('; ')) : undefined],
      ['Algorithm', signature.integrity.signatureAlgorithm],
      ...bodyRows(signature),
    ]),
    ...chainBlock(signature),
    ...findingsBlocks(signature),
  ]
}

function timeStampBlocks(stamp: DocumentTimeStamp): Block[] {
  return [
    subheading(`${stamp.id}: ${shortened(stamp.fieldName)}, time-stamp of the document`),
    rows([
      ['Result', indicationOf(stamp)],
      ['Time', stamp.productionTime && utc(stamp.productionTime)],
      ['Authority', stamp.tsa && shortened(stamp.tsa)],
      ['Qualification', stamp.qualification],
      ...bodyRows(stamp),
    ]),
    ...chainBlock(stamp),
    ...findingsBlocks(stamp),
  ]
}

function resultBlocks({ signatures, documentTimestamps }: AnyReport): Block[] {
  const count = signatures.length + documentTimestamps.length
  const printed = signatures.slice(0, MAXIMUM_PRINTED)
  const stamps = documentTimestamps.slice(0, MAXIMUM_PRINTED - printed.length)
  const left = count - MAXIMUM_PRINTED
  return [
    ...(count > 0 ? [heading('Signatures and time-stamps')] : []),
    ...printed.flatMap(signatureBlocks),
    ...stamps.flatMap(timeStampBlocks),
    ...(left > 0 ? [paragraph(`${left} more are in the JSON and XML forms of this report.`)] : []),
  ]
}

const ABOUT =
  'The terms are those of ETSI EN 319 102-1. TOTAL_PASSED: the signature is valid. TOTAL_FAILED: ' +
  'it is not valid. INDETERMINATE: the available information does not permit a decision. All ' +
  'times are in Coordinated Universal Time (UTC). This printed form carries no signature itself. ' +
  'The XML form of this report (ETSI TS 119 102-2) can carry the seal of the service.'

/** Builds the content of the printed report, in English. */
export function printedContent(report: AnyReport): DocumentContent {
  return {
    language: 'en',
    title: 'Validation report',
    author: 'sigcase',
    createdAt: new Date(report.validationTime),
    footer: `Validation report, ${report.document.sha256.slice(0, 16)}`,
    blocks: [
      { kind: 'callout', title: 'Result', text: summaryOf(report) },
      ...documentBlocks(report),
      ...resultBlocks(report),
      heading('About this report'),
      paragraph(ABOUT),
    ],
    attachments: [],
  }
}

/**
 * Composes the printed report.
 *
 * @returns the PDF, unsigned
 * @throws PadesError `CONTENT_TOO_LARGE` - see `composeDocument`
 */
export const printReport = (report: AnyReport): Promise<Uint8Array> =>
  composeDocument(printedContent(report))
