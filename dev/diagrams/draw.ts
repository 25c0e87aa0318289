/** Draws diagrams of boxes and arrows as SVG, in the colours of the reader's theme. */

/** A box with a title and short lines of text. Units are pixels. */
export interface Box {
  x: number
  y: number
  width: number
  height: number
  title: string
  lines?: readonly string[]
  /** `store` is data, `outside` is a person or another system. */
  kind?: 'part' | 'store' | 'outside'
}

/** An arrow between two boxes, by their keys. */
export interface Arrow {
  from: string
  to: string
  label?: string
  /** Where the arrow leaves and enters, as fractions of the side; by default the middle, 0.5. */
  leaves?: number
  enters?: number
  /** Corners of an arrow that goes around; it then starts and ends at the bottom of its boxes. */
  via?: readonly Point[]
}

type Point = readonly [x: number, y: number]

/** A diagram. */
export interface Diagram {
  width: number
  height: number
  /** What the diagram shows, for people who do not see it. */
  description: string
  /** Arrows between boxes that are apart in both directions start at this side of a box. */
  flow?: 'right' | 'down'
  /** Areas behind the boxes, with a title. */
  areas?: Readonly<Record<string, Box>>
  boxes: Readonly<Record<string, Box>>
  arrows: readonly Arrow[]
}

const LINE_HEIGHT = 17
const STYLE = `
  text { font: 13px system-ui, 'Segoe UI', Roboto, 'Noto Sans', sans-serif }
  text { fill: #16202a; text-anchor: middle }
  .title { font-weight: 600; font-size: 14px }
  .quiet { fill: #52606d }
  .area { fill: #f4f6f8; stroke: #d3dae1 }
  .part { fill: #e3eff7; stroke: #1b5e85 }
  .store { fill: #e2f3e9; stroke: #1c6a45 }
  .outside { fill: #fff; stroke: #76838f }
  .arrow { stroke: #52606d; stroke-width: 1.4; fill: none }
  .head { fill: #52606d }
  .label { font-size: 12px; fill: #52606d; paint-order: stroke; stroke: #fff; stroke-width: 5px }
  @media (prefers-color-scheme: dark) {
    text { fill: #e9eef2 }
    .quiet { fill: #a6b2bd }
    .area { fill: #1a2128; stroke: #35414c }
    .part { fill: #1b3446; stroke: #7cc0ea }
    .store { fill: #173427; stroke: #7fd0a6 }
    .outside { fill: #11161b; stroke: #7d8b98 }
    .arrow { stroke: #a6b2bd }
    .head { fill: #a6b2bd }
    .label { fill: #a6b2bd; stroke: #1b1b1f }
  }`

const escapeXml = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

function drawBox({ x, y, width, height, title, lines = [], kind = 'part' }: Box): string {
  const middle = x + width / 2
  const first = y + height / 2 - (lines.length * LINE_HEIGHT) / 2 + 5
  const texts = lines.map((line, index) => {
    const baseline = first + (index + 1) * LINE_HEIGHT
    return `<text class="quiet" x="${middle}" y="${baseline}">${escapeXml(line)}</text>`
  })
  return [
    `<rect class="${kind}" x="${x}" y="${y}" width="${width}" height="${height}" rx="8"/>`,
    `<text class="title" x="${middle}" y="${first}">${escapeXml(title)}</text>`,
    ...texts,
  ].join('\n')
}

function drawArea({ x, y, width, height, title }: Box): string {
  return [
    `<rect class="area" x="${x}" y="${y}" width="${width}" height="${height}" rx="12"/>`,
    `<text class="quiet" x="${x + width / 2}" y="${y + 20}">${escapeXml(title)}</text>`,
  ].join('\n')
}

/** Where an arrow leaves `from` towards `to`, and where it enters: on the sides that face. */
function ends(
  [from, to]: readonly [Box, Box],
  [leaves, enters]: readonly [number, number],
  flow: Diagram['flow'],
): readonly [Point, Point] {
  const along = (start: number, length: number, share: number) => start + length * share
  const isBeside = from.x + from.width <= to.x || to.x + to.width <= from.x
  const isBelow = from.y + from.height <= to.y || to.y + to.height <= from.y
  if (isBeside && !(isBelow && flow === 'down')) {
    const isRight = from.x < to.x
    return [
      [isRight ? from.x + from.width : from.x, along(from.y, from.height, leaves)],
      [isRight ? to.x : to.x + to.width, along(to.y, to.height, enters)],
    ]
  }
  const isDown = from.y < to.y
  return [
    [along(from.x, from.width, leaves), isDown ? from.y + from.height : from.y],
    [along(to.x, to.width, enters), isDown ? to.y : to.y + to.height],
  ]
}

/** The points of an arrow, and the middle of its label. */
function route(
  [from, to]: readonly [Box, Box],
  arrow: Arrow,
  flow: Diagram['flow'],
): { points: readonly Point[]; label: Point } {
  const { leaves = 0.5, enters = 0.5, via } = arrow
  if (!via) {
    const [start, end] = ends([from, to], [leaves, enters], flow)
    return { points: [start, end], label: [(start[0] + end[0]) / 2, (start[1] + end[1]) / 2] }
  }
  const bottom = (box: Box, share: number): Point => [box.x + box.width * share, box.y + box.height]
  const [first = [0, 0], second = first] = via
  return {
    points: [bottom(from, leaves), ...via, bottom(to, enters)],
    label: [(first[0] + second[0]) / 2, (first[1] + second[1]) / 2],
  }
}

function drawArrow({ boxes, areas, flow }: Diagram, arrow: Arrow): string {
  const places = { ...areas, ...boxes }
  const [from, to] = [places[arrow.from], places[arrow.to]]
  if (!from || !to) throw new Error(`an arrow from ${arrow.from} to ${arrow.to} lacks its box`)
  const { points, label } = route([from, to], arrow, flow)
  const path = points.map(([x, y]) => `${x} ${y}`).join('L')
  const line = `<path class="arrow" d="M${path}" marker-end="url(#head)"/>`
  if (arrow.label === undefined) return line
  const [x, y] = label
  return `${line}\n<text class="label" x="${x}" y="${y + 4}">${escapeXml(arrow.label)}</text>`
}

/**
 * Draws a diagram.
 *
 * @throws Error when an arrow names a box that does not exist
 */
export function drawDiagram(diagram: Diagram): string {
  const { width, height, description, areas = {}, boxes, arrows } = diagram
  return [
    '<svg xmlns="http://www.w3.org/2000/svg" role="img"',
    `  viewBox="0 0 ${width} ${height}" width="${width}" height="${height}">`,
    '<!-- Made by `npm run generate`; do not edit. -->',
    `<title>${escapeXml(description)}</title>`,
    `<style>${STYLE}\n</style>`,
    '<defs><marker id="head" viewBox="0 0 8 8" refX="7.5" refY="4" markerWidth="8"',
    '  markerHeight="8" orient="auto"><path class="head" d="M0 0L8 4L0 8z"/></marker></defs>',
    ...Object.values(areas).map(drawArea),
    ...arrows.map((arrow) => drawArrow(diagram, arrow)),
    ...Object.values(boxes).map(drawBox),
    '</svg>',
    '',
  ].join('\n')
}
