/** Turns the measurements of a run into tables, charts, one page and an exit code. */
import { drawCharts, escapeMarkup, type Chart } from './line-chart.ts'
import { STAGES, type Samples, type Stage } from './samples.ts'
import type { Reading } from './usage.ts'

const INTERVALS_OF_CHART = 120
const LEAST_INTERVAL_MS = 1_000
const MS_PER_SECOND = 1_000
const NAMES = Object.keys(STAGES) as Stage[]

export interface Counts {
  started: number
  done: number
  /** POST /cases did not create them. */
  refused: number
  /** Created, and not DONE in time. */
  lost: number
  webhooksExpected: number
  webhooksReceived: number
  /** Deliveries of events that the tenant had accepted before. */
  webhooksRepeated: number
}

export interface Run {
  /** Settings and environment, by name. */
  about: Readonly<Record<string, string | number>>
  counts: Counts
  /** Why cases were refused or lost, with the number of cases. */
  faults: Readonly<Record<string, number>>
  samples: Samples
  readings: readonly Reading[]
  /** CPU seconds of each process. */
  cpuSeconds: Readonly<Record<string, number>>
  /** Milliseconds from the first to the last intended start. */
  durationMs: number
}

/** What went wrong, in sentences; empty when the run is a success. */
export function findFaults({ counts }: Pick<Run, 'counts'>): string[] {
  const { refused, lost, webhooksExpected, webhooksReceived, webhooksRepeated } = counts
  const missing = webhooksExpected - webhooksReceived
  return [
    ...(refused > 0 ? [`${refused} cases were refused`] : []),
    ...(lost > 0 ? [`${lost} cases were lost`] : []),
    ...(missing > 0 ? [`${missing} webhooks are missing`] : []),
    ...(webhooksRepeated > 0 ? [`${webhooksRepeated} webhooks came twice`] : []),
  ]
}

type Rows = readonly (readonly string[])[]

const LATENCY_HEAD = ['ms', 'count', 'p50', 'p90', 'p99', 'p99.9', 'max']

function latencyRows({ samples }: Run): Rows {
  return NAMES.map((stage) => {
    const { count, p50, p90, p99, p999, maximum } = samples.quantiles(stage)
    const times = [p50, p90, p99, p999, maximum].map((value) =>
      count === 0 ? '–' : value.toFixed(value < 100 ? 1 : 0),
    )
    return [stage, String(count), ...times]
  })
}

const CPU_HEAD = ['process', 'CPU s', 'CPU s per case', 'largest MB']

function cpuRows({ cpuSeconds, counts, readings }: Run): Rows {
  const cases = Math.max(1, counts.done)
  const rows = Object.entries(cpuSeconds).map(([name, seconds]) => {
    const largest = readings.reduce((most, { memoryMb }) => Math.max(most, memoryMb[name] ?? 0), 0)
    return [name, seconds.toFixed(2), (seconds / cases).toFixed(3), largest.toFixed(0)]
  })
  const all = Object.values(cpuSeconds).reduce((sum, seconds) => sum + seconds, 0)
  return [...rows, ['all', all.toFixed(2), (all / cases).toFixed(3), '']]
}

function alignedTable(head: readonly string[], rows: Rows): string {
  const widths = head.map((title, index) =>
    Math.max(title.length, ...rows.map((row) => (row[index] ?? '').length)),
  )
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, index) =>
        index === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[index] ?? 0),
      )
      .join('  ')
      .trimEnd()
  return [head, ...rows].map(line).join('\n')
}

const countsLine = ({ counts: c }: Run) =>
  `${c.started} cases started, ${c.done} DONE, ${c.refused} refused, ${c.lost} lost; ` +
  `${c.webhooksReceived} of ${c.webhooksExpected} webhooks, ${c.webhooksRepeated} repeated`

/** The text at the end of a run. */
export function formatText(run: Run): string {
  const faults = Object.entries(run.faults).map(([why, count]) => `  ${count} × ${why}`)
  return [
    Object.entries(run.about)
      .map(([name, value]) => `${name} ${value}`)
      .join(', '),
    countsLine(run),
    ...faults,
    '',
    alignedTable(LATENCY_HEAD, latencyRows(run)),
    '',
    alignedTable(CPU_HEAD, cpuRows(run)),
    '',
    findFaults(run).join('; ') || 'nothing was lost, and nothing came twice',
  ].join('\n')
}

function chartOf(
  title: string,
  unit: string,
  readings: readonly Reading[],
  valuesOf: (reading: Reading) => Readonly<Record<string, number>>,
): Chart {
  const names = new Set(readings.flatMap((reading) => Object.keys(valuesOf(reading))))
  const lines = [...names].map((name) => ({
    name,
    points: readings.map(
      (reading) => [reading.atMs / MS_PER_SECOND, valuesOf(reading)[name] ?? 0] as const,
    ),
  }))
  return { title, unit, lines }
}

function chartsOf({ samples, readings, durationMs }: Run): Chart[] {
  const intervalMs = Math.max(LEAST_INTERVAL_MS, durationMs / INTERVALS_OF_CHART)
  const latencies = NAMES.map((stage): Chart => {
    const intervals = samples.overTime(stage, intervalMs)
    const line = (name: 'p50' | 'p99') => ({
      name,
      points: intervals.map((one) => [one.fromMs / MS_PER_SECOND, one[name]] as const),
    })
    return { title: `${stage}: ${STAGES[stage]}`, unit: 'ms', lines: [line('p50'), line('p99')] }
  })
  return [
    ...latencies,
    chartOf('CPU', 'cores', readings, ({ cores }) => cores),
    chartOf('Resident memory', 'MB', readings, ({ memoryMb }) => memoryMb),
    chartOf('Cases and jobs that wait', 'number', readings, ({ queues }) => queues),
  ]
}

function htmlTable(head: readonly string[], rows: Rows): string {
  const cells = (row: readonly string[], tag: string) =>
    `<tr>${row.map((cell) => `<${tag}>${escapeMarkup(cell)}</${tag}>`).join('')}</tr>`
  return `<table>${cells(head, 'th')}${rows.map((row) => cells(row, 'td')).join('')}</table>`
}

const STYLE =
  'body{font:14px sans-serif;margin:24px;max-width:760px}td,th{padding:2px 12px 2px 0;' +
  'text-align:right}td:first-child,th:first-child{text-align:left}svg{max-width:100%;height:auto}'

/** @returns the files of a run: data, charts, and a page that requests nothing from elsewhere */
export function formatFiles(run: Run): Record<'load.json' | 'load.svg' | 'load.html', string> {
  const { samples, ...rest } = run
  const latencies = Object.fromEntries(
    NAMES.map((stage) => [stage, { of: STAGES[stage], ...samples.quantiles(stage) }]),
  )
  const svg = drawCharts(chartsOf(run))
  const about = Object.entries(run.about).map(([name, value]) => [name, String(value)])
  const html = [
    '<!doctype html><html lang="en"><meta charset="utf-8"><title>Load test</title>',
    `<style>${STYLE}</style><h1>Load test</h1>`,
    htmlTable(['setting', ''], about),
    `<p>${escapeMarkup(countsLine(run))}</p>`,
    `<p>${escapeMarkup(findFaults(run).join('; ') || 'Nothing was lost or came twice.')}</p>`,
    htmlTable(LATENCY_HEAD, latencyRows(run)),
    htmlTable(CPU_HEAD, cpuRows(run)),
    svg,
    '</html>',
  ].join('\n')
  const json = JSON.stringify({ ...rest, latencies, failed: findFaults(run) }, null, 2)
  return { 'load.json': `${json}\n`, 'load.svg': `${svg}\n`, 'load.html': `${html}\n` }
}
