/** How large the pages are; what is read stays in the middle of the screen. */
import { useLayoutEffect, useRef, useState } from 'preact/hooks'

/** A point of a page, as parts of it, and where it is on the screen. */
interface Spot {
  page: Element
  across: number
  down: number
  x: number
  y: number
}

/** @returns undefined when there is no page in the middle: then nothing needs to stay */
function middle(): Spot | undefined {
  const [x, y] = [window.innerWidth / 2, window.innerHeight / 2]
  for (const page of document.querySelectorAll('[data-page]')) {
    const { left, top, bottom, width, height } = page.getBoundingClientRect()
    if (bottom >= y) return { page, across: (x - left) / width, down: (y - top) / height, x, y }
  }
  return undefined
}

function putBack({ page, across, down, x, y }: Spot): void {
  const { left, top, width, height } = page.getBoundingClientRect()
  page.parentElement?.scrollBy({ left: left + across * width - x, behavior: 'instant' })
  window.scrollBy({ top: top + down * height - y, behavior: 'instant' })
}

/** @returns the size, 1 to begin with, and what changes it */
export function useZoom() {
  const [zoom, setZoom] = useState(1)
  const spot = useRef<Spot | undefined>(undefined)
  const zoomTo = (next: number) => {
    spot.current = middle()
    setZoom(next)
  }
  useLayoutEffect(() => {
    if (spot.current) putBack(spot.current)
    spot.current = undefined
  }, [zoom])
  return { zoom, zoomTo }
}
