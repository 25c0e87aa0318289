/** Chooses the form of a validation report by the header `Accept` (RFC 9110, 12.5.1). */
import { JSON_TYPE, PDF_TYPE, XML_TYPE } from '../domain/media-types.ts'
import type { ReportFileFormat, ReportFormat } from '../domain/verification.ts'
import { acceptWeights } from './accept.ts'

/** The files by the media types that ask for them. */
export const REPORT_FILES = {
  etsi: { mediaType: XML_TYPE, fileName: 'validation-report.xml' },
  pdf: { mediaType: PDF_TYPE, fileName: 'validation-report.pdf' },
} as const satisfies Record<ReportFileFormat, { mediaType: string; fileName: string }>

const FILE_FORMATS = Object.keys(REPORT_FILES) as ReportFileFormat[]
/**
 * Returns the form that the client asks for. XML and PDF are chosen only when the client names
 * their type and prefers it to JSON, so that everything else gets JSON as before: no header,
 * ranges with `*`, types that the service does not have. A list with `text/html` comes from a
 * browser, which names XML without asking for it.
 *
 * @param accept value of the header
 */
export function chooseReportFormat(accept = ''): ReportFormat {
  const weights = acceptWeights(accept)
  if (weights.has('text/html')) return 'json'
  const json = weights.get(JSON_TYPE) ?? weights.get('application/*') ?? weights.get('*/*') ?? 0
  let chosen: ReportFormat = 'json'
  let highest = json
  for (const format of FILE_FORMATS) {
    const weight = weights.get(REPORT_FILES[format].mediaType) ?? 0
    if (weight > highest) [chosen, highest] = [format, weight]
  }
  return chosen
}
