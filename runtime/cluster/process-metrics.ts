/** Metrics about the process itself. */
import process from 'node:process'
import type { PrometheusMetrics } from '../../adapters/prometheus/registry.ts'

const MICROSECONDS_PER_SECOND = 1e6

/** Reports processor time, memory and uptime at every scrape. */
export function reportProcess(metrics: PrometheusMetrics): void {
  let reported = 0
  metrics.onScrape(() => {
    const { user, system } = process.cpuUsage()
    const used = (user + system) / MICROSECONDS_PER_SECOND
    metrics.count('process_cpu_seconds_total', {}, used - reported)
    reported = used
    metrics.set('process_resident_memory_bytes', {}, process.memoryUsage().rss)
    metrics.set('process_uptime_seconds', {}, process.uptime())
  })
}
