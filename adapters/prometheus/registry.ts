/** Collects the metrics of a process and formats them for Prometheus. */
import { Counter, Gauge, Histogram, Registry } from 'prom-client'
import {
  METRICS,
  type CounterName,
  type GaugeName,
  type HistogramName,
  type MetricLabels,
  type MetricName,
  type MetricSource,
} from '../../domain/metrics.ts'
import type { Metrics } from '../../domain/ports/metrics.ts'

/** More series than this mean a label with values from outside; further series are dropped. */
export const MAXIMUM_SERIES = 2_000

/** Updates metrics at the time of a scrape. */
export type Collector = () => void | Promise<void>

const namesOf = (source: MetricSource) =>
  (Object.keys(METRICS) as MetricName[]).filter((name) =>
    (METRICS[name].sources as readonly MetricSource[]).includes(source),
  )

/** A gauge without labels begins with 0, which would be a value without a measurement. */
function withoutValue(name: MetricName, gauge: Gauge): Gauge {
  if (Object.keys(METRICS[name].labels).length === 0) gauge.remove()
  return gauge
}

/** The registry of one process, with the metrics of its component. */
export class PrometheusMetrics implements Metrics {
  readonly #registry = new Registry()
  readonly #metrics = new Map<MetricName, Counter | Gauge | Histogram>()
  readonly #series = new Map<MetricName, Set<string>>()
  readonly #collectors: Collector[] = []

  constructor(source: MetricSource) {
    for (const name of namesOf(source)) this.#metrics.set(name, this.#create(name))
  }

  count<N extends CounterName>(name: N, labels: MetricLabels<N>, by = 1): void {
    const metric = this.#find(name, labels)
    if (metric instanceof Counter) metric.inc(labels, Math.max(by, 0))
  }

  observe<N extends HistogramName>(name: N, labels: MetricLabels<N>, value: number): void {
    const metric = this.#find(name, labels)
    if (metric instanceof Histogram) metric.observe(labels, Math.max(value, 0))
  }

  set<N extends GaugeName>(name: N, labels: MetricLabels<N>, value: number): void {
    const metric = this.#find(name, labels)
    if (metric instanceof Gauge && Number.isFinite(value)) metric.set(labels, value)
  }

  clear(name: GaugeName): void {
    const metric = this.#metrics.get(name)
    if (!(metric instanceof Gauge)) return
    metric.reset()
    withoutValue(name, metric)
    this.#series.delete(name)
  }

  /** Calls `collect` at every scrape. A collector that fails leaves its metrics as they were. */
  onScrape(collect: Collector): void {
    this.#collectors.push(collect)
  }

  /** Returns all metrics in the Prometheus text format, version 0.0.4. */
  async text(): Promise<string> {
    await Promise.allSettled(this.#collectors.map(async (collect) => collect()))
    return this.#registry.metrics()
  }

  #create(name: MetricName): Counter | Gauge | Histogram {
    const { type, help, labels } = METRICS[name]
    const options = { name, help, labelNames: Object.keys(labels), registers: [this.#registry] }
    if (type === 'gauge') return withoutValue(name, new Gauge(options))
    if (type === 'counter') return new Counter(options)
    const { buckets } = METRICS[name as HistogramName]
    return new Histogram({ ...options, buckets: [...buckets] })
  }

  /** Returns the metric, unless this component lacks it or the series would be one too many. */
  #find(name: MetricName, labels: object) {
    const known = this.#series.get(name) ?? new Set<string>()
    this.#series.set(name, known)
    const series = JSON.stringify(labels)
    if (!known.has(series) && known.size >= MAXIMUM_SERIES) return undefined
    known.add(series)
    return this.#metrics.get(name)
  }
}
