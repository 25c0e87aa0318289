/** One field on a page: dragged, resized, moved by keyboard, removed. */
import { useRef } from 'preact/hooks'
import { Sign } from '../design/parts.tsx'
import { keepInView } from '../lib/keep-in-view.ts'
import { moved, resized, type Box, type PageSize, type Place } from './places.ts'

export interface FieldTexts {
  fieldOf(name: string, page: number): string
  fieldRemove(name: string, page: number): string
  fieldHint: string
}

interface FieldBoxProps {
  place: Place
  name: string
  /** Which colour: the number of the person. */
  color: number
  size: PageSize
  pageCount: number
  texts: FieldTexts
  onChange(place: Place): void
  onRemove(): void
}

const STEP_PT = 6
/** Colours in the style sheet. */
export const COLORS = 6
const ARROWS: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [-STEP_PT, 0],
  ArrowRight: [STEP_PT, 0],
  ArrowUp: [0, -STEP_PT],
  ArrowDown: [0, STEP_PT],
}

const percent = (part: number, whole: number) => `${(part / whole) * 100}%`

/** Follows the pointer from where it went down. @returns handlers of an element */
function useDrag(
  place: Place,
  size: PageSize,
  change: (box: Box, dx: number, dy: number, size: PageSize) => Box,
  onChange: (place: Place) => void,
) {
  const start = useRef<{ x: number; y: number; scale: number; box: Place } | undefined>(undefined)
  return {
    onPointerDown(event: PointerEvent & { currentTarget: HTMLElement }) {
      const sheet = event.currentTarget.closest('.sheet')
      if (!sheet || event.button !== 0) return
      event.stopPropagation()
      event.currentTarget.setPointerCapture(event.pointerId)
      const scale = size.width / sheet.getBoundingClientRect().width
      start.current = { x: event.clientX, y: event.clientY, scale, box: place }
    },
    onPointerMove(event: PointerEvent) {
      if (!start.current) return
      const { x, y, scale, box } = start.current
      const changed = change(box, (event.clientX - x) * scale, (event.clientY - y) * scale, size)
      onChange({ ...place, ...changed })
    },
    onPointerUp(event: PointerEvent) {
      event.stopPropagation()
      start.current = undefined
    },
    onPointerCancel: () => (start.current = undefined),
  }
}

/** The field; its button takes the keys, so that screen readers announce it. */
export function FieldBox(props: FieldBoxProps) {
  const { place, name, color, size, pageCount, texts, onChange, onRemove } = props
  const move = useDrag(place, size, moved, onChange)
  const resize = useDrag(place, size, resized, onChange)
  const onKeyDown = (event: KeyboardEvent & { currentTarget: HTMLElement }) => {
    const [dx, dy] = ARROWS[event.key] ?? []
    if (dx !== undefined && dy !== undefined) {
      const change = event.shiftKey ? resized : moved
      onChange({ ...place, ...change(place, dx, dy, size) })
      keepInView(event.currentTarget)
    } else if (event.key === 'Delete' || event.key === 'Backspace') {
      onRemove()
    } else if (event.key === 'PageUp' || event.key === 'PageDown') {
      const page = place.page + (event.key === 'PageUp' ? -1 : 1)
      if (page >= 1 && page <= pageCount) onChange({ ...place, page })
    } else return
    event.preventDefault()
  }
  return (
    <div
      class={`field-box person-${color % COLORS}`}
      style={{
        left: percent(place.x, size.width),
        top: percent(place.y, size.height),
        width: percent(place.width, size.width),
        height: percent(place.height, size.height),
      }}
    >
      <button
        type="button"
        class="field-grip"
        data-field={place.key}
        aria-label={texts.fieldOf(name, place.page)}
        aria-describedby="field-hint"
        onKeyDown={onKeyDown}
        {...move}
      >
        <bdi>{name}</bdi>
      </button>
      <span class="field-handle" aria-hidden="true" {...resize} />
      <button
        type="button"
        class="field-remove"
        aria-label={texts.fieldRemove(name, place.page)}
        onPointerUp={(event) => event.stopPropagation()}
        onPointerDown={(event) => event.stopPropagation()}
        onClick={onRemove}
      >
        <Sign name="close" />
      </button>
    </div>
  )
}
