import t from 'tap'

import type { PathStep } from '../../../pades/appearance/picture.ts'
import { pathDataOfDocument } from '../../../pades/appearance/svg-document.ts'
import { readPathData } from '../../../pades/appearance/svg-path.ts'

function stepsOf(data: string): string {
  return readPathData(data)
    .steps.map((step) => step.join(' '))
    .join(' | ')
}

/** Points of a curve, for comparison with the shape that it approximates. */
function pointsOn(from: readonly number[], curve: PathStep & readonly unknown[]) {
  const [, x1, y1, x2, y2, x, y] = curve
  return [0, 0.1, 0.25, 0.5, 0.8, 1].map((at) =>
    [
      [from[0], x1, x2, x],
      [from[1], y1, y2, y],
    ].map((values) => {
      const [a, b, c, d] = values as number[]
      const rest = 1 - at
      return rest ** 3 * a + 3 * rest ** 2 * at * b + 3 * rest * at ** 2 * c + at ** 3 * d
    }),
  )
}

t.test('absolute and relative commands lead to the same places', async (t) => {
  t.equal(stepsOf('M10,20 L30,40 H50 V60 Z'), 'M 10 20 | L 30 40 | L 50 40 | L 50 60 | Z')
  t.equal(stepsOf('m10 20l20 20h20v20z'), 'M 10 20 | L 30 40 | L 50 40 | L 50 60 | Z')
  t.equal(stepsOf('M0 0 C1 2 3 4 5 6'), stepsOf('m0 0 c1 2 3 4 5 6'))
  t.equal(stepsOf('M5 5 z l1 1'), 'M 5 5 | Z | L 6 6', 'a closed path goes on at its start')
})

t.test('pairs after a move are lines, and letters need not be repeated', async (t) => {
  t.equal(stepsOf('M0 0 1 1 2 2'), 'M 0 0 | L 1 1 | L 2 2')
  t.equal(stepsOf('m5 5 1 1 1 1'), 'M 5 5 | L 6 6 | L 7 7')
})

t.test('numbers are read as SVG packs them', async (t) => {
  t.equal(stepsOf('M.5.5L-1-1,1e1,2E-1 3. +4'), 'M 0.5 0.5 | L -1 -1 | L 10 0.2 | L 3 4')
  t.match(readPathData('M0 0a5 5 0 0110 0').steps, { length: 3 }, 'flags without a space')
  t.equal(stepsOf('  M 1 , 2\n\tL 3 4 '), 'M 1 2 | L 3 4')
})

t.test('smooth curves mirror the control point before, quadratic ones become cubic', async (t) => {
  t.equal(stepsOf('M0 0 C0 1 2 3 4 4 S7 8 9 9'), 'M 0 0 | C 0 1 2 3 4 4 | C 6 5 7 8 9 9')
  t.equal(stepsOf('M0 0 S7 8 9 9'), 'M 0 0 | C 0 0 7 8 9 9')
  t.equal(stepsOf('M0 0 Q3 3 6 0 T12 0'), 'M 0 0 | C 2 2 4 2 6 0 | C 8 -2 10 -2 12 0')
  t.equal(stepsOf('M0 0 Q3 3 6 0 S1 1 2 2'), 'M 0 0 | C 2 2 4 2 6 0 | C 6 0 1 1 2 2')
})

t.test('arcs keep to their circle', async (t) => {
  for (const flags of ['0 0', '0 1', '1 0', '1 1']) {
    const { steps } = readPathData(`M10 0 A10 10 0 ${flags} 0 10`)
    const centre = flags === '0 1' || flags === '1 0' ? [0, 0] : [10, 10]
    let from: readonly number[] = [10, 0]
    for (const step of steps.slice(1)) {
      for (const [x, y] of pointsOn(from, step)) {
        t.ok(Math.abs(Math.hypot(x - centre[0], y - centre[1]) - 10) < 0.01)
      }
      from = step.slice(5) as number[]
    }
    t.same(from, [0, 10], 'and end where they should')
    t.equal(steps.length - 1, flags[0] === '1' ? 3 : 1, 'the large one is three quarters')
  }
})

t.test('arcs out of range are put right', async (t) => {
  t.equal(stepsOf('M0 0A0 5 0 0 1 9 9'), 'M 0 0 | L 9 9', 'no radius: a line')
  t.equal(stepsOf('M0 0A5 5 0 0 1 0 0L1 1'), 'M 0 0 | L 1 1', 'no way: nothing')
  const { bounds } = readPathData('M0 0A1 1 0 0 1 20 0')
  t.ok(bounds[2] - bounds[0] > 19.9 && bounds[3] - bounds[1] > 9, 'too small a radius grows')
})

t.test('bounds hold what is drawn, not where the pen went', async (t) => {
  t.same(readPathData('M900 900 M10 20 L30 5 M-500 -500').bounds, [10, 5, 30, 20])
})

t.test('a path that is none is refused with the reason', async (t) => {
  const refused: [string, RegExp][] = [
    ['L1 1', /begin with M/],
    ['M', /lacks a number/],
    ['M0 0 L1', /lacks a number/],
    ['M0 0 X1 1', /no path data|lacks a number/],
    ['M0 0 L1 1 ; drop', /lacks a number/],
    ['M0 0 Z 5', /not path data/],
    ['M0 0', /empty/],
    ['M0 0 M5 5 Z', /empty/],
    ['M5 5 L5 5', /single point/],
    ['M0 0 L1e9 0', /too large/],
    ['M0 0 L1e999 0', /too large/],
    [`M0 0 ${'l9e5 0'.repeat(3)}`, /too large/],
    ['M0 0 LNaN 1', /lacks a number/],
    ['M0 0 a1 1 0 2 0 1 1', /lacks a number/],
    [`M0 0${'h1'.repeat(100_001)}`, /more than 100000 steps/],
  ]
  for (const [data, message] of refused) {
    t.throws(() => readPathData(data), { code: 'BAD_DRAWING', message }, data.slice(0, 40))
  }
})

t.test('the strokes of a drawing pad are taken out of its document', async (t) => {
  const svg = `<?xml version="1.0" encoding="UTF-8"?>
    <svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"
      viewBox="0 0 300 150" width="300" height="150"><title>Signature</title>
      <rect width="100%" height="100%" fill="white"></rect><g>
      <path d="M 1,2 C 3,4 5,6 7,8" stroke-width="2.25" stroke="black" fill="none"
        stroke-linecap="round"></path><path d='m 10 10 5 5'/>
      <circle cx="50" cy="60" r="2" fill="black"/></g></svg>`
  const { steps, bounds } = readPathData(pathDataOfDocument(svg))
  t.same(steps.slice(0, 4), [
    ['M', 1, 2],
    ['C', 3, 4, 5, 6, 7, 8],
    ['M', 10, 10],
    ['L', 15, 15],
  ])
  t.match(
    bounds,
    [1, 2, 52, 62].map((edge) => new RegExp(`^${edge}|^${edge - 1}\\.99`)),
  )
})

t.test('a document with anything but strokes is refused', async (t) => {
  const path = '<path d="M0 0L9 9"/>'
  const refused = [
    '<!DOCTYPE svg [<!ENTITY a "b">]><svg></svg>',
    '<svg><script>alert(1)</script></svg>',
    `<svg><foreignObject/>${path}</svg>`,
    '<svg><image href="http://a.example/x.png"/></svg>',
    '<svg><use href="#a"/></svg>',
    '<svg><style>path{display:none}</style></svg>',
    '<svg><path d="M0 0L9 9" transform="scale(1e9)"/></svg>',
    '<svg><g transform="scale(2)"><path d="M0 0L9 9"/></g></svg>',
    '<svg><path d="M0 0L9 9" onload="x()"/></svg>',
    '<svg><path d="M0 0&#76;9 9"/></svg>',
    `<svg><svg viewBox="0 0 1 1">${path}</svg></svg>`,
    `<g>${path}</g>`,
    `<svg>${path}`,
    `<svg>${path}text</svg>`,
    '<svg><circle r="1e"/></svg>',
    `<svg>${'<g/>'.repeat(20_001)}</svg>`,
  ]
  for (const svg of refused) {
    t.throws(() => pathDataOfDocument(svg), { code: 'BAD_DRAWING' }, svg.slice(0, 50))
  }
})
