/** Chooses the form of a validation report by the header `Accept` (RFC 9110, 12.5.1). */
import { JSON_TYPE, mediaTypeOf, PDF_TYPE, XML_TYPE } from '../domain/media-types.ts'
import type { ReportFileFormat, ReportFormat } from '../domain/verification.ts'

/** The files by the media types that ask for them. */
export const REPORT_FILES = {
  etsi: { mediaType: XML_TYPE, fileName: 'validation-report.xml' },
  pdf: { mediaType: PDF_TYPE, fileName: 'validation-report.pdf' },
} as const satisfies Record<ReportFileFormat, { mediaType: string; fileName: string }>

const FILE_FORMATS = Object.keys(REPORT_FILES) as ReportFileFormat[]
/** A weight from 0 to 1 with at most three decimals (RFC 9110, 12.4.2). */
const WEIGHT = /^\s*q\s*=\s*(0(?:\.\d{0,3})?|1(?:\.0{0,3})?)\s*$/i
const HAS_WEIGHT = /^\s*q\s*=/i

/** Weight of one media range: 1 without a weight, 0 with one that is not valid. */
function weightOf(range: string): number {
  const given = range
    .split(';')
    .slice(1)
    .find((part) => HAS_WEIGHT.test(part))
  return given === undefined ? 1 : Number(WEIGHT.exec(given)?.[1] ?? 0)
}

/** Weights by media range. */
function readAccept(accept: string): ReadonlyMap<string, number> {
  return new Map(accept.split(',').map((range) => [mediaTypeOf(range), weightOf(range)]))
}

/**
 * Returns the form that the client asks for. XML and PDF are chosen only when the client names
 * their type and prefers it to JSON, so that everything else gets JSON as before: no header,
 * ranges with `*`, types that the service does not have. A list with `text/html` comes from a
 * browser, which names XML without asking for it.
 *
 * @param accept value of the header
 */
export function chooseReportFormat(accept = ''): ReportFormat {
  const weights = readAccept(accept)
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
