/** Draws lines over time as SVG, without fonts or scripts from elsewhere. */

export interface Line {
  name: string
  /** Seconds after the start of the run, and the value. */
  points: readonly (readonly [number, number])[]
}

export interface Chart {
  title: string
  /** Unit of the values. */
  unit: string
  lines: readonly Line[]
}

const CHART_WIDTH = 720
const CHART_HEIGHT = 220
/** Space around the area of the lines. */
const SPACE = { left: 64, right: 176, top: 32, bottom: 28 }
const AREA_WIDTH = CHART_WIDTH - SPACE.left - SPACE.right
const AREA_HEIGHT = CHART_HEIGHT - SPACE.top - SPACE.bottom
const LINES_OF_GRID = 4
const LEGEND_LINE_HEIGHT = 15
/** Colours that differ for people with any colour vision (Okabe and Ito, 2008), on white. */
const COLOURS = ['#0072b2', '#d55e00', '#009e73', '#cc79a7', '#e69f00', '#56b4e9', '#000000']

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
}

/** Replaces the characters that have a meaning in XML and HTML. */
export const escapeMarkup = (text: string): string =>
  text.replaceAll(/[&<>"]/g, (character) => ENTITIES[character] ?? character)

/** The smallest of 1, 2 and 5 times a power of ten that is not below the value. */
function roundUp(value: number): number {
  if (!(value > 0)) return 1
  const power = 10 ** Math.floor(Math.log10(value))
  return ([1, 2, 5, 10].find((factor) => factor * power >= value) ?? 10) * power
}

const short = (value: number) => String(Number(value.toPrecision(3)))

/** @returns a `g` element of {@link CHART_WIDTH} by {@link CHART_HEIGHT} */
function drawChart({ title, unit, lines }: Chart, top: number): string {
  const all = lines.flatMap(({ points }) => points)
  // Not Math.max(...all): a long run has more points than a call may have arguments.
  const largest = (index: 0 | 1) => all.reduce((most, point) => Math.max(most, point[index]), 0)
  const mostY = roundUp(largest(1))
  const mostX = Math.max(1, largest(0))
  const x = (seconds: number) => SPACE.left + (AREA_WIDTH * seconds) / mostX
  const y = (value: number) => SPACE.top + AREA_HEIGHT * (1 - value / mostY)
  const grid = Array.from({ length: LINES_OF_GRID + 1 }, (_, index) => {
    const value = (mostY * index) / LINES_OF_GRID
    const at = y(value).toFixed(1)
    return (
      `<path d="M${SPACE.left} ${at}h${AREA_WIDTH}" stroke="#ddd"/>` +
      `<text x="${SPACE.left - 6}" y="${at}" dy="4" text-anchor="end">${short(value)}</text>`
    )
  })
  const drawn = lines.map(({ name, points }, index) => {
    const colour = COLOURS[index % COLOURS.length]
    const path = points.map(([at, value]) => `${x(at).toFixed(1)},${y(value).toFixed(1)}`)
    const legendY = SPACE.top + 6 + index * LEGEND_LINE_HEIGHT
    const legendX = CHART_WIDTH - SPACE.right + 12
    return (
      `<polyline points="${path.join(' ')}" fill="none" stroke="${colour}" stroke-width="1.5"/>` +
      `<path d="M${legendX} ${legendY}h14" stroke="${colour}" stroke-width="3"/>` +
      `<text x="${legendX + 20}" y="${legendY}" dy="4">${escapeMarkup(name)}</text>`
    )
  })
  const bottom = CHART_HEIGHT - 10
  return [
    `<g transform="translate(0 ${top})">`,
    `<text x="${SPACE.left}" y="18" font-weight="bold">${escapeMarkup(`${title}, ${unit}`)}</text>`,
    ...grid,
    `<text x="${SPACE.left}" y="${bottom}">0</text>`,
    `<text x="${SPACE.left + AREA_WIDTH}" y="${bottom}" text-anchor="end">${short(mostX)} s</text>`,
    ...drawn,
    '</g>',
  ].join('\n')
}

/** Draws charts below each other. @returns an SVG document */
export function drawCharts(charts: readonly Chart[]): string {
  const height = CHART_HEIGHT * charts.length
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${CHART_WIDTH} ${height}"` +
      ` width="${CHART_WIDTH}" height="${height}" font-family="sans-serif" font-size="11">`,
    `<rect width="100%" height="100%" fill="#fff"/>`,
    ...charts.map((chart, index) => drawChart(chart, index * CHART_HEIGHT)),
    '</svg>',
  ].join('\n')
}
