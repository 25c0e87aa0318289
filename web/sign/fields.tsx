/** The places on a page where this participant signs. */
import { Sign } from '../design/parts.tsx'
import { useTexts } from '../texts/use-texts.ts'
import type { PageSize } from './page.tsx'
import { SignaturePreview } from './signature-preview.tsx'
import type { Draft, Place } from './use-draft.ts'

/** A step of the arrow keys, as a part of the page. */
const STEP = 0.02

const STEPS: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [-STEP, 0],
  ArrowRight: [STEP, 0],
  ArrowUp: [0, -STEP],
  ArrowDown: [0, STEP],
}

const within = (value: number, size: number) => Math.min(Math.max(value, 0), 1 - size)

/** The place around a point, or moved to it; wholly on its page. */
export function placeAt(page: number, size: PageSize, x: number, y: number): Place {
  const width = Math.min(0.36, 200 / size.width)
  const height = Math.min(0.12, (width * size.width * 0.36) / size.height)
  return {
    id: 'own',
    page,
    x: within(x - width / 2, width),
    y: within(y - height / 2, height),
    width,
    height,
    unit: 'fraction',
  }
}

function styleOf({ x, y, width, height, unit }: Place, size: PageSize): Record<string, string> {
  const across = unit === 'pt' ? size.width : 1
  const down = unit === 'pt' ? size.height : 1
  const percent = (part: number) => `${100 * part}%`
  return {
    left: percent(x / across),
    top: percent(y / down),
    width: percent(width / across),
    height: percent(height / down),
  }
}

function inPoints({ width, height, unit }: Place, size: PageSize) {
  return unit === 'pt'
    ? { width, height }
    : { width: width * size.width, height: height * size.height }
}

interface FieldsProps {
  page: number
  size: PageSize
  /** CSS pixels per point. */
  scale: number
  draft: Draft
  /** What the signed PDF says under the drawing. */
  lines: readonly string[]
  onOpen(): void
}

/** Places that the participant chose can be moved, also by the arrow keys. */
export function Fields({ page, size, scale, draft, lines, onOpen }: FieldsProps) {
  const texts = useTexts()
  const { places, drawing, isFree } = draft
  const move = (place: Place, event: KeyboardEvent) => {
    const step = isFree ? STEPS[event.key] : undefined
    if (!step) return
    event.preventDefault()
    const [x, y] = [within(place.x + step[0], place.width), within(place.y + step[1], place.height)]
    draft.putPlace({ ...place, x, y })
  }
  return places.map((place, index) => {
    if (place.page !== page) return null
    const isSigned = drawing !== undefined
    const label = isSigned ? texts.fieldSigned : texts.fieldToSign
    return (
      <button
        key={place.id}
        type="button"
        class={isSigned ? 'field signed' : 'field'}
        data-field={place.id}
        style={styleOf(place, size)}
        aria-label={label(index + 1, places.length)}
        {...(isFree ? { title: texts.placeMove } : {})}
        onClick={() => onOpen()}
        onKeyDown={(event) => move(place, event)}
      >
        {isSigned ? (
          <SignaturePreview
            drawing={drawing}
            lines={lines}
            isFramed={isFree}
            {...inPoints(place, size)}
            scale={scale}
          />
        ) : (
          <span class="field-word">
            <Sign name="pen" />
            {texts.fieldShort}
          </span>
        )}
      </button>
    )
  })
}
