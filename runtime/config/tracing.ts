/** Reads where traces are exported to. */
import type { EnvironmentReader } from './reader.ts'

export interface TracingConfig {
  /** Base URL of the collector (OTLP over HTTP), without a slash at its end. */
  endpoint: string
  /** Share of the traces that is exported, from 0 to 1. */
  share: number
}

/** @returns undefined when no collector is configured; nothing is traced then */
export function readTracing(reader: EnvironmentReader): TracingConfig | undefined {
  const endpoint = reader.get('OTEL_EXPORTER_OTLP_ENDPOINT')
  const share = Number(reader.get('OTEL_TRACES_SAMPLER_ARG'))
  return endpoint === undefined ? undefined : { endpoint, share }
}
