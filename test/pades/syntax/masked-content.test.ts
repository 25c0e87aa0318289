/** What lies beside the box of a soft mask is hidden, but pdf.js draws some of it. */
import t from 'tap'
import { FAULTS } from '../../../pades/syntax/faults.ts'
import { verdictOn, streamOf } from './graphics/painted.ts'
import { drawn, FIRST, SECOND } from './graphics/shown-alike.ts'

const BESIDE_TEXT = FAULTS.MASK_BESIDE.text
const GROUP = '/Group << /S /Transparency /CS /DeviceGray >>'
const MASK = streamOf(
  `/Type /XObject /Subtype /Form /BBox [0 0 99 99] ${GROUP}`,
  '1 g 0 0 99 99 re f',
)
const BOX = '/Type /XObject /Subtype /Form /BBox [150 150 250 250]'
const SQUARE = '150 150 100 100 re f'
const GLYPHS =
  '<< /Type /Font /Subtype /Type3 /FontBBox [0 0 9 9] /FontMatrix [.1 0 0 .1 0 0]' +
  ' /FirstChar 97 /LastChar 97 /Widths [9] /Encoding << /Differences [97 /a] >> /CharProcs << >> >>'

interface Masked {
  /** Entries of the mask besides its group. */
  mask?: string
  /** The object that `/X` names. */
  object?: string
  /** Its category of resources. */
  category?: string
}

function verdictWith(content: string, masked: Masked = {}): string {
  const { mask = '/S /Luminosity', object, category = 'XObject' } = masked
  const states = `/M << /SMask << /G ${FIRST} ${mask} >> >> /N << /SMask /None >>`
  const named = object === undefined ? '' : `/${category} << /X ${SECOND} >>`
  const objects = [MASK, ...(object === undefined ? [] : [object])]
  return verdictOn(drawn({ content, resources: `/ExtGState << ${states} >> ${named}`, objects }))
}

const INLINE = 'q 50 0 0 50 9 9 cm BI /W 1 /H 1 /IM true ID a\nEI Q'
const SHADING =
  '<< /ShadingType 2 /ColorSpace /DeviceGray /Coords [0 0 9 0]' +
  ' /Function << /FunctionType 2 /Domain [0 1] /N 1 >> >>'

const BESIDE: readonly [content: string, masked?: Masked][] = [
  [`/M gs ${SQUARE}`],
  [`/M gs ${SQUARE}`, { mask: '/S /Alpha' }],
  ['/M gs 99 0 100 100 re f'],
  [`/M gs ${INLINE}`],
  [`/M gs ${INLINE}`, { mask: '/S /Luminosity /BC [0]' }],
  ['/M gs 9 w 150 150 m 250 250 l S'],
  ['/M gs 150 150 m 250 150 250 250 150 250 c B'],
  ['/M gs 150 150 m 0 0 0 0 250 250 c f'],
  ['99 w /M gs 110 10 m 110 90 l S'],
  ['150 150 100 100 re W n /M gs 0 0 300 300 re f'],
  ['150 150 100 100 re W n /M gs 99 w 145 150 m 145 250 l S'],
  ['150 150 m 0 0 250 150 v 250 250 l W n /M gs 0 0 300 300 re f'],
  [`/M gs q 1 0 0 1 900 0 cm Q ${SQUARE}`],
  ['q /M gs Q /M gs 1 0 0 1 200 0 cm 0 0 9 9 re f'],
  ['q 1 0 0 1 -500 0 cm /M gs Q q 1 0 0 1 -500 0 cm /M gs 300 0 600 99 re f Q'],
  ['150 150 100 100 re W n /M gs /X sh', { object: SHADING, category: 'Shading' }],
  ['/M gs /X Do', { object: streamOf(`${BOX} ${GROUP}`, SQUARE) }],
  ['/M gs /X Do', { object: streamOf(`${BOX} /Matrix [.5 0 0 .5 0 0]`, SQUARE) }],
  ['/M gs /X Do', { object: streamOf('/Subtype /Form /BBox [0 0 199 99]', SQUARE) }],
  ['/M gs BT /X 9 Tf (a) Tj ET', { object: GLYPHS, category: 'Font' }],
]
for (const [content, masked] of BESIDE) {
  t.test(`beside: ${content} ${JSON.stringify(masked) ?? ''}`, async (t) =>
    t.match(verdictWith(content, masked), BESIDE_TEXT),
  )
}

const ALIKE: readonly [content: string, masked?: Masked][] = [
  [SQUARE],
  ['/M gs 50 50 100 100 re f'],
  [`/M gs /N gs ${SQUARE}`],
  [`q /M gs Q ${SQUARE}`],
  [`/M gs ${SQUARE}`, { mask: '/S /Luminosity /BC [0]' }],
  ['/M gs 4 w 100 10 m 100 90 l S'],
  ['0 0 9 9 re W n /M gs 150 150 9 9 re f'],
  [`/M gs 1 0 0 1 -150 -150 cm ${SQUARE}`],
  ['q 1 0 0 1 150 150 cm /M gs 0 0 90 90 re f Q'],
  ['/M gs /X sh', { object: SHADING, category: 'Shading' }],
  [`q /M gs Q ${INLINE}`],
  [`/M gs /N gs ${INLINE}`],
  ['/M gs /X Do', { object: streamOf('/Subtype /Form /BBox [0 0 99 99]', '') }],
  ['/M gs /X Do', { object: streamOf(`/Subtype /Form /BBox [50 50 199 199] ${GROUP}`, SQUARE) }],
]
for (const [content, masked] of ALIKE) {
  t.test(`alike: ${content} ${JSON.stringify(masked) ?? ''}`, async (t) =>
    t.equal(verdictWith(content, masked), 'accepted'),
  )
}

t.test('a form is judged in its own coordinates', async (t) => {
  const resources = `/Resources << /ExtGState << /M << /SMask << /S /Alpha /G ${FIRST} >> >> >> >>`
  const form = (content: string, box = '0 0 300 300') =>
    streamOf(`/Subtype /Form /BBox [${box}] ${resources}`, content)
  t.match(verdictWith('/X Do', { object: form(`/M gs ${SQUARE}`) }), BESIDE_TEXT)
  t.equal(verdictWith('/X Do', { object: form(`/M gs ${SQUARE}`, '99 99 0 0') }), 'accepted')
  t.equal(verdictWith('/X Do', { object: form('/M gs 9 9 9 9 re f') }), 'accepted')
})

t.test('a mask without an area hides nothing in pdf.js', async (t) => {
  const group = streamOf(`/Type /XObject /Subtype /Form /BBox [9 9 9 99] ${GROUP}`)
  const resources = `/ExtGState << /M << /SMask << /S /Alpha /G ${FIRST} >> >> >>`
  t.match(verdictOn(drawn({ resources, objects: [group] })), FAULTS.STATE_ODD.text)
})
