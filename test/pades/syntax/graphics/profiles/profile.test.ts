/** ICC profiles with which some readers would show what others hide are refused. */
import { Buffer } from 'node:buffer'
import t from 'tap'
import { readProfileRanges } from '../../../../../pades/syntax/graphics/profiles/profile.ts'
import {
  curveTag,
  formulaTag,
  lightOf,
  onPaper,
  PRIMARIES,
  PROFILES,
  profileWith,
  type Table,
  tableTag,
  xyzTag,
} from '../../../../fixtures/icc-profiles.ts'

const light = (curve: Buffer) => profileWith('RGB ', lightOf(curve))
const grey = (curve: Buffer, connection?: string) =>
  profileWith('GRAY', { kTRC: curve }, connection)
const inks = (changes: Partial<Table> = {}, tag = 'A2B0') => {
  const table = { amounts: 4, places: 3, result: onPaper, ...changes }
  return profileWith('CMYK', { [tag]: tableTag(table) }, `${changes.connection ?? 'Lab'} `, 'prtr')
}
const luminanceOnPaper = (amounts: readonly number[]) => ((onPaper(amounts) + 16) / 116) ** 3
const { A2B0: printed = Buffer.alloc(0) } = {
  A2B0: tableTag({ amounts: 4, places: 3, result: onPaper }),
}

const TAKEN: Readonly<Record<string, Buffer>> = {
  ...PROFILES,
  'a curve of sRGB': light(formulaTag(3, 2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045)),
  'a formula of one number': light(formulaTag(0, 1.8)),
  'the identity': light(curveTag()),
  'a table of a curve': light(curveTag(0, 0.05, 0.21, 0.52, 1)),
  'a grey of lightness': grey(curveTag(0, 0.25, 0.5, 0.75, 1), 'Lab '),
  'daylight that is not adapted': profileWith('RGB ', {
    ...lightOf(curveTag(2.2)),
    rXYZ: xyzTag(0.4124, 0.2126, 0.0193),
    gXYZ: xyzTag(0.3576, 0.7152, 0.1192),
    bXYZ: xyzTag(0.1805, 0.0722, 0.9505),
    wtpt: xyzTag(0.9505, 1, 1.0891),
  }),
  'paper of a newspaper': inks({
    result: ([c = 0, m = 0, y = 0, k = 0]) =>
      100 * (1 - c * 0.3) * (1 - m * 0.4) * (1 - y * 0.1) * (1 - k * 0.55),
  }),
  'a table of bytes': inks({ isOfBytes: true }),
  'a table of XYZ': inks({ connection: 'XYZ', result: luminanceOnPaper }),
  'tables for each intent': profileWith(
    'CMYK',
    { A2B0: printed, A2B1: printed, A2B2: printed },
    'Lab ',
    'prtr',
  ),
}
for (const [what, profile] of Object.entries(TAKEN)) {
  t.test(`a profile is taken: ${what}`, async (t) => t.ok(readProfileRanges(profile)))
}

const spike = (at: number, lightness: number) => (amounts: readonly number[]) =>
  amounts.every((amount) => amount === at) ? lightness : onPaper(amounts)

/** The identity, but one grey, which is at no place of the table, is white. */
const peaked = Array.from({ length: 60_001 }, (_, index) => {
  return index === 36_779 ? 1 : index / 60_000
})

const REFUSED: Readonly<Record<string, Buffer>> = {
  'white for black': light(curveTag(1, 0)),
  'white for all colours': light(curveTag(1, 1)),
  'black for all colours': grey(curveTag(0, 0)),
  'white for one grey': grey(
    curveTag(...Array.from({ length: 101 }, (_, i) => (i === 37 ? 1 : (i / 100) ** 2.2))),
  ),
  'black for light greys': light(curveTag(100)),
  'white for dark greys': light(curveTag(0.01)),
  'white for black by a formula': light(formulaTag(3, 2.2, 0, 1, 1, 0.001)),
  'a formula that does not exist': light(formulaTag(5, 2.2)),
  'a formula that is cut off': light(formulaTag(3, 2.4)),
  'a curve that is cut off': light(curveTag(0, 1).subarray(0, 14)),
  'no curve': profileWith('RGB ', PRIMARIES),
  'two curves': profileWith('RGB ', { ...PRIMARIES, rTRC: curveTag(2), gTRC: curveTag(2) }),
  'green for red': profileWith('RGB ', {
    ...lightOf(curveTag(2.2)),
    rXYZ: PRIMARIES.gXYZ!,
    gXYZ: PRIMARIES.rXYZ!,
  }),
  'no green': profileWith('RGB ', { ...lightOf(curveTag(2.2)), gXYZ: xyzTag(0, 0, 0) }),
  'another tag in place of red': profileWith('RGB ', {
    ...lightOf(curveTag(2.2)),
    rXYZ: curveTag(),
  }),
  'paper that is black': inks({ result: (amounts) => 100 - onPaper(amounts) }),
  'ink that is white': inks({ result: () => 100 }),
  'one colour of a table that is white': inks({ places: 5, result: spike(0.75, 100) }),
  'one colour of a table that is black': inks({ places: 5, result: spike(0.25, 0) }),
  'a curve of a table that makes all inks one': inks({ places: 2, inputs: [0, 0.97, 0.98, 1] }),
  'a curve of a table that descends': inks({ inputs: [0, 1, 0.5, 1] }),
  'a curve of results with a peak between places': inks({ outputs: peaked }),
  'a table for another intent': profileWith(
    'CMYK',
    { A2B0: printed, A2B1: tableTag({ amounts: 4, places: 3, result: () => 100 }) },
    'Lab ',
    'prtr',
  ),
  'a table beside curves': profileWith('RGB ', {
    ...lightOf(curveTag(2.2)),
    A2B0: tableTag({ amounts: 3, places: 3, result: () => 1, connection: 'XYZ' }),
  }),
  'a table of another kind': profileWith('CMYK', { A2B0: Buffer.from('mAB '.padEnd(99)) }, 'Lab '),
  'a table that is cut off': profileWith('CMYK', { A2B0: printed.subarray(0, -600) }, 'Lab '),
  'a table of other colours': profileWith('RGB ', { A2B0: printed }, 'Lab '),
  'a transform that few readers know': profileWith('GRAY', {
    kTRC: curveTag(2.2),
    D2B0: curveTag(),
  }),
  'white paper that is black': profileWith('GRAY', {
    kTRC: curveTag(2.2),
    wtpt: xyzTag(0.01, 0.01, 0.01),
  }),
  'colours of the connection space': profileWith('Lab ', { A2B0: printed }, 'Lab '),
  'a link of two devices': profileWith('GRAY', { kTRC: curveTag(2.2) }, 'XYZ ', 'link'),
  'no tags': profileWith('GRAY', {}),
  'a header alone': (PROFILES.GRAY ?? Buffer.alloc(0)).subarray(0, 128),
  'tags behind the end': (PROFILES.GRAY ?? Buffer.alloc(0)).subarray(0, -4),
}
for (const [what, profile] of Object.entries(REFUSED)) {
  t.test(`a profile is refused: ${what}`, async (t) => t.notOk(readProfileRanges(profile)))
}

t.test('a tag that is there twice is refused', async (t) => {
  const twice = profileWith('GRAY', { kTRC: curveTag(2.2), kTRX: curveTag(1, 0) })
  t.ok(readProfileRanges(twice))
  twice.write('kTRC', twice.indexOf('kTRX'), 'latin1')
  t.notOk(readProfileRanges(twice))
})
