/** Drags something with finger, pen or mouse, and distinguishes that from a tap. */
import { useRef } from 'preact/hooks'

/** A finger that moves less is tapping. CSS pixels. */
const TAP_PX = 6
/** Nearer than this to the edge of the window, the document scrolls; the bars are there. */
const EDGE_PX = 110
const SCROLL_STEP_PX = 14

export interface DragPoint {
  clientX: number
  clientY: number
}

interface DragOptions {
  /** Called once at the beginning. @returns what is called for each move and at the end */
  begin(start: DragPoint): { move(at: DragPoint): void; end(): void }
}

/** The tap that follows a drag does not count. */
function swallowClick(): void {
  const stop = (event: Event) => {
    event.stopPropagation()
    event.preventDefault()
  }
  window.addEventListener('click', stop, { capture: true, once: true })
  window.setTimeout(() => window.removeEventListener('click', stop, { capture: true }), 0)
}

function scrollAtEdge({ clientY }: DragPoint): boolean {
  const isLow = clientY > window.innerHeight - EDGE_PX
  if (!isLow && clientY > EDGE_PX) return false
  const stepPx = isLow ? SCROLL_STEP_PX : -SCROLL_STEP_PX
  const beforePx = window.scrollY
  window.scrollBy({ top: stepPx, behavior: 'instant' })
  return window.scrollY !== beforePx
}

/**
 * Listens on the window, because the dragged element may be rendered again on another page.
 *
 * @returns the listener for `pointerdown`
 */
export function useDrag({ begin }: DragOptions): (event: PointerEvent) => void {
  const stop = useRef<(() => void) | undefined>(undefined)
  const latest = useRef(begin)
  latest.current = begin
  return (down) => {
    if (down.button !== 0) return
    stop.current?.()
    let drag: ReturnType<DragOptions['begin']> | undefined
    let at: DragPoint = down
    let frame = 0
    const follow = () => {
      if (scrollAtEdge(at)) drag?.move(at)
      frame = window.requestAnimationFrame(follow)
    }
    const move = (event: PointerEvent) => {
      if (event.pointerId !== down.pointerId) return
      at = event
      if (!drag && Math.hypot(at.clientX - down.clientX, at.clientY - down.clientY) < TAP_PX) return
      if (!drag) {
        drag = latest.current(down)
        follow()
      }
      drag.move(at)
    }
    const up = (event: PointerEvent) => {
      if (event.pointerId !== down.pointerId) return
      end()
      if (event.type === 'pointerup' && drag) swallowClick()
    }
    const end = () => {
      window.cancelAnimationFrame(frame)
      window.removeEventListener('pointermove', move)
      window.removeEventListener('pointerup', up)
      window.removeEventListener('pointercancel', up)
      stop.current = undefined
      drag?.end()
    }
    stop.current = end
    window.addEventListener('pointermove', move)
    window.addEventListener('pointerup', up)
    window.addEventListener('pointercancel', up)
  }
}
