/** A place to draw a signature on, with finger, pen or mouse. */
import type { RefObject } from 'preact'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import SignaturePad, { type PointGroup } from 'signature_pad'
import { Sign } from '../design/parts.tsx'
import { useTexts } from '../texts/use-texts.ts'
import { inkOf } from './image.ts'

/** Shorter lines are a slip: a dot, a tick. CSS pixels. */
const SHORTEST_PX = 60
const INK = '#0f2c4d'

/** @returns a picture, or the sentence that says why there is none */
export type Taker = () => { drawing: string } | { fault: string }

function lengthOf(strokes: readonly PointGroup[]): number {
  return strokes
    .flatMap(({ points }) =>
      points.slice(1).map((point, index) => {
        const before = points[index] ?? point
        return Math.hypot(point.x - before.x, point.y - before.y)
      }),
    )
    .reduce((sum, part) => sum + part, 0)
}

/** Strokes for a pad of another size: as large as they fit, never larger than they were. */
function refitted(
  strokes: readonly PointGroup[],
  from: DOMRectReadOnly,
  to: DOMRectReadOnly,
): PointGroup[] {
  const ratio = Math.min(1, to.width / from.width, to.height / from.height)
  return strokes.map((stroke) => ({
    ...stroke,
    points: stroke.points.map((point) => ({ ...point, x: point.x * ratio, y: point.y * ratio })),
  }))
}

interface DrawPadProps {
  taker: RefObject<Taker>
  /** Strokes of before, kept while other ways to sign are looked at. */
  strokes: { current: PointGroup[] }
}

/** A canvas of as many pixels as the screen has, whatever becomes of its size. */
function usePad(strokes: { current: PointGroup[] }, onStroke: () => void) {
  const canvas = useRef<HTMLCanvasElement>(null)
  const pad = useRef<SignaturePad | undefined>(undefined)
  // Before the paint: a stroke that begins at once is not lost.
  useLayoutEffect(() => {
    const element = canvas.current
    if (!element) return undefined
    const made = new SignaturePad(element, { penColor: INK, minWidth: 0.9, maxWidth: 2.8 })
    pad.current = made
    let size: DOMRectReadOnly | undefined
    const observer = new ResizeObserver(([entry]) => {
      const next = entry?.contentRect
      if (!next || next.width === 0) return
      const ratio = Math.max(window.devicePixelRatio || 1, 1)
      element.width = Math.round(next.width * ratio)
      element.height = Math.round(next.height * ratio)
      element.getContext('2d')?.scale(ratio, ratio)
      strokes.current = size ? refitted(strokes.current, size, next) : strokes.current
      size = next
      made.fromData(strokes.current)
    })
    observer.observe(element)
    made.addEventListener('endStroke', () => {
      strokes.current = made.toData()
      onStroke()
    })
    return () => {
      observer.disconnect()
      made.off()
    }
  }, [])
  return { canvas, pad }
}

/** @param props `strokes`: what was drawn, kept while another way is looked at */
export function DrawPad({ taker, strokes }: DrawPadProps) {
  const texts = useTexts()
  const [count, setCount] = useState(strokes.current.length)
  const { canvas, pad } = usePad(strokes, () => setCount(strokes.current.length))
  const put = (next: PointGroup[]) => {
    strokes.current = next
    pad.current?.fromData(next)
    setCount(next.length)
  }
  taker.current = () => {
    const isEnough = lengthOf(strokes.current) >= SHORTEST_PX
    const drawing = isEnough && canvas.current ? inkOf(canvas.current) : undefined
    return drawing === undefined ? { fault: texts.drawEmpty } : { drawing }
  }
  return (
    <div class="stack tight">
      <div class="pad">
        <canvas ref={canvas} role="img" aria-label={texts.drawLabel} />
        {count === 0 ? <p class="pad-hint">{texts.drawHint}</p> : null}
      </div>
      <div class="row">
        <button
          type="button"
          class="button"
          aria-disabled={count === 0}
          onClick={() => put(strokes.current.slice(0, -1))}
        >
          <Sign name="undo" />
          {texts.drawUndo}
        </button>
        <button type="button" class="button" aria-disabled={count === 0} onClick={() => put([])}>
          {texts.drawClear}
        </button>
      </div>
    </div>
  )
}
