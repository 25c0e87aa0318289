/** The look of a tenant: a colour and a logo, and the colours that pages show for it. Pure. */
import { Type, type Static } from '@sinclair/typebox'

/** The size of an image file. The processes list the resources of all tenants every few seconds. */
export const MAXIMUM_LOGO_BYTES = 12 * 1024
const MAXIMUM_LOGO_CHARACTERS = (MAXIMUM_LOGO_BYTES * 4) / 3
const COLOUR_PATTERN = '^#[0-9a-fA-F]{6}$'
/** A file of one octet or more, without line ends. */
const BASE64_PATTERN =
  '^([A-Za-z0-9+/]{4})*([A-Za-z0-9+/]{4}|[A-Za-z0-9+/]{3}=|[A-Za-z0-9+/]{2}==)$'

export const Branding = Type.Object(
  {
    colour: Type.Optional(
      Type.String({
        pattern: COLOUR_PATTERN,
        maxLength: 7,
        description:
          'Colour of buttons as #rrggbb; darkened or lightened where its contrast is too low',
      }),
    ),
    logo: Type.Optional(
      Type.String({
        pattern: BASE64_PATTERN,
        maxLength: MAXIMUM_LOGO_CHARACTERS,
        description: 'PNG or JPEG in base64 (RFC 4648, 4), at most 12 KB',
      }),
    ),
  },
  { description: 'Look of the signing pages, mails and evidence of the tenant' },
)
export type Branding = Static<typeof Branding>

const COLOUR = new RegExp(COLOUR_PATTERN)

/** Whether a text is a colour that a tenant may have. */
export const isBrandColour = (text: string): boolean => COLOUR.test(text)

/** A background and the text on it, each as `#rrggbb`. */
export interface ColourPair {
  background: string
  text: string
}

/** Colours for the light and the dark theme. */
export interface BrandColours {
  light: ColourPair
  dark: ColourPair
}

type Rgb = readonly [number, number, number]

const BLACK: Rgb = [0, 0, 0]
const WHITE: Rgb = [255, 255, 255]
/** The page of the light theme (`--ground`), its darker background. */
const LIGHT_PAGE: Rgb = [0xf4, 0xf6, 0xf8]
/** The cards of the dark theme (`--surface`), its lighter background. */
const DARK_PAGE: Rgb = [0x1a, 0x21, 0x28]
const DARK_TEXT = '#0b1016'
const LIGHT_TEXT = '#ffffff'
/** WCAG 2.2, 1.4.3 (AA) for text; buttons then also have the 3:1 of 1.4.11 to the page. */
const LEAST_CONTRAST = 4.5
const MIXING_STEPS = 100

function rgbOf(colour: string): Rgb {
  const value = Number.parseInt(colour.slice(1), 16)
  return [value >> 16, (value >> 8) & 0xff, value & 0xff]
}

const hexOf = (rgb: Rgb) => `#${rgb.map((part) => part.toString(16).padStart(2, '0')).join('')}`

/** WCAG 2.2, definition of relative luminance. */
function luminanceOf(rgb: Rgb): number {
  const [red, green, blue] = rgb.map((part) => {
    const share = part / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  }) as [number, number, number]
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

function ratioOf(one: Rgb, other: Rgb): number {
  const [darker, lighter] = [luminanceOf(one), luminanceOf(other)].sort((a, b) => a - b) as [
    number,
    number,
  ]
  return (lighter + 0.05) / (darker + 0.05)
}

/**
 * Returns the contrast of two colours (WCAG 2.2, definition of contrast ratio), from 1 to 21.
 *
 * @param one as `#rrggbb`; `other` too
 */
export const contrastOf = (one: string, other: string): number => ratioOf(rgbOf(one), rgbOf(other))

/** Mixes the colour with black or white, as little as possible, until it differs from the page. */
function untilReadable(colour: Rgb, towards: Rgb, page: Rgb): Rgb {
  for (let step = 0; step < MIXING_STEPS; step++) {
    const share = step / MIXING_STEPS
    const mixed = colour.map((part, index) =>
      Math.round(part + ((towards[index] as number) - part) * share),
    ) as unknown as Rgb
    if (ratioOf(mixed, page) >= LEAST_CONTRAST) return mixed
  }
  return towards
}

/**
 * Returns the colours of buttons for a tenant's colour. In the light theme the colour is darkened
 * until white text on it, and the button on the page, have a contrast of 4.5:1; in the dark theme
 * it is lightened for dark text.
 *
 * @param colour as `#rrggbb`
 */
export function brandColours(colour: string): BrandColours {
  const given = rgbOf(colour)
  return {
    light: { background: hexOf(untilReadable(given, BLACK, LIGHT_PAGE)), text: LIGHT_TEXT },
    dark: { background: hexOf(untilReadable(given, WHITE, DARK_PAGE)), text: DARK_TEXT },
  }
}

/** What the checks of a tenant's branding found, as a condition of its resource. */
export interface BrandingFinding {
  isShown: boolean
  /** One word. */
  reason: 'AsGiven' | 'ColourAdjusted' | 'LogoRefused'
  message: string
}

/**
 * Says whether the branding is shown, and with which colours.
 *
 * @param logoFault why the logo is refused, if it is
 * @returns undefined without branding
 */
export function findBranding(
  branding: Branding | undefined,
  logoFault: string | undefined,
): BrandingFinding | undefined {
  const { colour, logo } = branding ?? {}
  if (colour === undefined && logo === undefined) return undefined
  if (logoFault !== undefined) {
    return { isShown: false, reason: 'LogoRefused', message: `the logo is not shown: ${logoFault}` }
  }
  const { light, dark } = brandColours(colour ?? LIGHT_TEXT)
  const given = colour?.toLowerCase()
  if (given === undefined || (light.background === given && dark.background === given)) {
    return { isShown: true, reason: 'AsGiven', message: 'the branding is shown as given' }
  }
  const message =
    `for a contrast of ${LEAST_CONTRAST}:1, ${given} is shown as ${light.background} in the ` +
    `light theme and in mails, and as ${dark.background} in the dark theme`
  return { isShown: true, reason: 'ColourAdjusted', message }
}
