/** Glyphs of Type 3 fonts draw within their box, with the colour of the text. */
import { Buffer } from 'node:buffer'
import t from 'tap'
import { findContentFault } from '../../../pades/syntax/content.ts'

const faultOf = (content: string) =>
  findContentFault(Buffer.from(content), [], { isPart: true, isGlyph: true })

const BOXED = '600 0 0 0 500 700 d1'
const TAKEN = [
  `${BOXED} 0 0 500 700 re f`,
  `${BOXED} -40 0 600 700 re f`,
  `${BOXED} q 500 0 0 700 0 0 cm BI /W 1 /H 1 /IM true ID a\nEI Q`,
  `${BOXED} q .1 0 0 .1 0 0 cm 0 0 m 4000 0 4000 100 5000 7000 c f Q 0 0 500 700 re f`,
  '600 0 500 700 0 0 d1 0 0 500 700 re f',
  '600 0 d0 0 0 9000 9000 re f',
  '600 0 d0 1 0 0 RG 0 0 m 9 9 l S',
  '0 0 9000 9000 re f',
]
for (const content of TAKEN) {
  t.test(`taken: ${content}`, async (t) => t.equal(faultOf(content), undefined))
}

const CUT = [
  '600 0 0 0 1 1 d1 0 0 600 600 re f',
  '600 0 0 0 0 0 d1 0 0 600 600 re f',
  '600 0 900 900 990 990 d1 0 0 m 600 0 l 600 600 l f',
  `${BOXED} q 10 0 0 10 0 0 cm 0 0 m 0 0 100 100 9 9 c f Q`,
  `${BOXED} 9000 0 0 9000 0 0 cm /X Do`,
  `${BOXED} 1 0 0 1 900 0 cm BI /W 1 /H 1 /IM true ID a\nEI`,
]
for (const content of CUT) {
  t.test(`cut: ${content}`, async (t) => t.equal(faultOf(content), 'GLYPH_CUT'))
}

const OUT_OF_ORDER = [
  `q Q ${BOXED} 0 0 9 9 re f`,
  '1 g 600 0 d0 0 0 9 9 re f',
  `${BOXED} 0 0 m 9 9 l S`,
  '600 0 d0 0 0 m 9 9 l S',
  '600 0 d0 0 0 9 9 re B',
  '600 0 d0 0 0 9 9 re',
]
for (const content of OUT_OF_ORDER) {
  t.test(`out of order: ${content}`, async (t) => t.equal(faultOf(content), 'CONTENT_ORDER'))
}
