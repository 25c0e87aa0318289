/** Reads and writes `traceparent` (W3C Trace Context, 3.2). */
import { isSpanContextValid, TraceFlags, type SpanContext } from '@opentelemetry/api'

/** Later versions begin with the same members. */
const PATTERN = /^(?!ff)([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-[ -~]{1,200})?$/

/** @returns undefined when the text is not a `traceparent` */
export function parseTraceParent(text: string): SpanContext | undefined {
  const [, version, traceId = '', spanId = '', flags = '', more] = PATTERN.exec(text) ?? []
  if (version === undefined || (version === '00' && more !== undefined)) return undefined
  const traceFlags = Number.parseInt(flags, 16) & TraceFlags.SAMPLED
  const context = { traceId, spanId, traceFlags, isRemote: true }
  return isSpanContextValid(context) ? context : undefined
}

/** Writes a span as parent of others. */
export function formatTraceParent({ traceId, spanId, traceFlags }: SpanContext): string {
  const isSampled = (traceFlags & TraceFlags.SAMPLED) !== 0
  return `00-${traceId}-${spanId}-${isSampled ? '01' : '00'}`
}
