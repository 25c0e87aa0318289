/** The fonts of signatures in the signed PDF, for their preview. */
import fontUrl from 'dejavu-fonts-ttf/ttf/DejaVuSans.ttf?url'
import type { TextMeasure } from '../../pades/appearance/layout.ts'
import { COMPLEX_SCRIPTS, isCommon } from '../../pades/appearance/scripts.ts'
import { cleanText } from '../../pades/appearance/text.ts'

const FAMILY = 'Signature Appearance'
/** DejaVu has letters of more scripts; the PDF and the page take them from other fonts. */
const FAMILY_RANGE =
  'U+0-58F, U+10A0-10FF, U+1C80-1CBF, U+1D00-2DFF, U+A640-A7FF, U+FB00-FB1C, U+FFFD'
/** Widths are in thousandths of the font size. */
const MEASURED_SIZE_PX = 1_000
/** Scripts whose letters the first font has, or whose letters each fill a square. */
const SIMPLE_SCRIPTS =
  'Latin Greek Cyrillic Armenian Georgian Common Inherited Han Hira Kana Bopo Hang'
const SHOWN_SCRIPTS = [...SIMPLE_SCRIPTS.split(' '), ...COMPLEX_SCRIPTS.map(({ script }) => script)]
const SHOWN = new RegExp(`^[${SHOWN_SCRIPTS.map((one) => `\\p{Script=${one}}`).join('')}]*$`, 'u')

const familyOf = (id: string) => `${FAMILY} ${id}`
const FAMILIES = [FAMILY, ...COMPLEX_SCRIPTS.map(({ id }) => familyOf(id))]
/** As CSS lists them. */
export const FAMILY_LIST = FAMILIES.map((name) => `'${name}'`).join(', ')

/** As CSS names it; until the fonts are there, and for Chinese, the browser takes another. */
export const appearanceFont = (sizePx: number) => `${sizePx}px ${FAMILY_LIST}, sans-serif`

const loading = new Map<string, Promise<void>>()

/** Loads a font once; one that cannot be loaded is tried again at the next call. */
function loadFace(family: string, url: string, descriptors?: FontFaceDescriptors): Promise<void> {
  const known = loading.get(family)
  if (known) return known
  const started = new FontFace(family, `url(${url})`, descriptors).load().then(
    (face) => void document.fonts.add(face),
    () => void loading.delete(family),
  )
  loading.set(family, started)
  return started
}

/**
 * Loads the fonts that the lines need: 330 KB, and some 50 KB for each further script. A chunk with
 * their addresses comes with the first of them.
 */
export async function loadAppearanceFont(lines: readonly string[] = []): Promise<void> {
  const first = loadFace(FAMILY, fontUrl, { unicodeRange: FAMILY_RANGE })
  const text = lines.join(' ')
  const needed = isCommon(cleanText(text))
    ? []
    : COMPLEX_SCRIPTS.filter(({ letters }) => letters.test(text))
  if (needed.length > 0) {
    const { SCRIPT_FONTS } = await import('./script-fonts.ts')
    await Promise.all(needed.map(({ id }) => loadFace(familyOf(id), SCRIPT_FONTS[id]!)))
  }
  await first
}

/**
 * Measures common text by the character: the PDF has neither kerning nor ligatures there. Text of
 * other scripts is measured as the browser shapes it, which is how the PDF has it.
 */
export function measureIn(context: CanvasRenderingContext2D): TextMeasure {
  const widths = new Map<string, number>()
  const widthOfText = (text: string) => {
    const known = widths.get(text)
    if (known !== undefined) return known
    context.font = appearanceFont(MEASURED_SIZE_PX)
    const { width } = context.measureText(text)
    widths.set(text, width)
    return width
  }
  return {
    widthOf(text) {
      const cleaned = cleanText(text)
      if (!isCommon(cleaned)) return widthOfText(cleaned)
      return [...cleaned].reduce((sum, one) => sum + widthOfText(one), 0)
    },
    shown(text) {
      const forms = [cleanText(text), cleanText(text.normalize('NFKC'))]
      return forms.find((form) => SHOWN.test(form)) ?? ''
    },
  }
}
