/** One page of the document, on which fields are drawn. */
import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import type { LocalPdf } from './pdf.ts'
import { between, type Box } from './places.ts'

interface SheetProps {
  pdf: LocalPdf
  /** From 1. */
  number: number
  label: string
  /** A box was drawn, or a point was clicked. */
  onDraw(box: Box): void
  /** The page is in the middle of the view, or one of its fields has the focus. */
  onShown(): void
  children: ComponentChildren
}

/** Paints the page once it is near the view. */
function usePainted(pdf: LocalPdf, number: number, onShown: () => void) {
  const sheet = useRef<HTMLDivElement>(null)
  const canvas = useRef<HTMLCanvasElement>(null)
  const shown = useRef(onShown)
  shown.current = onShown
  useEffect(() => {
    const element = sheet.current
    if (!element) return undefined
    let isPainted = false
    // On a busy machine several reports come at once; the last one is how it is now.
    const isInView = (entries: readonly IntersectionObserverEntry[]) =>
      entries.at(-1)?.isIntersecting ?? false
    const paint = new IntersectionObserver(
      (entries) => {
        if (!isInView(entries) || isPainted || !canvas.current) return
        isPainted = true
        pdf.paint(number, canvas.current, element.clientWidth).catch(() => (isPainted = false))
      },
      { rootMargin: '600px' },
    )
    const watch = new IntersectionObserver((entries) => isInView(entries) && shown.current(), {
      rootMargin: '-45% 0px -45% 0px',
    })
    paint.observe(element)
    watch.observe(element)
    return () => {
      paint.disconnect()
      watch.disconnect()
    }
  }, [pdf, number])
  return { sheet, canvas }
}

/** The page with its fields. A touch that scrolls draws nothing, because the browser cancels it. */
export function Sheet({ pdf, number, label, onDraw, onShown, children }: SheetProps) {
  const { sheet, canvas } = usePainted(pdf, number, onShown)
  const size = pdf.sizes[number - 1] ?? { width: 1, height: 1 }
  const [start, setStart] = useState<[number, number] | undefined>(undefined)
  const pointOf = (event: PointerEvent): [number, number] => {
    const box = sheet.current?.getBoundingClientRect() ?? { left: 0, top: 0, width: 1 }
    const scale = size.width / box.width
    return [(event.clientX - box.left) * scale, (event.clientY - box.top) * scale]
  }
  return (
    <section class="sheet-frame" aria-label={label} onFocusIn={onShown}>
      <div
        ref={sheet}
        class="sheet"
        data-page={number}
        style={{ aspectRatio: `${size.width} / ${size.height}` }}
        onPointerDown={(event) => event.button === 0 && setStart(pointOf(event))}
        onPointerUp={(event) => {
          if (start) onDraw(between(start, pointOf(event), size))
          setStart(undefined)
        }}
        onPointerCancel={() => setStart(undefined)}
      >
        <canvas ref={canvas} aria-hidden="true" />
        {children}
      </div>
      <p class="quiet small sheet-number">{label}</p>
    </section>
  )
}
