/** Inline images that viewers paint differently are refused, as other images are. */
import { Buffer } from 'node:buffer'
import { deflateSync } from 'node:zlib'
import t from 'tap'
import { FAULTS, type FaultCode } from '../../../../pades/syntax/faults.ts'
import { verdictOn } from './painted.ts'
import { drawn } from './shown-alike.ts'

const SPACES = '/Ink [/Separation /Spot /DeviceGray << /FunctionType 2 /Domain [0 1] /N 1 >>]'
const verdictOnImage = (image: string, spaces = ''): string => {
  const content = `q 99 0 0 99 9 9 cm BI ${image} EI Q\n`
  return verdictOn(drawn({ resources: `/ColorSpace << ${SPACES} ${spaces} >>`, content }))
}
const hex = (data: Uint8Array | string) =>
  `${Buffer.from(data as string, 'latin1').toString('hex')}>`
const deflated = (entries: string, samples: string) => {
  const data = deflateSync(Buffer.from(samples, 'latin1'))
  return `${entries} /F [/AHx /Fl] ID ${data.toString('hex')}>`
}
const FOUR = '/W 2 /H 2 /BPC 8'
const FAX = '/W 4 /H 2 /BPC 1 /CS /G /F [/AHx /CCF] /DP'
const WHITE_ROWS = 'c0040040'

const TAKEN: Readonly<Record<string, string>> = {
  grey: `${FOUR} /CS /G ID abcd`,
  colours: `${FOUR} /CS /RGB ID abcdabcdabcd`,
  'the names in full': '/Width 1 /Height 1 /BitsPerComponent 8 /ColorSpace /DeviceGray ID a',
  'a mask': '/W 8 /H 2 /IM true ID ab',
  'a mask the other way round': '/W 8 /H 2 /IM true /D [1 0] ID ab',
  'the negative': `${FOUR} /CS /G /D [1 0] ID abcd`,
  'a palette': '/W 2 /H 1 /BPC 8 /CS [/I /G 1 <00ff>] ID \u0001\0',
  'a resource': deflated(`${FOUR} /CS /Ink`, 'abcd'),
  'rows that are predicted': deflated(
    `${FOUR} /CS /G /DP [null << /Predictor 15 /Columns 2 >>]`,
    '\0ab\0cd',
  ),
  fax: `${FAX} [null << /K -1 /Columns 4 >>] ID ${WHITE_ROWS}>`,
}
for (const [what, image] of Object.entries(TAKEN)) {
  t.test(`an inline image is taken: ${what}`, async (t) =>
    t.equal(verdictOnImage(image), 'accepted'),
  )
}

const REFUSED: Readonly<Record<string, readonly [FaultCode, string]>> = {
  'half of the range': ['IMAGE_ODD', `${FOUR} /CS /G /D [0 0.5] ID abcd`],
  'an empty range of a mask': ['IMAGE_ODD', '/W 8 /H 2 /IM true /D [0 0] ID ab'],
  'a range that is a string': ['IMAGE_ODD', `${FOUR} /CS /G /D (a) ID abcd`],
  'a mask that is a number': ['IMAGE_ODD', `${FOUR} /CS /G /IM 1 ID abcd`],
  'a mask that is null': ['IMAGE_ODD', `${FOUR} /CS /G /IM null ID abcd`],
  'a mask with colours': ['IMAGE_ODD', '/W 8 /H 2 /IM true /CS /G ID ab'],
  'the negative of sixteen bits': ['IMAGE_ODD', '/W 1 /H 1 /BPC 16 /CS /G /D [1 0] ID ab'],
  'no width': ['IMAGE_ODD', deflated('/H 2 /BPC 8 /CS /G', 'abcd')],
  'no bits': ['IMAGE_ODD', deflated('/W 2 /H 2 /CS /G', 'abcd')],
  'no colour space': ['IMAGE_ODD', deflated(FOUR, 'abcd')],
  'a pattern': ['IMAGE_ODD', deflated(`${FOUR} /CS /Pattern`, 'abcd')],
  'a colour space that is missing': ['IMAGE_ODD', deflated(`${FOUR} /CS /Foo`, 'abcd')],
  'a family without its parameters': ['IMAGE_ODD', deflated(`${FOUR} /CS /CalGray`, 'abcd')],
  'samples too few of a resource': ['IMAGE_DATA_ODD', deflated(`${FOUR} /CS /Ink`, 'abc')],
  'an index beyond the palette': ['IMAGE_DATA_ODD', '/W 2 /H 1 /BPC 8 /CS [/I /G 1 <00ff>] ID ab'],
  'parameters outside of an array': [
    'IMAGE_ODD',
    deflated(`${FOUR} /CS /G /DP << /Predictor 15 /Columns 2 >>`, '\0ab\0cd'),
  ],
  'rows of another length': [
    'IMAGE_DATA_ODD',
    deflated(`${FOUR} /CS /G /DP [null << /Predictor 15 /Columns 3 >>]`, '\0ab\0cd'),
  ],
  'text in place of JPEG': [
    'IMAGE_DATA_ODD',
    `${FOUR} /CS /G /F [/AHx /DCT] ID ${hex('\u00ff\u00d8 data \u00ff\u00d9')}`,
  ],
  'fax of another width': [
    'IMAGE_DATA_ODD',
    `${FAX} [null << /K -1 /Columns 8 >>] ID ${WHITE_ROWS}>`,
  ],
  'fax of too few rows': [
    'IMAGE_DATA_ODD',
    `${FAX.replace('/H 2', '/H 9')} [null << /K -1 /Columns 4 >>] ID ${WHITE_ROWS}>`,
  ],
  'fax with ends of rows that refer to others': [
    'IMAGE_DATA_ODD',
    `${FAX} [null << /K -1 /Columns 4 /EndOfLine true >>] ID ${WHITE_ROWS}>`,
  ],
}
for (const [what, [code, image]] of Object.entries(REFUSED)) {
  t.test(`an inline image is refused: ${what}`, async (t) =>
    t.match(verdictOnImage(image), FAULTS[code].text),
  )
}
