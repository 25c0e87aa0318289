/** The port for metrics; a process on a cluster serves them to Prometheus. */
import type { CounterName, GaugeName, HistogramName, MetricLabels } from '../metrics.ts'

/**
 * Metrics of the catalogue in `domain/metrics.ts`. The calls do not fail. Labels must have few
 * values: never a path, an id, an address or a text from outside.
 */
export interface Metrics {
  /** Increases a counter, by 1 unless `by` says otherwise. */
  count<N extends CounterName>(name: N, labels: MetricLabels<N>, by?: number): void
  /** Adds a value to a histogram, in the unit of its name. */
  observe<N extends HistogramName>(name: N, labels: MetricLabels<N>, value: number): void
  /** Sets the value of a gauge. */
  set<N extends GaugeName>(name: N, labels: MetricLabels<N>, value: number): void
  /** Removes all series of a gauge. */
  clear(name: GaugeName): void
}

/** Discards all values; for processes that serve no metrics. */
export const NO_METRICS: Metrics = {
  count: () => undefined,
  observe: () => undefined,
  set: () => undefined,
  clear: () => undefined,
}
