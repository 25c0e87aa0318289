/**
 * Content that readers may draw differently though its syntax is right: graphics states, layers,
 * the order of operators and their operands (ISO 32000-2, 8.2 to 8.6, 8.11 and 9.3; decision 248).
 */
import type { Random } from '../../../test/fixtures/mutations.ts'
import { add, pick, pickTarget } from './attacker.ts'
import type { Base } from './base.ts'
import { rewrite } from './object-changes.ts'
import { type Plan, streamOf } from './revision.ts'

const SQUARE = '40 60 120 90 re f'
const NUMBERS = ['0', '1', '-1', '0.5', '255', '2', '3.0', '-0.001', '99999', '.']
const WORDS = ['null', 'true', '/X', '(X)', '[1]', '[(X)]', '<< >>']
const OPERATORS: Readonly<Record<string, number>> = {
  ...{ g: 1, G: 1, rg: 3, k: 4, w: 1, J: 1, j: 1, M: 1, i: 1, Tr: 1, Tz: 1, Ts: 1, cm: 6, re: 4 },
  ...{ m: 2, l: 2, c: 6, v: 4, y: 4, h: 0, W: 0, 'W*': 0, n: 0, f: 0, S: 0, q: 0, Q: 0, BT: 0 },
  ...{ ET: 0, EMC: 0, gs: 1, Do: 1, cs: 1, sc: 1, scn: 1, sh: 1, Tf: 2, Tj: 1, TJ: 1, Td: 2, d: 2 },
  ...{ d0: 2, d1: 6, SC: 3, SCN: 4, K: 4, BX: 0, EX: 0, ri: 1 },
}
/** More than some readers take before one operator. */
const MANY = '1 '.repeat(40)
/** Colour spaces that need further operands. */
const SPACES = ['/Pattern cs', '/DeviceRGB cs 1 sc', '/DeviceGray cs 1 1 0 sc', '/DeviceCMYK CS']

/** An operator with operands that are sometimes of another kind or number. */
function operation(random: Random): string {
  const name = pick(Object.keys(OPERATORS), random)
  const count = (OPERATORS[name] ?? 0) + (random(12) === 0 ? 1 : 0)
  const operands = Array.from({ length: count }, () =>
    pick(random(6) === 0 ? WORDS : NUMBERS, random),
  )
  const odd = random(15) === 0 ? pick([MANY, ...SPACES, 'BT 7 Tr ( ) Tj ET'], random) : ''
  return [odd, ...operands, name].join(' ')
}

const STATES = [
  ...['/ca 0', '/ca -1', '/ca 2', '/CA true', '/TR /Identity', '/TR2 /Default', '/SMask /None'],
  ...[
    '/BM /Multiply',
    '/BM [/Foo /Screen]',
    '/Font [3 0 R 90]',
    '/AIS true',
    '/TK false',
    '/LW -5',
  ],
  ...['/BM /Screen', '/BM [/Foo /Difference]', '/LC 7', '/D [[0 0] 0]', '/ML 0', '/LJ 2'],
  '/TR << /FunctionType 2 /Domain [0 1] /N 1 /C0 [1] /C1 [1] >>',
]

/** Draws a square behind odd operators, with a state. */
export function operators(plan: Plan, base: Base, random: Random): void {
  const page = pickTarget(base, random, 'page', 'page')
  const form = add(
    plan,
    base,
    streamOf(
      [operation(random), '/G gs', operation(random), SQUARE, operation(random)].join('\n'),
      '/Type /XObject /Subtype /Form /BBox [0 0 300 200]' +
        ` /Resources << /ExtGState << /G << ${pick(STATES, random)} >> >> >>`,
    ),
  )
  const stamp = `/Type /Annot /Subtype /Stamp /F 4 /Rect [0 0 300 200] /AP << /N ${form} 0 R >>`
  const annotation = add(plan, base, `<< ${stamp} >>`)
  const found = /\/Annots\s*\[([^\]]*)\]/.exec(page.source)
  const items = `/Annots [${found?.[1] ?? ''} ${annotation} 0 R]`
  if (found) rewrite(plan, page, page.source.replace(found[0], items))
  else if (!page.source.includes('/Annots')) {
    rewrite(plan, page, page.source.replace('<<', `<< ${items}`))
  }
}
