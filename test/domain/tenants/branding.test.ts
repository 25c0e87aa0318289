import t from 'tap'
import { brandColours, contrastOf, findBranding } from '../../../domain/tenants/branding.ts'

/** Backgrounds of both themes, as `web/design/tokens.css` has them. */
const LIGHT_PAGES = ['#ffffff', '#f4f6f8']
const DARK_PAGES = ['#11161b', '#1a2128']
const LEAST = 4.5
const STEPS = [0x00, 0x33, 0x66, 0x99, 0xcc, 0xff]

const hex = (...parts: number[]) =>
  `#${parts.map((part) => part.toString(16).padStart(2, '0')).join('')}`
const allColours = STEPS.flatMap((red) =>
  STEPS.flatMap((green) => STEPS.map((blue) => hex(red, green, blue))),
)

t.test('contrast is that of WCAG', async (t) => {
  t.equal(contrastOf('#000000', '#ffffff'), 21)
  t.equal(contrastOf('#ffffff', '#000000'), 21)
  t.equal(contrastOf('#1b5e85', '#1b5e85'), 1)
  // The example of the WCAG's techniques: this grey on white is just below the limit.
  t.equal(contrastOf('#777777', '#ffffff').toFixed(2), '4.48')
})

t.test('every colour becomes readable buttons in both themes', async (t) => {
  for (const colour of allColours) {
    const { light, dark } = brandColours(colour)
    const pairs = [
      ...[light.text, ...LIGHT_PAGES].map((other) => [light.background, other]),
      ...[dark.text, ...DARK_PAGES].map((other) => [dark.background, other]),
    ] as [string, string][]
    const low = pairs.filter(([one, other]) => contrastOf(one, other) < LEAST)
    t.same(low, [], colour)
  }
})

t.test('a colour that is readable stays as it is', async (t) => {
  t.equal(brandColours('#1b5e85').light.background, '#1b5e85')
  t.equal(brandColours('#7CC0EA').dark.background, '#7cc0ea')
})

t.test('a finding says which colours are shown in place of the given one', async (t) => {
  t.equal(findBranding(undefined, undefined), undefined)
  t.equal(findBranding({}, undefined), undefined)
  const { light, dark } = brandColours('#ffcc00')
  t.match(findBranding({ colour: '#FFCC00' }, undefined), {
    isShown: true,
    reason: 'ColourAdjusted',
    message: new RegExp(`#ffcc00 is shown as ${light.background} .* as ${dark.background} `),
  })
  t.match(findBranding({ logo: 'AAAA' }, undefined), { isShown: true, reason: 'AsGiven' })
  t.match(findBranding({ colour: '#ffcc00', logo: 'AAAA' }, 'it is empty'), {
    isShown: false,
    reason: 'LogoRefused',
    message: /it is empty/,
  })
})
