/** Chooses the format of a scrape, and writes metrics in the OpenMetrics format, version 1.0.0. */
import { Registry } from 'prom-client'

/** An answer to a scrape. */
export interface Exposition {
  type: string
  text: string
}

const OPENMETRICS_MEDIA_TYPE = 'application/openmetrics-text'
const TEXT_MEDIA_TYPES: readonly string[] = ['text/plain', 'text/*', '*/*']

/** Returns the highest weight that an `Accept` header gives to one of the media types. */
function weightOf(accept: string, mediaTypes: readonly string[]): number {
  const weights = accept.split(',').map((range) => {
    const [mediaType = '', ...parameters] = range.toLowerCase().split(';')
    if (!mediaTypes.includes(mediaType.trim())) return 0
    const weight = parameters.map((part) => part.trim()).find((part) => part.startsWith('q='))
    return weight === undefined ? 1 : Number(weight.slice(2)) || 0
  })
  return Math.max(0, ...weights)
}

/** Whether the scraper asks for OpenMetrics, and likes it at least as much as the text format. */
export function prefersOpenMetrics(accept: string | undefined): boolean {
  const weight = weightOf(accept ?? '', [OPENMETRICS_MEDIA_TYPE])
  return weight > 0 && weight >= weightOf(accept ?? '', TEXT_MEDIA_TYPES)
}

/**
 * Converts the Prometheus text format: a counter's family has no `_total`, there are no empty
 * lines, and the last line is `# EOF`. The registry of prom-client has one format for all scrapes,
 * and renames its counters for ever when it writes OpenMetrics.
 */
export function convertToOpenMetrics(text: string): string {
  const counters = new Set(
    [...text.matchAll(/^# TYPE (\w+)_total counter$/gm)].map(([, family]) => family),
  )
  const lines = text.split('\n').filter((line) => line !== '')
  const converted = lines.map((line) =>
    line.replace(/^(# (?:HELP|TYPE) )(\w+)_total /, (found, start: string, family: string) =>
      counters.has(family) ? `${start}${family} ` : found,
    ),
  )
  return [...converted, '# EOF', ''].join('\n')
}

/** Puts metrics in the Prometheus text format into the format that the scraper asks for. */
export function formatFor(accept: string | undefined, text: string): Exposition {
  return prefersOpenMetrics(accept)
    ? { type: Registry.OPENMETRICS_CONTENT_TYPE, text: convertToOpenMetrics(text) }
    : { type: Registry.PROMETHEUS_CONTENT_TYPE, text }
}
