/** Small pictures of the pages beside the document, where the screen has room for them. */
import { useEffect, useRef, useState } from 'preact/hooks'
import { useTexts } from '../texts/use-texts.ts'
import type { OpenPdf } from './pdf.ts'

/** `--thumbnail` of the style sheet. */
const WIDTH_PX = 120
const WIDE = '(min-width: 1240px) and (min-height: 481px)'

/** Whether the screen has room beside the document. */
export function useIsWide(): boolean {
  const [isWide, setWide] = useState(() => window.matchMedia(WIDE).matches)
  useEffect(() => {
    const query = window.matchMedia(WIDE)
    const change = () => setWide(query.matches)
    query.addEventListener('change', change)
    return () => query.removeEventListener('change', change)
  }, [])
  return isWide
}

interface ThumbnailProps {
  pdf: OpenPdf
  number: number
  isCurrent: boolean
  /** Whether Tab leads to it. */
  isStop: boolean
  onGo(page: number): void
}

/** Painted when it is first seen, and kept: it is small. */
function Thumbnail({ pdf, number, isCurrent, isStop, onGo }: ThumbnailProps) {
  const texts = useTexts()
  const host = useRef<HTMLButtonElement>(null)
  const picture = useRef<HTMLSpanElement>(null)
  useEffect(() => {
    const observer = new IntersectionObserver((entries) => {
      // On a busy machine several reports come at once; the last one is how it is now.
      if (!entries.at(-1)?.isIntersecting) return
      observer.disconnect()
      const ratio = Math.min(window.devicePixelRatio || 1, 2)
      // A thumbnail that is missing has its number; the page itself reports the fault.
      pdf.picture(number, WIDTH_PX * ratio).then(
        (canvas) => {
          canvas.ariaHidden = 'true'
          picture.current?.replaceChildren(canvas)
        },
        () => undefined,
      )
    })
    if (host.current) observer.observe(host.current)
    return () => observer.disconnect()
  }, [pdf, number])
  useEffect(() => {
    // The list scrolls by itself, and the document does not move.
    const list = host.current?.closest('nav')
    if (!isCurrent || !list || !host.current) return
    const { offsetTop, offsetHeight } = host.current
    const isIn =
      offsetTop >= list.scrollTop && offsetTop + offsetHeight <= list.scrollTop + list.clientHeight
    if (!isIn) list.scrollTop = offsetTop - list.clientHeight / 3
  }, [isCurrent])
  return (
    <button
      ref={host}
      type="button"
      class="thumbnail"
      aria-label={texts.goToPage(number)}
      aria-current={isCurrent ? 'page' : undefined}
      tabIndex={isStop ? 0 : -1}
      data-thumbnail={number}
      onClick={() => onGo(number)}
    >
      <span ref={picture} class="thumbnail-picture" />
      {number}
    </button>
  )
}

interface ThumbnailsProps {
  pdf: OpenPdf
  page: number
  onGo(page: number): void
}

/** Where a key leads from a thumbnail (WAI-ARIA, toolbar). */
function nextOf(key: string, number: number, count: number): number | undefined {
  const next = { ArrowDown: number + 1, ArrowUp: number - 1, Home: 1, End: count }[key]
  return next !== undefined && next >= 1 && next <= count ? next : undefined
}

/** The page of the thumbnail where an event happens. */
const numberOf = ({ target }: Event): number => Number((target as HTMLElement).dataset['thumbnail'])

/**
 * One for each page, in a list that scrolls by itself. Tab leads to one of them, because a long
 * document would otherwise have hundreds of stops before its text; arrow keys lead to the others.
 */
export function Thumbnails({ pdf, page, onGo }: ThumbnailsProps) {
  const texts = useTexts()
  const [focused, setFocused] = useState<number | undefined>(undefined)
  const numbers = Array.from({ length: pdf.pageCount }, (_, index) => index + 1)
  const stop = focused ?? page
  const move = (event: KeyboardEvent) => {
    const next = nextOf(event.key, numberOf(event), pdf.pageCount)
    if (next === undefined) return
    event.preventDefault()
    document.querySelector<HTMLElement>(`[data-thumbnail="${next}"]`)?.focus()
  }
  return (
    <nav class="thumbnails" aria-label={texts.thumbnails}>
      <div
        role="toolbar"
        aria-label={texts.thumbnails}
        aria-orientation="vertical"
        onKeyDown={move}
        onFocusIn={(event) => setFocused(numberOf(event))}
        onFocusOut={() => setFocused(undefined)}
      >
        {numbers.map((number) => (
          <Thumbnail
            key={number}
            pdf={pdf}
            number={number}
            isCurrent={number === page}
            isStop={number === stop}
            onGo={onGo}
          />
        ))}
      </div>
    </nav>
  )
}
