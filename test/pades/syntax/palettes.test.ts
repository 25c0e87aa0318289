/** Palettes that lack colours are refused, in objects and in inline images. */
import { Buffer } from 'node:buffer'
import { deflateSync } from 'node:zlib'
import t from 'tap'
import { PadesError } from '../../../pades/errors.ts'
import { readDocument } from '../../../pades/pdf/open.ts'
import { assertReadAlike } from '../../../pades/sign/unambiguous.ts'
import { findContentFault } from '../../../pades/syntax/content.ts'
import { encryptedPdf, WITHOUT_QPDF } from '../../fixtures/encrypted-pdf.ts'
import { buildPdf, FIRST_EXTRA } from '../../fixtures/pdf.ts'

const verdictOn = (file: Uint8Array): string => {
  try {
    readDocument(file, assertReadAlike)
    return 'accepted'
  } catch (error) {
    if (error instanceof PadesError) return error.message
    throw error
  }
}

const stream = (entries: string, data: string): string =>
  `<< ${entries} /Length ${data.length} >>\nstream\n${data}\nendstream`

const IMAGE = '/Type /XObject /Subtype /Image /Width 1 /Height 1 /BitsPerComponent 8'
/** A document that paints an image with a colour space; `objects` can be parts of it. */
const painted = (space: string, objects: readonly string[] = []) =>
  buildPdf({
    pages: [{ extra: `/Resources << /XObject << /X ${FIRST_EXTRA} 0 R >> >>` }],
    objects: [stream(`${IMAGE} /ColorSpace ${space}`, '\u0001'), ...objects],
  })
const PART = `${FIRST_EXTRA + 1} 0 R`
const profile = (components: number) => stream(`/N ${components}`, 'profile')
const deflated = (text: string) =>
  stream('/Filter /FlateDecode', deflateSync(text).toString('latin1'))

const WHOLE: Readonly<Record<string, Uint8Array>> = {
  'grey, two colours': painted('[/Indexed /DeviceGray 1 <0011>]'),
  'more bytes than colours': painted('[/Indexed /DeviceRGB 0 (abcd)]'),
  'a space of one family in an array': painted('[/Indexed [/DeviceCMYK] 0 (abcd)]'),
  'calibrated colours': painted('[/Indexed [/CalRGB << /WhitePoint [1 1 1] >>] 0 (abc)]'),
  'a profile': painted(`[/Indexed [/ICCBased ${PART}] 1 (abcdef)]`, [profile(3)]),
  'two inks': painted('[/Indexed [/DeviceN [/A /B] /DeviceGray null] 0 (ab)]'),
  'a table that is a stream': painted(`[/Indexed /DeviceRGB 1 ${PART}]`, [stream('', 'abcdef')]),
  'a deflated table': painted(`[/Indexed /DeviceRGB 1 ${PART}]`, [deflated('abcdef')]),
  'a reference to the whole space': painted(PART, ['[/Indexed /DeviceGray 0 (a)]']),
  'another array that begins with I': painted('/DeviceGray /Foo [/I /J /K /L]'),
}
for (const [what, file] of Object.entries(WHOLE)) {
  t.test(`a palette is whole: ${what}`, async (t) => t.equal(verdictOn(file), 'accepted'))
}

const SHORT: Readonly<Record<string, Uint8Array>> = {
  'no colour': painted('[/Indexed /DeviceRGB 0 ()]'),
  'a component too few': painted('[/Indexed /DeviceRGB 1 (abcde)]'),
  'an escape counted as one byte': painted('[/Indexed /DeviceRGB 0 (\\141b)]'),
  'a colour too few for a profile': painted(`[/Indexed [/ICCBased ${PART}] 1 (abcde)]`, [
    profile(3),
  ]),
  'a profile with an odd count': painted(`[/Indexed [/ICCBased ${PART}] 0 (abcd)]`, [profile(2)]),
  'an ink too few': painted('[/Indexed [/DeviceN [/A /B] /DeviceGray null] 0 (a)]'),
  'a short stream': painted(`[/Indexed /DeviceRGB 1 ${PART}]`, [stream('', 'abcde')]),
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
  'a space in an array of resources': painted('/DeviceGray /Foo [[/Indexed /DeviceGray 1 (a)]]'),
}
for (const [what, file] of Object.entries(SHORT)) {
  t.test(`a palette is refused: ${what}`, async (t) => t.match(verdictOn(file), /Indexed/))
}

t.test('a table whose data are damaged is refused', async (t) => {
  const damaged = stream('/Filter /FlateDecode', 'no data')
  t.match(verdictOn(painted(`[/Indexed /DeviceRGB 1 ${PART}]`, [damaged])), /damaged/)
})

t.test('an encrypted table is measured as it decrypts', { skip: WITHOUT_QPDF }, async (t) => {
  const [whole, short] = ['(abcdef)', '(abcde)'].map((table) =>
    encryptedPdf(painted(`[/Indexed /DeviceRGB 1 ${table}]`)),
  )
  t.equal(verdictOn(whole), 'accepted')
  t.match(verdictOn(short), /Indexed/)
})

const inline = (space: string) =>
  findContentFault(Buffer.from(`BI /W 1 /H 1 /BPC 8 /CS ${space} ID a EI Q`, 'latin1'))

t.test('palettes of inline images', async (t) => {
  for (const space of ['[/I /G 1 <0001>]', '[/Indexed /DeviceRGB 0 (abc)]', '[/I/CMYK 0(abcd)]']) {
    t.equal(inline(space), undefined, space)
  }
  for (const space of ['[/I /G 1 <00>]', '[/Indexed /RGB 0 ()]', '[/I /Cs1 0 (abc)]', '[/I /G]']) {
    t.equal(inline(space), 'PALETTE_ODD', space)
  }
})
