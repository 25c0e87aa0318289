/** Draws the spans of one trace as SVG: a row for each kind of work, with a bar for each time. */

/** A span, with times in milliseconds. */
export interface DrawnSpan {
  name: string
  spanId: string
  parentSpanId: string
  startMs: number
  endMs: number
}

/** Spans of the same work below the same row. */
interface Row {
  label: string
  depth: number
  spans: DrawnSpan[]
  below: Map<string, Row>
}

const WIDTH = 820
const LABELS_WIDTH = 290
const ROW_HEIGHT = 19
const TOP = 34
const INDENT = 14
const MARGIN = 10
const LEAST_BAR = 2
const TICKS = 4
const MILLISECONDS_PER_SECOND = 1_000

const STYLE = `
  text { font: 12px system-ui, 'Segoe UI', Roboto, 'Noto Sans', sans-serif; fill: #16202a }
  .quiet { fill: #52606d }
  .bar { fill: #1b5e85 }
  .call { fill: #1c6a45 }
  .line { stroke: #d3dae1 }
  @media (prefers-color-scheme: dark) {
    text { fill: #e9eef2 }
    .quiet { fill: #a6b2bd }
    .bar { fill: #7cc0ea }
    .call { fill: #7fd3a4 }
    .line { stroke: #35414c }
  }
`

/** Outside systems; all operations of one share a row. */
const CALL = /^(objects|kms|tsa|sandbox|smtp|http|api-server) /

const labelOf = ({ name }: DrawnSpan) => CALL.exec(name)?.[1] ?? name

/** Puts spans of equal paths into one row. */
function rowsOf(spans: readonly DrawnSpan[]): Row {
  const top: Row = { label: '', depth: -1, spans: [], below: new Map() }
  const ids = new Set(spans.map(({ spanId }) => spanId))
  const add = (span: DrawnSpan, above: Row): void => {
    const label = labelOf(span)
    const empty: Row = { label, depth: above.depth + 1, spans: [], below: new Map() }
    const row = above.below.get(label) ?? empty
    above.below.set(label, row)
    row.spans.push(span)
    for (const one of spans) if (one.parentSpanId === span.spanId) add(one, row)
  }
  for (const span of spans) if (!ids.has(span.parentSpanId)) add(span, top)
  return top
}

const startOf = ({ spans }: Row) => Math.min(...spans.map(({ startMs }) => startMs))

/** Rows from top to bottom: each before those below it, earlier work first. */
function inOrder(row: Row): Row[] {
  const below = [...row.below.values()].sort((a, b) => startOf(a) - startOf(b))
  return below.flatMap((one) => [one, ...inOrder(one)])
}

const rounded = (value: number) => Math.round(value * 10) / 10

function drawRow({ label, depth, spans }: Row, index: number, xOf: (ms: number) => number) {
  const y = TOP + index * ROW_HEIGHT
  const count = spans.length > 1 ? ` <tspan class="quiet">× ${spans.length}</tspan>` : ''
  const x = MARGIN + depth * INDENT
  const kind = spans.every(({ name }) => CALL.test(name)) ? 'call' : 'bar'
  const bars = spans.map(({ startMs, endMs }) => {
    const left = rounded(xOf(startMs))
    const width = rounded(Math.max(xOf(endMs) - xOf(startMs), LEAST_BAR))
    return `<rect class="${kind}" x="${left}" y="${y - 9}" width="${width}" height="10" rx="2"/>`
  })
  return [`<text x="${x}" y="${y}">${label}${count}</text>`, ...bars]
}

/**
 * Draws a trace.
 *
 * @param description what the picture shows, for people who do not see it
 */
export function drawTrace(all: readonly DrawnSpan[], description: string): string {
  const spans = all.toSorted((a, b) => a.startMs - b.startMs)
  const rows = inOrder(rowsOf(spans))
  const startMs = Math.min(...spans.map((span) => span.startMs))
  const totalMs = Math.max(...spans.map((span) => span.endMs)) - startMs
  const barsWidth = WIDTH - LABELS_WIDTH - 4 * MARGIN
  const xOf = (ms: number) => LABELS_WIDTH + ((ms - startMs) / totalMs) * barsWidth
  const height = TOP + rows.length * ROW_HEIGHT
  const ticks = Array.from({ length: TICKS + 1 }, (_, tick) => {
    const ms = (totalMs * tick) / TICKS
    const x = rounded(xOf(startMs + ms))
    const text = `${(ms / MILLISECONDS_PER_SECOND).toFixed(1)} s`
    return [
      `<line class="line" x1="${x}" y1="18" x2="${x}" y2="${height}"/>`,
      `<text class="quiet" x="${x}" y="13" text-anchor="middle">${text}</text>`,
    ]
  })
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" role="img">`,
    `<title>${description}</title>`,
    `<style>${STYLE}</style>`,
    ...ticks.flat(),
    ...rows.flatMap((row, index) => drawRow(row, index, xOf)),
    '</svg>',
    '',
  ].join('\n')
}
