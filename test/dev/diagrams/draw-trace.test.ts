import t from 'tap'
import { drawTrace, type DrawnSpan } from '../../../dev/diagrams/draw-trace.ts'

const span = (
  name: string,
  spanId: string,
  parentSpanId: string,
  [startMs, endMs]: readonly [number, number],
): DrawnSpan => ({ name, spanId, parentSpanId, startMs, endMs })

const SPANS = [
  span('objects get', '4', '3', [600, 700]),
  span('objects list', '5', '3', [700, 800]),
  span('job intake', '3', '2', [500, 900]),
  span('reconcile', '2', '1', [100, 500]),
  span('POST /cases', '1', '', [0, 50]),
  span('reconcile', '6', '1', [900, 1_000]),
]

t.test('rows follow the tree, and equal work shares a row', async (t) => {
  const svg = drawTrace(SPANS, 'A trace.')
  const labels = [...svg.matchAll(/<text x="(\d+)" y="(\d+)">([^<]*)/g)]
  t.same(
    labels.map(([, x, , label]) => [Number(x), label?.trim()]),
    [
      [10, 'POST /cases'],
      [24, 'reconcile'],
      [38, 'job intake'],
      [52, 'objects'],
    ],
  )
  const heights = labels.map(([, , y]) => Number(y))
  t.same(
    heights,
    heights.toSorted((a, b) => a - b),
  )
  t.equal(svg.match(/× 2/g)?.length, 2, 'two reconciles, and two calls of the object store')
  t.equal(svg.match(/<rect /g)?.length, SPANS.length)
  t.equal(svg.match(/class="call"/g)?.length, 2)
  t.match(svg, '<title>A trace.</title>')
})

t.test('bars are in proportion to time, and short ones are visible', async (t) => {
  const svg = drawTrace([...SPANS, span('kms sign', '7', '3', [600, 600])], 'A trace.')
  const widths = [...svg.matchAll(/<rect [^>]*width="([\d.]+)"/g)].map(([, width]) => Number(width))
  const [create = 0, first = 0] = widths
  t.ok(Math.abs(first / create - 400 / 50) < 0.1)
  t.equal(Math.min(...widths), 2)
  t.match(svg, '>1.0 s<')
})
