/** Traces with the SDK of OpenTelemetry; on Node and on Deno, without global state of the SDK. */
import { AsyncLocalStorage } from 'node:async_hooks'
import {
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
  type Context,
  type Span as SdkSpan,
  type Tracer as SdkTracer,
} from '@opentelemetry/api'
import { resourceFromAttributes } from '@opentelemetry/resources'
import { BatchSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace'
import type { Span, SpanAttributes, SpanOptions, Tracer } from '../../domain/ports/tracing.ts'
import { ReportingExporter, type ExportReports } from './otlp-exporter.ts'
import { FROM_OUTSIDE, ShareSampler } from './share-sampler.ts'
import { formatTraceParent, parseTraceParent } from './trace-parent.ts'

/** Further spans are dropped until a batch has been sent; about 3 MB. */
const MAXIMUM_QUEUED_SPANS = 2_048
const MAXIMUM_BATCH_SPANS = 512
const BATCH_DELAY_MS = 1_000
const BATCH_LIMIT_MS = 10_000
/** Ids and words of the code are shorter. */
const MAXIMUM_VALUE_LENGTH = 128
const MAXIMUM_LINKS = 8
/** Time for the last batch when the process ends; then it is lost. */
const FLUSH_LIMIT_MS = 1_000

const KINDS = {
  internal: SpanKind.INTERNAL,
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  producer: SpanKind.PRODUCER,
  consumer: SpanKind.CONSUMER,
}

export interface TracerOptions extends ExportReports {
  /** Base URL of the collector, without a slash at its end. */
  endpoint: string
  /** Share of the traces that is exported, from 0 to 1. */
  share: number
  /** `api`, `controller`, `worker`; `service` for all in one process. */
  component: string
  /** Gives numbers from 0 to below 1. */
  random(): number
}

/** A word of the code: the code of an error, or its class. */
function wordOf(error: unknown): string {
  const { code, name } = Object(error) as { code?: unknown; name?: unknown }
  if (typeof code === 'string' && /^[A-Z][A-Z0-9_]*$/.test(code)) return code
  return typeof name === 'string' && /^\w+$/.test(name) ? name : 'unknown'
}

class RecordedSpan implements Span {
  readonly sdk: SdkSpan
  readonly #storage: AsyncLocalStorage<RecordedSpan>

  constructor(sdk: SdkSpan, storage: AsyncLocalStorage<RecordedSpan>) {
    this.sdk = sdk
    this.#storage = storage
  }

  get traceId(): string {
    return this.sdk.spanContext().traceId
  }

  get traceparent(): string {
    return formatTraceParent(this.sdk.spanContext())
  }

  set(attributes: SpanAttributes): void {
    this.sdk.setAttributes({ ...attributes })
  }

  link(traceparent: string): void {
    const context = parseTraceParent(traceparent)
    if (context) this.sdk.addLink({ context })
  }

  fail(error: unknown): void {
    this.sdk.setStatus({ code: SpanStatusCode.ERROR })
    this.sdk.setAttribute('error.type', wordOf(error))
  }

  within<R>(work: () => R): R {
    return this.#storage.run(this, work)
  }

  end(): void {
    this.sdk.end()
  }
}

export class OpenTelemetryTracer implements Tracer {
  readonly #provider: TracerProvider
  readonly #tracer: SdkTracer
  readonly #storage = new AsyncLocalStorage<RecordedSpan>()

  constructor({ endpoint, share, component, random, ...reports }: TracerOptions) {
    const processor = new BatchSpanProcessor({
      exporter: new ReportingExporter(endpoint, reports),
      maxQueueSize: MAXIMUM_QUEUED_SPANS,
      maxExportBatchSize: MAXIMUM_BATCH_SPANS,
      scheduledDelayMillis: BATCH_DELAY_MS,
      exportTimeoutMillis: BATCH_LIMIT_MS,
    })
    this.#provider = new TracerProvider({
      sampler: new ShareSampler(share, random),
      resource: resourceFromAttributes({
        'service.namespace': 'sigcase',
        'service.name': `sigcase-${component}`,
      }),
      spanLimits: {
        attributeValueLengthLimit: MAXIMUM_VALUE_LENGTH,
        linkCountLimit: MAXIMUM_LINKS,
      },
      spanProcessors: [processor],
    })
    this.#tracer = this.#provider.getTracer('sigcase')
  }

  start(name: string, options: SpanOptions = {}): Span {
    return this.#start(name, options)
  }

  async span<R>(name: string, options: SpanOptions, work: (span: Span) => Promise<R>): Promise<R> {
    const span = this.#start(name, options)
    try {
      return await span.within(() => work(span))
    } catch (error) {
      span.fail(error)
      throw error
    } finally {
      span.end()
    }
  }

  outside<R>(work: () => R): R {
    return this.#storage.exit(work)
  }

  active(): Span | undefined {
    return this.#storage.getStore()
  }

  /** Sends the spans that wait, for a second at most. */
  async close(): Promise<void> {
    const limit = Promise.withResolvers<void>()
    const timer = setTimeout(limit.resolve, FLUSH_LIMIT_MS)
    // Failures were reported by the exporter.
    await Promise.race([this.#provider.shutdown().catch(() => undefined), limit.promise])
    clearTimeout(timer)
  }

  #start(name: string, options: SpanOptions): RecordedSpan {
    const { kind = 'internal', attributes = {}, startedAgoMs = 0 } = options
    const start = {
      kind: KINDS[kind],
      attributes: { ...attributes },
      ...(startedAgoMs > 0 && { startTime: Date.now() - startedAgoMs }),
    }
    const span = this.#tracer.startSpan(name, start, this.#parentOf(options))
    return new RecordedSpan(span, this.#storage)
  }

  #parentOf({ parent, isFromOutside = false }: SpanOptions): Context {
    if (parent === undefined) {
      const active = this.#storage.getStore()
      return active ? trace.setSpan(ROOT_CONTEXT, active.sdk) : ROOT_CONTEXT
    }
    const context = parseTraceParent(parent)
    if (!context) return ROOT_CONTEXT
    const remote = trace.setSpanContext(ROOT_CONTEXT, context)
    return isFromOutside ? remote.setValue(FROM_OUTSIDE, true) : remote
  }
}
