/** Decides which traces are exported: a share of those that start here. */
import { createContextKey, trace, TraceFlags, type Context } from '@opentelemetry/api'
import { SamplingDecision, type Sampler, type SamplingResult } from '@opentelemetry/sdk-trace'

/** Set in the context of a span whose parent came from a sender that is not trusted. */
export const FROM_OUTSIDE = createContextKey('parent from outside')

/**
 * Spans follow the decision of their parent, in this process or in another one of the service. A
 * span without a parent, and one whose parent comes from outside, is sampled at random: a client
 * that chooses the trace id must not choose the decision.
 */
export class ShareSampler implements Sampler {
  readonly #share: number
  readonly #random: () => number

  /**
   * @param share from 0 to 1
   * @param random gives numbers from 0 to below 1
   */
  constructor(share: number, random: () => number) {
    this.#share = share
    this.#random = random
  }

  shouldSample(context: Context): SamplingResult {
    const parent = trace.getSpanContext(context)
    const isTrusted = parent !== undefined && context.getValue(FROM_OUTSIDE) !== true
    const isSampled = isTrusted
      ? (parent.traceFlags & TraceFlags.SAMPLED) !== 0
      : this.#random() < this.#share
    const { RECORD_AND_SAMPLED, NOT_RECORD } = SamplingDecision
    return { decision: isSampled ? RECORD_AND_SAMPLED : NOT_RECORD }
  }

  toString(): string {
    return `ShareSampler{${this.#share}}`
  }
}
