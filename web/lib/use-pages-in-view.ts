/** Which pages are near the screen, and which one is on most of it. */
import { useEffect, useRef, useState } from 'preact/hooks'

/** So much beyond the screen is prepared, and what is further away gives its memory back. */
const NEAR = '60% 0px'
const STEPS = [0, 0.1, 0.25, 0.5, 0.75, 1]

export interface PagesInView {
  near: ReadonlySet<number>
  /** Pages of which a part is on the screen; undefined before the browser has reported them. */
  shown: ReadonlySet<number> | undefined
  current: number
}

const NONE: PagesInView = { near: new Set([1]), shown: undefined, current: 1 }
const pageOf = (entry: IntersectionObserverEntry) =>
  Number((entry.target as HTMLElement).dataset.page)

/** @param isReady whether the sections with `data-page` are on the page */
export function usePagesInView(isReady: boolean): PagesInView {
  const [inView, setInView] = useState(NONE)
  const shownPx = useRef(new Map<number, number>())
  useEffect(() => {
    if (!isReady) return undefined
    const nearby = new IntersectionObserver(
      (entries) =>
        setInView((before) => {
          const near = new Set(before.near)
          for (const entry of entries) {
            if (entry.isIntersecting) near.add(pageOf(entry))
            else near.delete(pageOf(entry))
          }
          return { ...before, near }
        }),
      { rootMargin: NEAR },
    )
    const reading = new IntersectionObserver(
      (entries) =>
        setInView((before) => {
          for (const entry of entries) {
            shownPx.current.set(pageOf(entry), entry.intersectionRect.height)
          }
          const visible = [...shownPx.current].filter(([, heightPx]) => heightPx > 0)
          const [most] = visible.sort((a, b) => b[1] - a[1] || a[0] - b[0])
          const shown = new Set(visible.map(([page]) => page))
          return { ...before, shown, current: most?.[0] ?? before.current }
        }),
      { threshold: STEPS },
    )
    for (const section of document.querySelectorAll('[data-page]')) {
      nearby.observe(section)
      reading.observe(section)
    }
    return () => {
      nearby.disconnect()
      reading.disconnect()
    }
  }, [isReady])
  return inView
}
