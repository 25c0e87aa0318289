/** Sends spans to a collector by OTLP over HTTP, in JSON, and reports whether that works. */
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import type { ReadableSpan, SpanExporter } from '@opentelemetry/sdk-trace'

/** One request to the collector, with its retries. */
const EXPORT_LIMIT_MS = 5_000
/** Requests at a time; a full queue is four batches, which the end of a process sends at once. */
const CONCURRENCY = 8
const TRACES_PATH = '/v1/traces'

export interface ExportReports {
  /** Called for a batch that the collector did not accept; it is lost. */
  onFailed(error: unknown): void
  onSucceeded(): void
}

/** The exporter of the SDK, which reports the result of each batch. */
export class ReportingExporter implements SpanExporter {
  readonly #exporter: OTLPTraceExporter
  readonly #reports: ExportReports

  /** @param endpoint base URL of the collector, without a slash at its end */
  constructor(endpoint: string, reports: ExportReports) {
    this.#exporter = new OTLPTraceExporter({
      url: `${endpoint}${TRACES_PATH}`,
      timeoutMillis: EXPORT_LIMIT_MS,
      concurrencyLimit: CONCURRENCY,
    })
    this.#reports = reports
  }

  export(spans: ReadableSpan[], onResult: Parameters<SpanExporter['export']>[1]): void {
    this.#exporter.export(spans, (result) => {
      if (result.error) this.#reports.onFailed(result.error)
      else this.#reports.onSucceeded()
      onResult(result)
    })
  }

  shutdown(): Promise<void> {
    return this.#exporter.shutdown()
  }

  forceFlush(): Promise<void> {
    return this.#exporter.forceFlush()
  }
}
