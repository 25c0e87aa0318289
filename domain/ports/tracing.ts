/** The port for traces: spans that show how one case passes through all processes. */

/**
 * All attributes that a span may have. Their values are ids, and words of the code. A title, name,
 * address, token, URL or path is never an attribute.
 */
export interface SpanAttributes {
  'sigcase.tenant'?: string
  'sigcase.case_id'?: string
  /** Kind of the job. */
  'sigcase.job'?: string
  /** Outside system, as in the metrics. */
  'sigcase.system'?: string
  /** Method of the port, or method of the request. */
  'sigcase.operation'?: string
  'sigcase.outcome'?: string
  /** Number of the attempt to deliver a webhook. */
  'sigcase.attempt'?: number
  'http.request.method'?: string
  /** Template of the route. */
  'http.route'?: string
  'http.response.status_code'?: number
}

export interface SpanOptions {
  /** Role of the work in a call between two processes; `internal` when absent. */
  kind?: 'internal' | 'server' | 'client' | 'producer' | 'consumer'
  attributes?: SpanAttributes
  /**
   * The parent as W3C `traceparent`. Absent: the active span. An invalid text is ignored; the span
   * then starts a trace.
   */
  parent?: string | undefined
  /** The sender of `parent` is not trusted: it chooses ids, but not whether spans are exported. */
  isFromOutside?: boolean
  /** The work started this many milliseconds ago; 0 when absent. */
  startedAgoMs?: number
}

/** A running piece of work in a trace. */
export interface Span {
  /** 32 hexadecimal digits. */
  readonly traceId: string
  /** The span as parent of others, in the form of W3C Trace Context. */
  readonly traceparent: string
  set(attributes: SpanAttributes): void
  /** Refers to a span of another trace; an invalid text is ignored. */
  link(traceparent: string): void
  /** Marks the work as failed, with the code or the class of the error; never with its message. */
  fail(error: unknown): void
  /** Runs a function for which this span is the active one, also after it has awaited something. */
  within<R>(work: () => R): R
  end(): void
}

/** No call fails, or waits for the collector. */
export interface Tracer {
  /** Starts a span, which the caller ends. */
  start(name: string, options?: SpanOptions): Span
  /**
   * Runs work in a span, which ends with it.
   *
   * @throws any error of the work
   */
  span<R>(name: string, options: SpanOptions, work: (span: Span) => Promise<R>): Promise<R>
  /** Runs a function without an active span, for work that a span only happened to start. */
  outside<R>(work: () => R): R
  /** The span in which the caller runs. */
  active(): Span | undefined
}

const NO_SPAN: Span = {
  traceId: '',
  traceparent: '',
  set: () => undefined,
  link: () => undefined,
  fail: () => undefined,
  within: (work) => work(),
  end: () => undefined,
}

/** Runs the work and records nothing; for processes that export no traces. */
export const NO_TRACER: Tracer = {
  start: () => NO_SPAN,
  span: (_name, _options, work) => work(NO_SPAN),
  outside: (work) => work(),
  active: () => undefined,
}

/** Annotation of a case: the span of the request that created it. */
export const TRACE_ANNOTATION = 'sigcase.dev/traceparent'

/** The member of a message that carries the trace; messages without a trace lack it. */
export interface TraceContext {
  /** W3C `traceparent` of the sender. */
  traceparent?: string
}

/** Returns the member for a message from the work that runs now. */
export function traceContextOf(tracer: Pick<Tracer, 'active'> | undefined): TraceContext {
  const traceparent = tracer?.active()?.traceparent
  return traceparent === undefined ? {} : { traceparent }
}
