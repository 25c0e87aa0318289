/** Colours of a content stream have as many amounts as their space, and patterns are chosen. */
import { Buffer } from 'node:buffer'
import t from 'tap'
import { findContentFault } from '../../../pades/syntax/content.ts'
import type { NamedColours } from '../../../pades/syntax/content-colours.ts'

const INKS = { amounts: 2, isPattern: false }
const BASED = { amounts: 1, isPattern: true }
const colours: NamedColours = {
  space: (name) => ({ Inks: INKS, Based: BASED })[name],
  isUncoloured: (name) => ({ Shape: true, Picture: false })[name],
}
const faultOf = (content: string, inheritsColours = false) =>
  findContentFault(Buffer.from(content), [], { colours, inheritsColours })

const TAKEN = [
  '0 sc 0.5 SCN',
  '0.1 0.2 0.3 rg 0.1 0.2 0.3 sc',
  '0 0 0 1 K 0 0 0 1 SCN',
  '/DeviceRGB cs 1 1 1 sc /DeviceGray CS 1 SC',
  '/Inks cs 0.1 0.2 scn',
  '/Pattern cs /Picture scn',
  '/Based cs 0.3 /Shape scn /Picture scn',
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
  '/Based cs 0.3 /Picture scn',
]
for (const content of REFUSED) {
  t.test(`refused: ${content}`, async (t) => t.equal(faultOf(content), 'CONTENT_OPERANDS'))
}

t.test('a part that sets no colour space depends on what draws it', async (t) => {
  t.equal(faultOf('0 sc', true), 'CONTENT_OPERANDS')
  t.equal(faultOf('/DeviceGray cs 0 sc', true), undefined)
  t.equal(faultOf('0 g 0 sc', true), undefined)
})
