/** Writes the report on an upload as the file that the caller of `POST /verify` asked for. */
import { Buffer } from 'node:buffer'
import type { ValidationReport } from '../../domain/contract/validation-report.ts'
import type { ReportFileFormat } from '../../domain/verification.ts'
import { writeEtsiReport, XML_DECLARATION } from './etsi-report.ts'
import { printReport } from './printed-report.ts'

/** A report, and what its file is made from beside it. */
interface ReportFileSource {
  readonly report: ValidationReport
  /** DER of the certificates in the report's chains. */
  readonly certificates: readonly Uint8Array[]
}

/**
 * Writes the file. It is not signed: a request that anyone can send must not use a signing key.
 *
 * @param format `etsi` for XML (ETSI TS 119 102-2), `pdf` for the printable form
 * @returns the octets of the file; XML is in UTF-8
 */
export async function writeReportFile(
  format: ReportFileFormat,
  source: ReportFileSource,
): Promise<Uint8Array> {
  if (format === 'pdf') return printReport(source.report)
  return Buffer.from(`${XML_DECLARATION}${writeEtsiReport(source)}\n`)
}
