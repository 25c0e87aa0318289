/** Tints of the colorant All are from paper to ink, as Ghostscript paints them. */
import { Buffer } from 'node:buffer'
import t from 'tap'
import { imageOf, painting, PARTS, streamOf, verdictOn } from './painted.ts'

const [PART = ''] = PARTS

/** What intake says of tints of the colorant All. */
const verdictOf = (space: string, tint: string): string =>
  verdictOn(
    painting(
      imageOf(
        `/BitsPerComponent 8 /ColorSpace [/Separation /All /${space} ${PART}]`,
        'a'.repeat(8),
      ),
      [tint],
    ),
  )
const ends = (entries: string) => `<< /FunctionType 2 /Domain [0 1] /N 1 ${entries} >>`
const sampled = (samples: readonly number[], entries = '') =>
  streamOf(
    `/FunctionType 0 /Domain [0 1] /Range [0 1] /Size [${samples.length}]` +
      ` /BitsPerSample 8 ${entries}`,
    Buffer.from(samples),
  )
const CALCULATED = streamOf('/FunctionType 4 /Domain [0 1] /Range [0 1]', '{1 exch sub}')

t.test('tints that become darker are taken', async (t) => {
  t.equal(verdictOf('DeviceGray', ends('/C0 [1] /C1 [0]')), 'accepted')
  t.equal(verdictOf('DeviceRGB', ends('/C0 [1 1 1] /C1 [.1 .1 .1]')), 'accepted')
  t.equal(verdictOf('DeviceCMYK', ends('/C0 [0 0 0 0] /C1 [1 1 1 1]')), 'accepted')
  t.equal(verdictOf('DeviceGray', sampled([255, 128, 0])), 'accepted')
  t.equal(verdictOf('DeviceGray', sampled([255, 0], '/Encode [0 1] /Decode [0 1]')), 'accepted')
})

t.test('other tints are refused', async (t) => {
  for (const [what, verdict] of Object.entries({
    'the negative': verdictOf('DeviceGray', ends('/C0 [0] /C1 [1]')),
    'the negative by default': verdictOf('DeviceGray', ends('')),
    'no ink': verdictOf('DeviceCMYK', ends('/C0 [0 0 0 0] /C1 [0 0 0 0]')),
    'a colour': verdictOf('DeviceCMYK', ends('/C0 [0 0 0 0] /C1 [0 1 1 0]')),
    'dark paper': verdictOf('DeviceGray', ends('/C0 [.5] /C1 [0]')),
    'a light tint between dark ones': verdictOf('DeviceGray', sampled([255, 0, 255, 0])),
    'the negative of samples': verdictOf('DeviceGray', sampled([255, 0], '/Decode [1 0]')),
    'samples from the last to the first': verdictOf(
      'DeviceGray',
      sampled([255, 0], '/Encode [1 0]'),
    ),
    'samples of more bits': verdictOf(
      'DeviceGray',
      streamOf(
        '/FunctionType 0 /Domain [0 1] /Range [0 1] /Size [2] /BitsPerSample 16',
        Buffer.from([255, 255, 0, 0]),
      ),
    ),
    'calculated tints': verdictOf('DeviceGray', CALCULATED),
  }))
    t.match(verdict, /a colour space lacks colours/, what)
})
