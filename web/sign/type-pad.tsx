/** A signature that is typed and shown in handwriting. */
import latinBoldUrl from '@fontsource/caveat/files/caveat-latin-700-normal.woff2?url'
import latinUrl from '@fontsource/caveat/files/caveat-latin-400-normal.woff2?url'
import latinExtendedBoldUrl from '@fontsource/caveat/files/caveat-latin-ext-700-normal.woff2?url'
import latinExtendedUrl from '@fontsource/caveat/files/caveat-latin-ext-400-normal.woff2?url'
import type { RefObject } from 'preact'
import { useEffect, useMemo, useState } from 'preact/hooks'
import { useIsKiosk } from '../lib/kiosk-context.ts'
import { Fault } from '../design/parts.tsx'
import { useTexts } from '../texts/use-texts.ts'
import { FAMILY_LIST, loadAppearanceFont } from './appearance-font.ts'
import type { Taker } from './draw-pad.tsx'
import { canWrite, writtenName, type Hand } from './image.ts'

const INK = '#0f2c4d'
const MAXIMUM_NAME_LENGTH = 100
const REGULAR = 400
const BOLD = 700
/** Two files of each weight: the plain letters, and those with diacritics. */
const FACES = [
  ['Hand Latin', REGULAR, latinUrl],
  ['Hand Latin Extended', REGULAR, latinExtendedUrl],
  ['Hand Latin', BOLD, latinBoldUrl],
  ['Hand Latin Extended', BOLD, latinExtendedBoldUrl],
] as const
/** Letters that no hand has are taken from the fonts of the signed PDF. */
const family = `'Hand Latin', 'Hand Latin Extended', cursive, ${FAMILY_LIST}`
const NOT_LATIN = /[^\p{Script=Latin}\p{Script=Common}\p{Script=Inherited}]/u
/** The styles to choose from; the first is that of the beginning. */
const HANDS: readonly Hand[] = [
  { family, weight: BOLD, slant: 0 },
  { family, weight: REGULAR, slant: 0 },
  { family, weight: BOLD, slant: 0.3 },
]

let handsLoading: Promise<void> | undefined

async function loadFaces(): Promise<void> {
  const faces = FACES.map(
    ([name, weight, url]) => new FontFace(name, `url(${url})`, { weight: String(weight) }),
  )
  await Promise.all(
    faces.map(async (face) => {
      document.fonts.add(await face.load())
    }),
  )
}

/** Loads what a name is written with; without it, the system's own fonts are used. */
async function loadFonts(name: string): Promise<void> {
  // Fonts that could not be loaded are tried again with the next name.
  handsLoading ??= loadFaces().catch(() => {
    handsLoading = undefined
  })
  await Promise.allSettled([handsLoading, NOT_LATIN.test(name) && loadAppearanceFont([name])])
}

interface StylesProps {
  drawings: readonly (string | undefined)[]
  chosen: number
  onChoose(style: number): void
}

/** One picture of the name for each style. */
function Styles({ drawings, chosen, onChoose }: StylesProps) {
  const texts = useTexts()
  return (
    <fieldset class="hands">
      <legend>{texts.typeStyles}</legend>
      {drawings.map((drawing, index) => (
        <label key={index} class="hand">
          <input
            type="radio"
            name="hand"
            checked={index === chosen}
            aria-label={texts.typeStyle(index + 1)}
            onChange={() => onChoose(index)}
          />
          {drawing === undefined ? null : (
            <img src={drawing} alt={index === chosen ? texts.typePreview : ''} />
          )}
        </label>
      ))}
    </fieldset>
  )
}

interface TypePadProps {
  taker: RefObject<Taker>
  name: string
  onName(name: string): void
  /** Index in {@link HANDS}. */
  style: number
  onStyle(style: number): void
}

/** The name in each hand, and whether a font is missing for it, which is known later. */
function useDrawings(name: string) {
  const [loaded, setLoaded] = useState<string | undefined>(undefined)
  useEffect(() => {
    let isCurrent = true
    void loadFonts(name).then(() => isCurrent && setLoaded(name))
    return () => {
      isCurrent = false
    }
  }, [name])
  return useMemo(() => {
    const isWritten = name !== '' && HANDS.every((hand) => canWrite(name, hand))
    const isShown = isWritten && loaded !== undefined
    const drawings = HANDS.map((hand) => (isShown ? writtenName(name, hand, INK) : undefined))
    return { drawings, isFontMissing: name !== '' && !isWritten && loaded === name }
  }, [name, loaded])
}

/** @param props `name`: what is typed, at first the name of the participant */
export function TypePad({ taker, name, onName, style, onStyle }: TypePadProps) {
  const texts = useTexts()
  const isKiosk = useIsKiosk()
  const { drawings, isFontMissing } = useDrawings(name.trim())
  const drawing = drawings[style]
  taker.current = () => {
    if (isFontMissing) return { fault: texts.typeNoFont }
    return drawing === undefined ? { fault: texts.typeEmpty } : { drawing }
  }
  return (
    <div class="stack tight">
      <label class="stack tight">
        <span>{texts.typeLabel}</span>
        <input
          class="input"
          value={name}
          maxLength={MAXIMUM_NAME_LENGTH}
          autocomplete={isKiosk ? 'off' : 'name'}
          onInput={(event) => onName(event.currentTarget.value)}
        />
      </label>
      {isFontMissing ? null : <Styles drawings={drawings} chosen={style} onChoose={onStyle} />}
      <Fault>{isFontMissing ? texts.typeNoFont : null}</Fault>
    </div>
  )
}
