/** One page of the document: its picture and text while it is near the screen, and the fields. */
import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { useTexts } from '../texts/use-texts.ts'
import type { OpenPdf, PaintedPage } from './pdf.ts'
import type { PageSize } from './place.ts'

interface PageProps {
  pdf: OpenPdf
  number: number
  count: number
  /** CSS pixels. */
  widthPx: number
  size: PageSize
  isNear: boolean
  onSize(size: PageSize): void
  /** Fractions of the page, from its top left. */
  onPress?: ((x: number, y: number) => void) | undefined
  children?: ComponentChildren
}

/** In place of a page that cannot be painted, for example because the device lacks memory. */
function PageFault({ onRetry }: { onRetry(): void }) {
  const texts = useTexts()
  return (
    <div class="notice bad page-fault stack" role="alert">
      <p>{texts.pageFailed}</p>
      <button type="button" class="button" onClick={onRetry}>
        {texts.tryAgain}
      </button>
    </div>
  )
}

/** Painted while `isNear`; what is far is let go of, so that long documents fit in memory. */
export function Page(props: PageProps) {
  const { pdf, number, count, widthPx, size, isNear, onSize, onPress } = props
  const texts = useTexts()
  const host = useRef<HTMLDivElement>(null)
  const painted = useRef<PaintedPage | undefined>(undefined)
  const [isBroken, setBroken] = useState(false)
  const [attempt, setAttempt] = useState(0)

  const show = (next: PaintedPage | undefined) => {
    host.current?.replaceChildren(...(next ? [next.canvas, next.text] : []))
    painted.current?.drop()
    painted.current = next
  }
  useEffect(() => {
    if (!isNear) {
      show(undefined)
      return undefined
    }
    const aborted = new AbortController()
    const paint = async () => {
      const next = await pdf.paint(number, widthPx, aborted.signal)
      if (aborted.signal.aborted) return next.drop()
      show(next)
      onSize(next.size)
      setBroken(false)
    }
    paint().catch(() => setBroken(!aborted.signal.aborted))
    return () => aborted.abort()
  }, [pdf, number, widthPx, isNear, attempt])
  useEffect(() => () => show(undefined), [])

  const press = (event: MouseEvent & { currentTarget: HTMLElement }) => {
    const box = event.currentTarget.getBoundingClientRect()
    onPress?.((event.clientX - box.left) / box.width, (event.clientY - box.top) / box.height)
  }
  const heightPx = (widthPx * size.height) / size.width
  return (
    <section
      class={onPress ? 'page placing' : 'page'}
      aria-label={texts.pageLabel(number, count)}
      data-page={number}
      style={{ width: `${widthPx}px`, height: `${heightPx}px` }}
    >
      <div ref={host} class="layers" onClick={press} />
      {isBroken ? <PageFault onRetry={() => setAttempt(attempt + 1)} /> : null}
      {props.children}
    </section>
  )
}
