/** Colour spaces that lack a part are refused, in objects and in inline images. */
import { Buffer } from 'node:buffer'
import { deflateSync } from 'node:zlib'
import t from 'tap'
import { findContentFault } from '../../../../pades/syntax/content.ts'
import { curveTag, profileWith } from '../../../fixtures/icc-profiles.ts'
import { encryptedPdf, WITHOUT_QPDF } from '../../../fixtures/encrypted-pdf.ts'
import { FIRST_EXTRA } from '../../../fixtures/pdf.ts'
import { imageOf, painting, PARTS, profileOf, streamOf, verdictOn } from './painted.ts'

/** A document that paints an image with a colour space; `parts` can be parts of it. */
const painted = (space: string, parts: readonly string[] = []) => {
  const entries = `/Width 1 /Height 1 /BitsPerComponent 8 /ColorSpace ${space}`
  return painting(imageOf(entries, '\0'.repeat(8)), parts)
}
const [PART = '', TINT = ''] = PARTS
const tint = (outputs: number) => {
  const colours = (value: number) => `[${Array(outputs).fill(value).join(' ')}]`
  return `<< /FunctionType 2 /Domain [0 1] /C0 ${colours(0)} /C1 ${colours(1)} /N 1 >>`
}
/** A tint that becomes so much of each of four inks. */
const ofInks = (most: number, range = '') => {
  const shape = `/FunctionType 2 /Domain [0 1] /N 1 ${range}`
  return `<< ${shape} /C0 [0 0 0 0] /C1 [${most} 0 0 ${most}] >>`
}
const stitched = (first: string, second: string) =>
  '<< /FunctionType 3 /Domain [0 1] /Bounds [0.5] /Encode [0 1 0 1]' +
  ` /Functions [${first} ${second}] >>`
const sampled = (range: string) =>
  streamOf(
    `/FunctionType 0 /Domain [0 1] /Size [2] /BitsPerSample 8 /Range [${range}]`,
    '\0'.repeat(8),
  )
const spot = (function_: string) => painted(`[/Separation /Gold /DeviceCMYK ${PART}]`, [function_])
const inks = (outputs: number) =>
  streamOf(
    `/FunctionType 4 /Domain [0 1 0 1] /Range [${Array(outputs).fill('0 1').join(' ')}]`,
    `{ add${' dup'.repeat(outputs - 1)} }`,
  )
const deflated = (text: string) => streamOf('/Filter /FlateDecode', deflateSync(text))

const MATRIX = '/Matrix [0.4124 0.2126 0.0193 0.3576 0.7152 0.1192 0.1805 0.0722 0.9505]'
const DAYLIGHT = '/WhitePoint [0.9505 1 1.089]'
const CALIBRATED = `<< ${DAYLIGHT} /Gamma [2.2 2.2 2.2] ${MATRIX} >>`
const RANGE = '/Range [-100 100 -100 100]'

const TAKEN: Readonly<Record<string, Uint8Array>> = {
  'grey, two colours': painted('[/Indexed /DeviceGray 1 <0011>]'),
  'more bytes than colours': painted('[/Indexed /DeviceRGB 0 (abcd)]'),
  'a space of one family in an array': painted('[/Indexed [/DeviceCMYK] 0 (abcd)]'),
  'calibrated colours': painted(`[/Indexed [/CalRGB ${CALIBRATED}] 0 (abc)]`),
  'a profile': painted(`[/Indexed [/ICCBased ${PART}] 1 (abcdef)]`, [profileOf(3)]),
  'two inks': painted(`[/Indexed [/DeviceN [/A /B] /DeviceGray ${PART}] 0 (ab)]`, [inks(1)]),
  'four inks of one': spot(ofInks(1)),
  'four inks of a table': spot(sampled('0 1 0 1 0 1 0 1')),
  'a little more than all ink': spot(stitched(ofInks(1), ofInks(1.04))),
  'one ink': painted(`[/Separation /Gold /DeviceRGB ${PART}]`, [tint(3)]),
  'inks over a profile': painted(`[/DeviceN [/A /B] [/ICCBased ${TINT}] ${PART}]`, [
    inks(3),
    profileOf(3),
  ]),
  'a profile with an alternate': painted(`[/ICCBased ${PART}]`, [
    profileOf(4, 'CMYK', '/Alternate /DeviceCMYK'),
  ]),
  'calibrated grey': painted('[/CalGray << /WhitePoint [0.9 1 1.1] /Gamma 2.2 >>]'),
  'the output of the document': painted(`/DeviceGray /Foo << /DestOutputProfile ${PART} >>`, [
    profileOf(3),
  ]),
  Lab: painted('/DeviceGray /Foo [/Lab << /WhitePoint [0.9 1 1.1] /Range [-100 100 -100 100] >>]'),

  'a table that is a stream': painted(`[/Indexed /DeviceRGB 1 ${PART}]`, [streamOf('', 'abcdef')]),
  'a deflated table': painted(`[/Indexed /DeviceRGB 1 ${PART}]`, [deflated('abcdef')]),
  'a reference to the whole space': painted(PART, ['[/Indexed /DeviceGray 0 (a)]']),
  'another array that begins with I': painted('/DeviceGray /Foo [/I /J /K /L]'),
}
for (const [what, file] of Object.entries(TAKEN)) {
  t.test(`a colour space is taken: ${what}`, async (t) => t.equal(verdictOn(file), 'accepted'))
}

const REFUSED: Readonly<Record<string, Uint8Array>> = {
  'more ink than there is': spot(ofInks(5)),
  'less than no ink': spot(ofInks(-3)),
  'more ink in a part of a function': spot(stitched(ofInks(1), ofInks(5))),
  'a table with more ink than there is': spot(sampled('0 1 0 1 0 1 0 5')),
  'no colour': painted('[/Indexed /DeviceRGB 0 ()]'),
  'a component too few': painted('[/Indexed /DeviceRGB 1 (abcde)]'),
  'an escape counted as one byte': painted('[/Indexed /DeviceRGB 0 (\\141b)]'),
  'a colour too few for a profile': painted(`[/Indexed [/ICCBased ${PART}] 1 (abcde)]`, [
    profileOf(3),
  ]),
  'an ink too few': painted(`[/Indexed [/DeviceN [/A /B] /DeviceGray ${PART}] 0 (a)]`, [inks(1)]),
  'tints beyond the domain': painted(`[/Separation /Gold /DeviceGray ${PART}]`, [
    tint(1).replace('/Domain [0 1]', '/Domain [0 0.1]'),
  ]),
  'a short stream': painted(`[/Indexed /DeviceRGB 1 ${PART}]`, [streamOf('', 'abcde')]),
  'a short deflated stream': painted(`[/Indexed /DeviceRGB 1 ${PART}]`, [deflated('abcde')]),
  'no table': painted('[/Indexed /DeviceRGB 0]'),
  'a table that is null': painted('[/Indexed /DeviceRGB 0 null]'),
  'an index above 255': painted(`[/Indexed /DeviceGray 256 (${'a'.repeat(257)})]`),
  'a negative index': painted('[/Indexed /DeviceGray -1 (a)]'),
  'a fraction': painted('[/Indexed /DeviceGray 0.5 (ab)]'),
  'a palette of a palette': painted('[/Indexed [/Indexed /DeviceGray 0 (a)] 0 (a)]'),
  'a pattern': painted('[/Indexed /Pattern 0 (abc)]'),
  'the abbreviation outside of inline images': painted('[/I /DeviceGray 0 (a)]'),
  'an entry too many': painted('[/Indexed /DeviceGray 0 (a) 0]'),
  'a space in another entry': painted('/DeviceGray /Foo [[/Indexed /DeviceGray 1 (a)]]'),
  'a profile with an odd count': painted(`[/ICCBased ${PART}]`, [profileOf(2)]),
  'a profile of another space': painted(`[/ICCBased ${PART}]`, [profileOf(3, 'GRAY')]),
  'a profile with another alternate': painted(`[/ICCBased ${PART}]`, [
    profileOf(3, 'RGB ', '/Alternate /DeviceGray'),
  ]),
  'a profile that is its own alternate': painted(PART, [
    `[/ICCBased ${TINT}]`,
    profileOf(3, 'RGB ', `/Alternate ${PART}`),
  ]),
  'a profile that is none': painted(`[/ICCBased ${PART}]`, [streamOf('/N 3', 'profile')]),
  'no profile': painted('[/ICCBased null]'),
  'no white point': painted(`[/CalRGB ${CALIBRATED.replace(DAYLIGHT, '')}]`),
  'a profile that shows white for black': painted(`[/ICCBased ${PART}]`, [
    streamOf('/N 1', profileWith('GRAY', { kTRC: curveTag(1, 0) })),
  ]),
  'no matrix': painted(`[/CalRGB << ${DAYLIGHT} >>]`),
  'a matrix that makes black': painted(`[/CalRGB << ${DAYLIGHT} /Matrix [0 0 0 0 0 0 0 0 0] >>]`),
  'a white that is none': painted('[/CalGray << /WhitePoint [0.01 1 0.01] >>]'),
  'a black that is grey': painted(`[/CalGray << ${DAYLIGHT} /BlackPoint [0.9 0.9 0.9] >>]`),
  'an exponent that makes black': painted(`[/CalGray << ${DAYLIGHT} /Gamma 100 >>]`),
  'exponents that make white': painted(
    `[/CalRGB << ${DAYLIGHT} /Gamma [0.01 0.01 0.01] ${MATRIX} >>]`,
  ),
  'Lab without a range': painted(`[/Lab << ${DAYLIGHT} >>]`),
  'Lab without hues': painted(`[/Lab << ${DAYLIGHT} /Range [0 0 0 0] >>]`),
  'Lab of another white': painted(`[/Lab << /WhitePoint [90 1 90] ${RANGE} >>]`),
  'the output of the document': painted(`/DeviceGray /Foo << /DestOutputProfile ${PART} >>`, [
    streamOf('/N 1', profileWith('GRAY', { kTRC: curveTag(1, 0) })),
  ]),
  'no parameters': painted('[/Lab]'),
  'two gammas': painted(`[/CalRGB ${CALIBRATED.replace('[2.2 2.2 2.2]', '[2.2 2.2]')}]`),
  'an ink without tints': painted('[/Separation /A /DeviceRGB null]'),
  'tints of another space': painted(`[/Separation /A /DeviceRGB ${PART}]`, [tint(4)]),
  'the ink None': painted(`[/Separation /None /DeviceRGB ${PART}]`, [tint(3)]),
  'inks of an ink': painted(`[/Separation /A [/Separation /B /DeviceGray ${PART}] ${PART}]`, [
    tint(1),
  ]),
}
for (const [what, file] of Object.entries(REFUSED)) {
  t.test(`a colour space is refused: ${what}`, async (t) =>
    t.match(verdictOn(file), /colour space|an image/),
  )
}

t.test('a table whose data are damaged is refused', async (t) => {
  const damaged = streamOf('/Filter /FlateDecode', 'no data')
  t.match(verdictOn(painted(`[/Indexed /DeviceRGB 1 ${PART}]`, [damaged])), /colour space/)
})

t.test('an encrypted table is measured as it decrypts', { skip: WITHOUT_QPDF }, async (t) => {
  const [whole, short] = ['(abcdef)', '(abcde)'].map((table) =>
    encryptedPdf(painted(`[/Indexed /DeviceRGB 1 ${table}]`)),
  )
  t.equal(verdictOn(whole), 'accepted')
  t.match(verdictOn(short), /colour space/)
})

const inline = (space: string) =>
  findContentFault(Buffer.from(`q BI /W 1 /H 1 /BPC 8 /CS ${space} ID a EI Q`, 'latin1'))

t.test('palettes of inline images', async (t) => {
  for (const space of ['[/I /G 1 <0001>]', '[/Indexed /DeviceRGB 0 (abc)]', '[/I/CMYK 0(abcd)]']) {
    t.equal(inline(space), undefined, space)
  }
  const odd = ['[\u0000/I /G 1 <00>]', '[%\n/I /G 1 <00>]']
  for (const space of [
    ...odd,
    '[/I /G 1 <00>]',
    '[/Indexed /RGB 0 ()]',
    '[/I /Cs1 0 (abc)]',
    '[/I /G]',
  ]) {
    t.equal(inline(space), 'PALETTE_ODD', space)
  }
})

/** A document with a colour space that no image has, only content can name it. */
const naming = (space: string, parts: readonly string[] = []) =>
  painted(`/DeviceGray /Foo ${space}`, parts)

t.test('colour spaces that only content names are judged', async (t) => {
  t.equal(verdictOn(naming(`[/Separation /A /DeviceRGB ${PART}]`, [tint(3)])), 'accepted')
  t.match(verdictOn(naming(`[/Separation /A /DeviceRGB ${PART}]`, [tint(4)])), /colour space/)
  t.match(verdictOn(naming('[/Separation /A /DeviceRGB /Identity]')), /colour space/)
  t.match(verdictOn(naming(`[/DeviceN [/A /B] /DeviceRGB ${PART}]`, [tint(3)])), /colour space/)
  t.match(verdictOn(naming('[/Indexed /DeviceRGB /Foo /Bar]')), /colour space/)
  const named = `[/DeviceN [/Lab /DeviceN] /DeviceGray ${PART}]`
  t.equal(verdictOn(naming(named, [inks(1)])), 'accepted', 'colorants named like families')
})

t.test('names that every object of the language has are not colour spaces', async (t) => {
  for (const name of ['constructor', 'toString', '__proto__']) {
    t.match(verdictOn(painted(`[/${name} /DeviceGray]`)), /an image/, name)
    t.match(verdictOn(painted(`/${name}`)), /an image/, name)
    t.equal(inline(`[/I /${name} 0 (abc)]`), 'PALETTE_ODD', name)
  }
})

t.test('a long chain of colour spaces or functions is refused', async (t) => {
  const count = 20_000
  const next = (index: number) => `${FIRST_EXTRA + 1 + ((index + 1) % count)} 0 R`
  const chain = (link: (index: number) => string) =>
    painted(
      `/DeviceGray /Foo ${PART}`,
      Array.from({ length: count }, (_, index) => link(index)),
    )
  const inked = chain((index) => `[/Separation /A ${next(index)} null]`)
  t.match(verdictOn(inked), /colour space/)
  const stitched = chain((index) => {
    const parts = `/Functions [${next(index)} ${next(index)}] /Bounds [0.5] /Encode [0 1 0 1]`
    return `<< /FunctionType 3 /Domain [0 1] ${parts} >>`
  })
  t.match(verdictOn(stitched), /a function/)
})
