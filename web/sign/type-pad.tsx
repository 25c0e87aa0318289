/** A signature that is typed and shown in handwriting. */
import latinUrl from '@fontsource/caveat/files/caveat-latin-600-normal.woff2?url'
import latinExtendedUrl from '@fontsource/caveat/files/caveat-latin-ext-600-normal.woff2?url'
import type { RefObject } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { useIsKiosk } from '../lib/kiosk-context.ts'
import { useTexts } from '../texts/use-texts.ts'
import type { Taker } from './draw-pad.tsx'
import { writtenName } from './image.ts'

const INK = '#0f2c4d'
const MAXIMUM_NAME_LENGTH = 100
/** Two files of one hand: the plain letters, and those with diacritics. */
const FACES = { 'Hand Latin': latinUrl, 'Hand Latin Extended': latinExtendedUrl } as const
const HAND = "'Hand Latin', 'Hand Latin Extended', cursive"

async function loadHand(): Promise<void> {
  const faces = Object.entries(FACES).map(([name, url]) => new FontFace(name, `url(${url})`))
  await Promise.all(
    faces.map(async (face) => {
      document.fonts.add(await face.load())
    }),
  )
}

interface TypePadProps {
  taker: RefObject<Taker>
  name: string
  onName(name: string): void
}

/** @param props `name`: what is typed, at first the name of the participant */
export function TypePad({ taker, name, onName }: TypePadProps) {
  const texts = useTexts()
  const isKiosk = useIsKiosk()
  const [isLoaded, setLoaded] = useState(false)
  useEffect(() => {
    // Without the font, the system's own is used.
    loadHand().then(
      () => setLoaded(true),
      () => setLoaded(true),
    )
  }, [])
  const trimmed = name.trim()
  const drawing = isLoaded && trimmed !== '' ? writtenName(trimmed, HAND, INK) : undefined
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
      <div class="pad preview">
        {drawing === undefined ? null : <img src={drawing} alt={texts.typePreview} />}
      </div>
    </div>
  )
}
