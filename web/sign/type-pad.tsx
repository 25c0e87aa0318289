/** A signature that is typed and shown in handwriting. */
import latinBoldUrl from '@fontsource/caveat/files/caveat-latin-700-normal.woff2?url'
import latinUrl from '@fontsource/caveat/files/caveat-latin-400-normal.woff2?url'
import latinExtendedBoldUrl from '@fontsource/caveat/files/caveat-latin-ext-700-normal.woff2?url'
import latinExtendedUrl from '@fontsource/caveat/files/caveat-latin-ext-400-normal.woff2?url'
import type { RefObject } from 'preact'
import { useEffect, useMemo, useState } from 'preact/hooks'
import { useIsKiosk } from '../lib/kiosk-context.ts'
import { useTexts } from '../texts/use-texts.ts'
import type { Taker } from './draw-pad.tsx'
import { writtenName, type Hand } from './image.ts'

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
const family = "'Hand Latin', 'Hand Latin Extended', cursive"
/** The styles to choose from; the first is that of the beginning. */
const HANDS: readonly Hand[] = [
  { family, weight: BOLD, slant: 0 },
  { family, weight: REGULAR, slant: 0 },
  { family, weight: BOLD, slant: 0.3 },
]

async function loadHands(): Promise<void> {
  const faces = FACES.map(
    ([name, weight, url]) => new FontFace(name, `url(${url})`, { weight: String(weight) }),
  )
  await Promise.all(
    faces.map(async (face) => {
      document.fonts.add(await face.load())
    }),
  )
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

/** @param props `name`: what is typed, at first the name of the participant */
export function TypePad({ taker, name, onName, style, onStyle }: TypePadProps) {
  const texts = useTexts()
  const isKiosk = useIsKiosk()
  const [isLoaded, setLoaded] = useState(false)
  useEffect(() => {
    // Without the font, the system's own is used.
    loadHands().then(
      () => setLoaded(true),
      () => setLoaded(true),
    )
  }, [])
  const trimmed = name.trim()
  const drawings = useMemo(
    () =>
      HANDS.map((hand) =>
        isLoaded && trimmed !== '' ? writtenName(trimmed, hand, INK) : undefined,
      ),
    [trimmed, isLoaded],
  )
  const drawing = drawings[style]
  taker.current = () => (drawing === undefined ? { fault: texts.typeEmpty } : { drawing })
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
      <Styles drawings={drawings} chosen={style} onChoose={onStyle} />
    </div>
  )
}
