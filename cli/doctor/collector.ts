/** Checks for `sigcase doctor` that the collector of traces takes spans (OTLP over HTTP). */
import type { TracingConfig } from '../../runtime/config/tracing.ts'
import { ok, summariseError, warning, type Check } from './finding.ts'

const REQUEST_LIMIT_MS = 10_000
const NO_SPANS = JSON.stringify({ resourceSpans: [] })

/** Sends an export without spans. Cases do not depend on it, so a fault is a warning. */
export function collectorChecks(tracing: TracingConfig | undefined): Check[] {
  if (!tracing) return []
  const url = `${tracing.endpoint}/v1/traces`
  const remedy =
    'set OTEL_EXPORTER_OTLP_ENDPOINT to the base URL of OTLP over HTTP (port 4318, not the port ' +
    '4317 of gRPC), and let the network policy through (tracing.collectorAt)'
  const check: Check = {
    name: 'collector of traces',
    remedy,
    async ask() {
      const answer = await fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: NO_SPANS,
        redirect: 'manual',
        signal: AbortSignal.timeout(REQUEST_LIMIT_MS),
      }).catch((error: unknown) => summariseError(error))
      if (typeof answer === 'string') {
        return warning(`${url} does not answer (${answer}); traces are dropped`, remedy)
      }
      await answer.body?.cancel()
      if (answer.ok) return ok(`${url} takes spans`)
      return warning(`${url} answered ${answer.status}; traces are dropped`, remedy)
    },
  }
  return [check]
}
