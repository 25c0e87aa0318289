/** Metrics about the process itself, in the Prometheus text format, version 0.0.4. */
import process from 'node:process'

/** The names are those that Prometheus' own client libraries use. */
const GAUGES: readonly { name: string; type: string; help: string; value(): number }[] = [
  {
    name: 'process_cpu_seconds_total',
    type: 'counter',
    help: 'Processor time used, in seconds.',
    value: () => {
      const { user, system } = process.cpuUsage()
      return (user + system) / 1e6
    },
  },
  {
    name: 'process_resident_memory_bytes',
    type: 'gauge',
    help: 'Resident memory, in bytes.',
    value: () => process.memoryUsage().rss,
  },
  {
    name: 'process_uptime_seconds',
    type: 'gauge',
    help: 'Time since the start of the process, in seconds.',
    value: () => process.uptime(),
  },
]

/** Returns the metrics, terminated by a line feed. */
export function processMetrics(): string {
  return GAUGES.map(
    ({ name, type, help, value }) =>
      `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${name} ${value()}\n`,
  ).join('')
}
