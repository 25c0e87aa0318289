/** Watches which pages of the document are uncovered, and reports those that were viewed. */
import { useEffect, useRef } from 'preact/hooks'
import { ReadingTimes, type Sides } from './reading-times.ts'

const TICK_MS = 200
/** A timer that comes later than this was held up: the page may not have been shown meanwhile. */
const LONGEST_TICK_MS = 2 * TICK_MS

/** The window without the bars, and of that what pinch zoom and the keyboard leave. */
function openPart(pages: Element): Sides {
  const bottomOf = (selector: string) =>
    document.querySelector(selector)?.getBoundingClientRect().bottom ?? 0
  const bar = document.querySelector('.finish-bar')?.getBoundingClientRect()
  const { offsetLeft, offsetTop, width, height } = window.visualViewport ?? {
    offsetLeft: 0,
    offsetTop: 0,
    width: window.innerWidth,
    height: window.innerHeight,
  }
  // Zoomed pages scroll sideways in their region.
  const region = pages.getBoundingClientRect()
  return {
    left: Math.max(offsetLeft, region.left),
    top: Math.max(offsetTop, bottomOf('.tools-place'), bottomOf('.banner')),
    right: Math.min(offsetLeft + width, region.right),
    bottom: Math.min(offsetTop + height, bar?.top ?? Infinity),
  }
}

/** Whether the document cannot be read: the tab is hidden, or a dialog lies over the document. */
const isCovered = () => document.hidden || document.querySelector('dialog[open]') !== null

/**
 * Only pages that are painted count (a canvas is in them).
 *
 * @param isReady whether the sections with `data-page` are on the page
 * @param onViewed called with the number of a page, once or more often
 */
export function useViewedPages(isReady: boolean, onViewed: (page: number) => void): void {
  const report = useRef(onViewed)
  report.current = onViewed
  useEffect(() => {
    if (!isReady) return undefined
    const times = new ReadingTimes()
    let beforeMs = performance.now()
    const measure = () => {
      const nowMs = performance.now()
      const passedMs = Math.min(nowMs - beforeMs, LONGEST_TICK_MS)
      beforeMs = nowMs
      const pages = document.querySelector('.pages')
      if (!pages || isCovered()) return
      const open = openPart(pages)
      for (const canvas of pages.querySelectorAll('[data-page] .layers canvas')) {
        const section = canvas.closest<HTMLElement>('[data-page]')
        if (!section) continue
        const page = section.getBoundingClientRect()
        const number = Number(section.dataset['page'])
        if (times.add(number, page, open, passedMs)) report.current(number)
      }
    }
    const timer = window.setInterval(measure, TICK_MS)
    return () => window.clearInterval(timer)
  }, [isReady])
}
