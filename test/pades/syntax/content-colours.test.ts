/** Colours of a content stream have as many amounts as their space, and patterns are chosen. */
import { Buffer } from 'node:buffer'
import t from 'tap'
import { findContentFault } from '../../../pades/syntax/content.ts'
import type { NamedColours, Overprint } from '../../../pades/syntax/content-colours.ts'
import { CMYK, fractions } from '../../../pades/syntax/graphics/amounts.ts'

const INKS = { ranges: fractions(2), isIndex: false, isPattern: false, inks: 'spot' } as const
const PALETTE = { ranges: [[0, 3]], isIndex: true, isPattern: false } as const
const BASED = { ranges: CMYK, isIndex: false, isPattern: true }
const OVERPRINTS: Readonly<Record<string, Overprint>> = {
  All: { fill: true, stroke: true, isNonzero: true },
  _All: { fill: true, stroke: true, isNonzero: true },
  Fill: { fill: true, stroke: false, isNonzero: true },
  Zero: { fill: true, stroke: true, isNonzero: false },
  None: { fill: false, stroke: false, isNonzero: true },
}
const colours: NamedColours = {
  space: (name) => ({ Inks: INKS, Palette: PALETTE, Based: BASED })[name],
  isUncoloured: (name) => ({ Shape: true, 'Shape!': true, Picture: false })[name],
  overprint: (name, before) => OVERPRINTS[name] ?? before,
  blending: () => ({}),
  kindOf: (_category, name) => (name === 'Form' ? 'form' : 'other'),
}
const faultOf = (content: string, onInheritedColour = () => {}) =>
  findContentFault(Buffer.from(content), [], { colours, onInheritedColour })

const TAKEN = [
  '0 sc 0.5 SCN',
  '0.1 0.2 0.3 rg 0.1 0.2 0.3 sc',
  '0 0 0 1 K 0 0 0 1 SCN',
  '/DeviceRGB cs 1 1 1 sc /DeviceGray CS 1 SC',
  '/Inks cs 0.1 0.2 scn',
  '/Pattern cs /Picture scn',
  '/Based cs 0 0.3 1 1 /Shape scn /Picture scn',
  '/Palette cs 0 sc 3 scn',
  '/DeviceRGB cs -0.25 0.75 1.0001 sc -0.25 g -0.25 -1 1 RG',
  '1.05 0 -0.05 0 k /Inks cs 1.05 -0.05 scn',
  'q /DeviceRGB cs Q 0 sc',
  '/Pattern cs /Missing scn',
]
for (const content of TAKEN) {
  t.test(`taken: ${content}`, async (t) => t.equal(faultOf(content), undefined))
}

const REFUSED = [
  '0 1 1 sc',
  '1 1 0 sc',
  '/DeviceRGB cs 1 sc',
  '0 0 0 rg 0 sc',
  '/DeviceCMYK CS 1 SC',
  'q /DeviceRGB cs 0 0 0 sc Q 0 0 0 sc',
  '/Inks cs 0.1 scn',
  '/Unknown cs 0 scn',
  '/DeviceGray cs 0 /Picture scn',
  '/Pattern cs 0 scn',
  '/Pattern cs /Shape scn',
  '/Pattern cs 0.3 /Shape scn',
  '/Based cs /Shape scn',
  '/Based cs 0 0 0 0.3 /Picture scn',
  '/Palette cs 0 1 sc',
]
for (const content of REFUSED) {
  t.test(`refused: ${content}`, async (t) => t.equal(faultOf(content), 'CONTENT_OPERANDS'))
}

const OUT_OF_RANGE = [
  '5 5 5 5 k',
  '/DeviceCMYK cs 5 5 5 5 sc',
  '/DeviceCMYK CS 0 0 0 -3 SCN',
  '/DeviceRGB cs 5 0 0 sc',
  '/DeviceGray cs -5 scn',
  '0 0 0 1 K 2 0 0 0 SC',
  '/Inks cs 0 5 scn',
  '/Palette cs 4 sc',
  '/Palette cs -1 sc',
  '/Palette cs 0.5 sc',
  '/Based cs 5 5 5 5 /Shape scn',
  '/Based cs 5 5 5 5 /Shape#21 scn',
]
for (const content of OUT_OF_RANGE) {
  t.test(`refused: ${content}`, async (t) => t.equal(faultOf(content), 'CONTENT_VALUE'))
}

const SEEN = [
  '/All gs 0 0 0 0 k 0 0 9 9 re f',
  '0 0 0.1 0 k /Fill gs 0 0 9 9 re B',
  '/All gs 0 0 0 0 K 0 0 9 9 re S',
  '/All gs /Inks cs 0.1 0 scn BT (a) Tj ET',
  '/Zero gs /Inks cs 0 0 scn 0 0 9 9 re f',
  '/All gs /DeviceCMYK cs 0 0 0 0 sc 0 0 9 9 re f',
  '/All gs /Form Do',
  '/#5fAll gs 0 0 0 0 k 0 0 9 9 re f',
  '/All\0gs 0 0 0 0 k 0 0 9 9 re f',
]
for (const content of SEEN) {
  t.test(`overprint shows what is beneath: ${content}`, async (t) =>
    t.equal(faultOf(content), 'STATE_ODD'),
  )
}

const COVERED = [
  '/All gs 0 0 0 1 k 0 0 9 9 re f',
  '/Fill gs 0 0 0 0 K 0 0 9 9 re S',
  '/Zero gs 0 0 0 0 k 0 0 9 9 re f',
  '/All gs 1 g 0 0 9 9 re f 1 1 1 rg 0 0 9 9 re f',
  '/All gs /Inks cs 0.1 0.9 scn 0 0 9 9 re f',
  '/All gs /Pattern cs /Picture scn 0 0 9 9 re f',
  '/All gs /None gs 0 0 0 0 k 0 0 9 9 re f /Form Do',
  'q /All gs Q 0 0 0 0 k 0 0 9 9 re f /Form Do',
  '/All gs /Missing gs /Image Do',
]
for (const content of COVERED) {
  t.test(`overprint shows nothing else: ${content}`, async (t) =>
    t.equal(faultOf(content), undefined),
  )
}

t.test('a part that sets no colour space depends on what draws it', async (t) => {
  const inherits = (content: string) => {
    let times = 0
    t.equal(
      faultOf(content, () => times++),
      undefined,
    )
    return times > 0
  }
  t.ok(inherits('0 sc'))
  t.ok(inherits('q 0 g Q 0 SCN'))
  t.notOk(inherits('/DeviceGray cs 0 sc'))
  t.notOk(inherits('0 g 0 sc'))
})
