/** A place that the participant chose: it can be dragged, resized, removed and moved by keys. */
import type { ComponentChildren } from 'preact'
import { useEffect } from 'preact/hooks'
import { Sign } from '../design/parts.tsx'
import { useTexts } from '../texts/use-texts.ts'
import { keepInView } from '../lib/keep-in-view.ts'
import { isTooLarge, movedTo, resizedTo, type PageSize, type SignatureField } from './place.ts'
import { useDrag, type DragPoint } from './use-drag.ts'
import type { Draft } from './use-draft.ts'

/** A step of the arrow keys, as a part of the page. */
const STEP = 0.02
const STEPS: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [-STEP, 0],
  ArrowRight: [STEP, 0],
  ArrowUp: [0, -STEP],
  ArrowDown: [0, STEP],
}
const PAGE_STEPS: Readonly<Record<string, number>> = { PageUp: -1, PageDown: 1 }
/** Above this part of the page, the button to remove the place is below it. */
const TOP_PART = 0.1
const HELP = 'place-help'

interface OwnPlaceProps {
  place: SignatureField
  size: PageSize
  pageCount: number
  draft: Draft
  label: string
  class: string
  style: Record<string, string>
  onOpen(): void
  children: ComponentChildren
}

/** The section of the page under a point, also where a bar lies over it. */
function sectionAt({ clientX, clientY }: DragPoint): HTMLElement | undefined {
  const under = document.elementsFromPoint(clientX, clientY)
  return under.find((one): one is HTMLElement => one.matches('section[data-page]'))
}

/** Where a key takes the place; undefined for other keys. */
function keyed(
  place: SignatureField,
  { key, shiftKey }: KeyboardEvent,
  size: PageSize,
  count: number,
) {
  const turn = PAGE_STEPS[key]
  if (turn !== undefined) {
    const page = Math.min(Math.max(place.page + turn, 1), count)
    return movedTo(place, page, place.x, place.y)
  }
  const step = STEPS[key]
  if (!step) return undefined
  const [across, down] = step
  if (shiftKey) return resizedTo(place, size, place.width + across, place.height + down)
  const isAtTop = down < 0 && place.y <= 0
  const isAtEnd = down > 0 && place.y + place.height >= 1 - 1e-6
  if (isAtTop && place.page > 1) return movedTo(place, place.page - 1, place.x, 1)
  if (isAtEnd && place.page < count) return movedTo(place, place.page + 1, place.x, 0)
  return movedTo(place, place.page, place.x + across, place.y + down)
}

function useMoves({ place, size, draft }: Pick<OwnPlaceProps, 'place' | 'size' | 'draft'>) {
  const dragMove = useDrag({
    begin(start) {
      const box = sectionAt(start)?.getBoundingClientRect()
      const held = box
        ? [
            (start.clientX - box.left) / box.width - place.x,
            (start.clientY - box.top) / box.height - place.y,
          ]
        : [place.width / 2, place.height / 2]
      let moved = place
      return {
        move(at) {
          const section = sectionAt(at)
          if (!section) return
          const { left, top, width, height } = section.getBoundingClientRect()
          const [x, y] = [(at.clientX - left) / width, (at.clientY - top) / height]
          moved = movedTo(place, Number(section.dataset['page']), x - held[0]!, y - held[1]!)
          draft.dragPlace(moved)
        },
        end: () => draft.putPlace(moved),
      }
    },
  })
  const dragSize = useDrag({
    begin(start) {
      const box = sectionAt(start)?.getBoundingClientRect()
      let resized = place
      return {
        move({ clientX, clientY }) {
          if (!box) return
          const width = place.width + (clientX - start.clientX) / box.width
          const height = place.height + (clientY - start.clientY) / box.height
          resized = resizedTo(place, size, width, height)
          draft.dragPlace(resized)
        },
        end: () => draft.putPlace(resized),
      }
    },
  })
  return { dragMove, dragSize }
}

/** The service accepts less of a large page: a place that comes from another page gets smaller. */
function useFit({ place, size, draft }: Pick<OwnPlaceProps, 'place' | 'size' | 'draft'>): void {
  const { isDragging } = draft
  useEffect(() => {
    if (isDragging || !isTooLarge(place, size)) return
    draft.putPlace(resizedTo(place, size, place.width, place.height))
  }, [place, size, isDragging])
}

/** A tap on it opens the pad; a tap elsewhere does not move it. */
export function OwnPlace(props: OwnPlaceProps) {
  const { place, size, pageCount, draft, label, style, onOpen, children } = props
  const texts = useTexts()
  const { dragMove, dragSize } = useMoves(props)
  useFit(props)
  const press = (event: KeyboardEvent & { currentTarget: HTMLElement }) => {
    if (event.key === 'Delete' || event.key === 'Backspace') return draft.removePlace()
    const next = keyed(place, event, size, pageCount)
    if (!next) return undefined
    event.preventDefault()
    keepInView(event.currentTarget)
    return draft.putPlace(next)
  }
  return (
    <div class={place.y < TOP_PART ? 'own-place at-top' : 'own-place'} style={style}>
      <button
        type="button"
        class={props.class}
        data-field={place.id}
        aria-label={label}
        aria-describedby={HELP}
        onClick={onOpen}
        onKeyDown={press}
        onPointerDown={dragMove}
      >
        {children}
      </button>
      <span id={HELP} hidden>
        {texts.placeMove}
      </span>
      <button
        type="button"
        class="own-remove"
        aria-label={texts.placeRemove}
        onClick={() => draft.removePlace()}
      >
        <Sign name="close" />
      </button>
      <span class="own-resize" aria-hidden="true" onPointerDown={dragSize} />
    </div>
  )
}
