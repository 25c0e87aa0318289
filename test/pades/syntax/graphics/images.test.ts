/** Images that viewers paint differently are refused, and the data of others are whole. */
import { Buffer } from 'node:buffer'
import { deflateSync } from 'node:zlib'
import t from 'tap'
import { FAULTS } from '../../../../pades/syntax/faults.ts'
import { imageOf, painting, PARTS, streamOf, verdictOn } from './painted.ts'

const GREY = '/BitsPerComponent 8 /ColorSpace /DeviceGray'
const RGB = '/BitsPerComponent 8 /ColorSpace /DeviceRGB'
const EIGHT = 'abcdefgh'
const MASK = '/ImageMask true'
const PALETTE = '/ColorSpace [/Indexed /DeviceGray 2 (abc)]'
const [PART = ''] = PARTS

/** Rows of a PNG that begin with their filter. */
const rows = (filter: number, width = 4) =>
  Buffer.concat(Array.from({ length: 2 }, () => Buffer.from([filter, ...Buffer.alloc(width, 1)])))
const flate = (entries: string, data: Buffer | string) =>
  imageOf(`${entries} /Filter /FlateDecode`, deflateSync(data))
const predicted = (predictor: string, data: Buffer) =>
  flate(`${GREY} /DecodeParms << ${predictor} >>`, data)
const withSoftMask = (entries: string, data = EIGHT) =>
  painting(imageOf(`${GREY} /SMask ${PART}`, EIGHT), [imageOf(entries, data)])
const withStencil = (entries: string, data = 'ab') =>
  painting(imageOf(`${GREY} /Mask ${PART}`, EIGHT), [imageOf(entries, data)])

const TAKEN: Readonly<Record<string, Buffer>> = {
  grey: painting(imageOf(GREY, EIGHT)),
  colours: painting(imageOf(RGB, EIGHT.repeat(3))),
  'more data than pixels': painting(imageOf(GREY, `${EIGHT}\n`)),
  'four bits': painting(imageOf('/BitsPerComponent 4 /ColorSpace /DeviceGray', 'abcd')),
  'sixteen bits': painting(
    imageOf('/BitsPerComponent 16 /ColorSpace /DeviceGray', EIGHT.repeat(2)),
  ),
  'a mask': painting(imageOf(MASK, 'ab')),
  'a mask the other way round': painting(imageOf(`${MASK} /Decode [1 0]`, 'ab')),
  'the negative': painting(imageOf(`${RGB} /Decode [1 0 1 0 1 0]`, EIGHT.repeat(3))),
  'a palette': painting(imageOf(`/BitsPerComponent 8 ${PALETTE}`, '\0\u0001\u0002\0'.repeat(2))),
  'a palette of two bits': painting(imageOf(`/BitsPerComponent 2 ${PALETTE}`, '\u0024\u0024')),
  'a predicted palette': painting(
    flate(
      `/BitsPerComponent 8 ${PALETTE} /DecodeParms << /Predictor 12 /Columns 4 >>`,
      Buffer.from([0, 1, 1, 1, 1, 2, 1, 1, 1, 1]),
    ),
  ),
  deflated: painting(flate(GREY, EIGHT)),
  'deflated white, in few bytes': painting(
    flate(`/Width 2000 /Height 2000 ${GREY}`, Buffer.alloc(4_000_000, 255)),
  ),
  'deflated without a checksum': painting(
    imageOf(`${GREY} /Filter /FlateDecode`, deflateSync(EIGHT).subarray(0, -4)),
  ),
  'PNG rows': painting(predicted('/Predictor 15 /Columns 4', rows(4))),
  'TIFF rows': painting(predicted('/Predictor 2 /Columns 4', Buffer.from(EIGHT))),
  hexadecimal: painting(imageOf(`${GREY} /Filter /ASCIIHexDecode`, `${'61'.repeat(8)}>`)),
  'a transparent colour': painting(imageOf(`${GREY} /Mask [10 20]`, EIGHT)),
  'a soft mask': withSoftMask(GREY),
  'a stencil': withStencil(MASK),
  fax: painting(
    imageOf(
      `${MASK} /Filter /CCITTFaxDecode /DecodeParms << /K -1 /Columns 4 >>`,
      Buffer.from('c0040040', 'hex'),
    ),
  ),
}
for (const [what, file] of Object.entries(TAKEN)) {
  t.test(`an image is taken: ${what}`, async (t) => t.equal(verdictOn(file), 'accepted'))
}

const ODD: Readonly<Record<string, string>> = {
  'no width': streamOf(`/Type /XObject /Subtype /Image /Height 2 ${GREY}`, EIGHT),
  'no height in pixels': imageOf(`/Width 4 /Height 2.5 ${GREY}`, EIGHT),
  'a negative width': imageOf(`/Width -4 /Height 2 ${GREY}`, EIGHT),
  'the abbreviation of a width': imageOf(`${GREY} /W 4`, EIGHT),
  'another image for printing': imageOf(`${GREY} /Alternates []`, EIGHT),
  'no bits': imageOf('/ColorSpace /DeviceGray', EIGHT),
  'three bits': imageOf('/BitsPerComponent 3 /ColorSpace /DeviceGray', EIGHT),
  'a mask of eight bits': imageOf(`${MASK} /BitsPerComponent 8`, EIGHT),
  'a mask that is a word': imageOf(`/ImageMask /true ${GREY}`, EIGHT),
  'a mask of a mask': imageOf(`${MASK} /Mask [0 0]`, 'ab'),
  'no colour space': imageOf('/BitsPerComponent 8', EIGHT),
  'an unknown colour space': imageOf('/BitsPerComponent 8 /ColorSpace /Foo', EIGHT),
  'a pattern': imageOf('/BitsPerComponent 8 /ColorSpace /Pattern', EIGHT),
  'half of the range': imageOf(`${GREY} /Decode [0 0.5]`, EIGHT),
  'twice the range': imageOf(`${GREY} /Decode [0 2]`, EIGHT),
  'an empty range': imageOf(`${GREY} /Decode [0 0]`, EIGHT),
  'a range too few': imageOf(`${RGB} /Decode [1 0]`, EIGHT.repeat(3)),
  'half a range of a mask': imageOf(`${MASK} /Decode [1]`, 'ab'),
  'a transparent colour of sixteen bits': imageOf(
    '/BitsPerComponent 16 /ColorSpace /DeviceGray /Mask [10 20]',
    EIGHT.repeat(2),
  ),
  'a transparent colour of inks': imageOf(
    '/BitsPerComponent 8 /ColorSpace /DeviceCMYK /Mask [1 2 1 2 1 2 1 2]',
    EIGHT.repeat(4),
  ),
  'the negative of sixteen bits': imageOf(
    '/BitsPerComponent 16 /ColorSpace /DeviceGray /Decode [1 0]',
    EIGHT.repeat(2),
  ),
  'samples of Lab': imageOf(
    '/BitsPerComponent 8 /ColorSpace [/Lab << /WhitePoint [0.96 1 0.82]' +
      ' /Range [-100 100 -100 100] >>]',
    EIGHT.repeat(3),
  ),
  'a transparent index of two bits': imageOf(
    `/BitsPerComponent 2 ${PALETTE} /Mask [1 1]`,
    '\u0024\u0024',
  ),
  'a range of samples in an unknown colour space': imageOf('/Filter /JPXDecode /Decode [1 0]', ''),
  'a mask of JPEG 2000': imageOf(`${MASK} /Filter /JPXDecode`, ''),
  'a transparent colour of JPEG 2000': imageOf(`${GREY} /Filter /JPXDecode /Mask [1 2]`, ''),
  'half a transparent colour': imageOf(`${GREY} /Mask [10]`, EIGHT),
  'a transparent colour out of range': imageOf(`${GREY} /Mask [10 300]`, EIGHT),
  'a transparent colour between two': imageOf(`${GREY} /Mask [9.5 10.5]`, EIGHT),
  'opacity in the data': imageOf(`${GREY} /SMaskInData 1`, EIGHT),
  'a soft mask that is a dictionary': imageOf(`${GREY} /SMask << /S /Alpha >>`, EIGHT),
}
for (const [what, image] of Object.entries(ODD)) {
  t.test(`an image is refused: ${what}`, async (t) =>
    t.match(verdictOn(painting(image)), /an image has an entry/),
  )
}

t.test('parameters of an image are in an array as the filters are', async (t) => {
  const entries = `${GREY} /Filter [/FlateDecode] /DecodeParms << /Predictor 2 /Columns 4 >>`
  t.match(verdictOn(painting(imageOf(entries, deflateSync(EIGHT)))), /a filter of a stream/)
})

const FAX = '/Filter /CCITTFaxDecode /DecodeParms'
const DAMAGED: Readonly<Record<string, string>> = {
  'no data': imageOf(GREY, ''),
  'a sample too few': imageOf(GREY, EIGHT.slice(1)),
  'a bit too few of a mask': imageOf(MASK, 'a'),
  'a deflated sample too few': flate(GREY, EIGHT.slice(1)),
  'deflated data that are cut off': imageOf(
    `${GREY} /Filter /FlateDecode`,
    deflateSync(EIGHT).subarray(0, -6),
  ),
  'data that are not deflated': imageOf(`${GREY} /Filter /FlateDecode`, EIGHT),
  'an unknown filter': imageOf(`${GREY} /Filter /Foo`, EIGHT),
  'an index beyond the palette': imageOf(`/BitsPerComponent 8 ${PALETTE}`, '\u0003'.repeat(8)),
  'two bits beyond the palette': imageOf(`/BitsPerComponent 2 ${PALETTE}`, '\u0003\u0003'),
  'a row too few': predicted('/Predictor 12 /Columns 4', rows(0).subarray(5)),
  'a filter of rows that does not exist': predicted('/Predictor 12 /Columns 4', rows(5)),
  'rows of another length': predicted('/Predictor 12 /Columns 3', rows(0)),
  'rows of another depth': predicted('/Predictor 12 /Columns 4 /BitsPerComponent 4', rows(0)),
  'a predictor that does not exist': predicted('/Predictor 99 /Columns 4', rows(0)),
  'a filter behind that of JPEG': imageOf(
    `${GREY} /Filter [/DCTDecode /FlateDecode]`,
    deflateSync(EIGHT),
  ),
  'text instead of JPEG': imageOf(`${GREY} /Filter /DCTDecode`, EIGHT),
  'text instead of JPEG 2000': imageOf(`${GREY} /Filter /JPXDecode`, EIGHT),
  'fax of another width': imageOf(`${MASK} ${FAX} << /K -1 >>`, 'ab'),
  'fax of another height': imageOf(`${MASK} ${FAX} << /K -1 /Columns 4 /Rows 3 >>`, 'ab'),
  'fax of eight bits': imageOf(`${GREY} ${FAX} << /K -1 /Columns 4 >>`, 'ab'),
  'fax with an odd flag': imageOf(`${MASK} ${FAX} << /Columns 4 /BlackIs1 1 >>`, 'ab'),
  'JBIG2 of eight bits': imageOf(`${GREY} /Filter /JBIG2Decode`, 'ab'),
}
for (const [what, image] of Object.entries(DAMAGED)) {
  t.test(`an image is refused: ${what}`, async (t) =>
    t.match(verdictOn(painting(image)), /the data of an image/),
  )
}

t.test('masks of images are images with the right colours', async (t) => {
  t.match(verdictOn(withSoftMask(RGB, EIGHT.repeat(3))), /an image/)
  t.match(verdictOn(withSoftMask(MASK, 'ab')), /an image/)
  t.match(verdictOn(withSoftMask(GREY, 'a')), /the data of an image/)
  t.match(verdictOn(withStencil(GREY, EIGHT)), /an image/)
  const unnamed = painting(imageOf(`${GREY} /SMask ${PART}`, EIGHT), [streamOf(GREY, EIGHT)])
  t.match(verdictOn(unnamed), /an image/)
})

t.test('an image that decodes to more than twice its samples is refused', async (t) => {
  t.match(verdictOn(painting(flate(GREY, Buffer.alloc(1_000_000)))), /limits/)
})

t.test('an image has a soft mask or colours that are masked out, not both', async (t) => {
  const both = imageOf(`${GREY} /SMask ${PART} /Mask [0 0]`, EIGHT)
  const file = painting(both, [imageOf(GREY, EIGHT)])
  t.match(verdictOn(file), FAULTS.IMAGE_ODD.text)
})
