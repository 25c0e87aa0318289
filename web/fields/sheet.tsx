/** One page of the document, on which fields are drawn. */
import type { ComponentChildren } from 'preact'
import { useRef, useState } from 'preact/hooks'
import { PageFault } from '../design/page-fault.tsx'
import { shownWidthPx } from '../lib/page-width.ts'
import { usePainted } from '../lib/use-painted.ts'
import type { LocalPdf } from './pdf.ts'
import { between, type Box } from './places.ts'

interface SheetProps {
  pdf: LocalPdf
  /** From 1. */
  number: number
  label: string
  /** CSS pixels. */
  widthPx: number
  isNear: boolean
  /** A box was drawn, or a point was clicked. */
  onDraw(box: Box): void
  /** One of its fields gets the focus. */
  onFocus(): void
  children: ComponentChildren
}

/** The page with its fields. A touch that scrolls draws nothing, because the browser cancels it. */
export function Sheet(props: SheetProps) {
  const { pdf, number, label, widthPx, isNear, onDraw, onFocus, children } = props
  const sheet = useRef<HTMLDivElement>(null)
  const size = pdf.sizes[number - 1] ?? { width: 1, height: 1 }
  const shownPx = shownWidthPx(widthPx, size)
  const isWide = widthPx > 0 && shownPx > widthPx
  const { host, isBroken, retry } = usePainted(
    isNear && widthPx > 0,
    [pdf, number, shownPx],
    (signal) => pdf.paint(number, shownPx, signal),
  )
  const [start, setStart] = useState<[number, number] | undefined>(undefined)
  const pointOf = (event: PointerEvent): [number, number] => {
    const box = sheet.current?.getBoundingClientRect() ?? { left: 0, top: 0, width: 1 }
    const scale = size.width / box.width
    return [(event.clientX - box.left) * scale, (event.clientY - box.top) * scale]
  }
  return (
    <section
      class="sheet-frame"
      aria-label={label}
      // What is scrolled sideways is scrolled by the keyboard as well.
      tabIndex={isWide ? 0 : undefined}
      onFocusIn={onFocus}
    >
      <div
        ref={sheet}
        class="sheet"
        data-page={number}
        style={{
          ...(isWide ? { width: `${shownPx}px` } : {}),
          aspectRatio: `${size.width} / ${size.height}`,
        }}
        onPointerDown={(event) => event.button === 0 && setStart(pointOf(event))}
        onPointerUp={(event) => {
          if (start) onDraw(between(start, pointOf(event), size))
          setStart(undefined)
        }}
        onPointerCancel={() => setStart(undefined)}
      >
        <div ref={host} class="sheet-picture" />
        {children}
      </div>
      {isBroken ? <PageFault onRetry={retry} /> : null}
      <p class="quiet small sheet-number">{label}</p>
    </section>
  )
}
