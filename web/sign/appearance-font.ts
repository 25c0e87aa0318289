/** The font of signatures in the signed PDF, for their preview. */
import fontUrl from 'dejavu-fonts-ttf/ttf/DejaVuSans.ttf?url'
import type { TextMeasure } from '../../pades/appearance/layout.ts'
import { cleanText } from '../../pades/appearance/text.ts'

const FAMILY = 'Signature Appearance'
/** Widths are in thousandths of the font size. */
const MEASURED_SIZE_PX = 1_000
/** Scripts that the PDF shows: DejaVu Sans has their letters, and they need no joining. */
const SHOWN_SCRIPTS = 'Latin Greek Cyrillic Armenian Georgian Common Inherited'.split(' ')
const SHOWN = new RegExp(`^[${SHOWN_SCRIPTS.map((one) => `\\p{Script=${one}}`).join('')}]*$`, 'u')

/** As CSS names it; until the font is there, the browser takes another. */
export const appearanceFont = (sizePx: number) => `${sizePx}px '${FAMILY}', sans-serif`

let loading: Promise<void> | undefined

/** Loads the font once (330 KB); a font that cannot be loaded is tried again at the next call. */
export function loadAppearanceFont(): Promise<void> {
  loading ??= new FontFace(FAMILY, `url(${fontUrl})`).load().then(
    (face) => void document.fonts.add(face),
    () => {
      loading = undefined
    },
  )
  return loading
}

/** Measures each character by itself: the PDF has neither kerning nor ligatures. */
export function measureIn(context: CanvasRenderingContext2D): TextMeasure {
  const widths = new Map<string, number>()
  const widthOfCharacter = (character: string) => {
    const known = widths.get(character)
    if (known !== undefined) return known
    context.font = appearanceFont(MEASURED_SIZE_PX)
    const { width } = context.measureText(character)
    widths.set(character, width)
    return width
  }
  return {
    widthOf: (text) => [...cleanText(text)].reduce((sum, one) => sum + widthOfCharacter(one), 0),
    shown(text) {
      const forms = [cleanText(text), cleanText(text.normalize('NFKC'))]
      return forms.find((form) => SHOWN.test(form)) ?? ''
    },
  }
}
