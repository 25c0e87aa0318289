/** The signature in a field, as it is going to be in the signed PDF. */
import { useEffect, useRef } from 'preact/hooks'
import { loadAppearanceFont } from './appearance-font.ts'
import { paintAppearance, paintStrips } from './paint-appearance.ts'

interface SignaturePreviewProps {
  /** As a data URL. */
  drawing: string
  lines: readonly string[]
  isFramed: boolean
  /** Points. */
  width: number
  height: number
  /** CSS pixels per point. */
  scale: number
}

/** Painted at once, and again when the font of the PDF is loaded. */
export function SignaturePreview(props: SignaturePreviewProps) {
  const { drawing, lines, isFramed, width, height, scale } = props
  const canvas = useRef<HTMLCanvasElement>(null)
  const strips = useRef<HTMLCanvasElement>(null)
  useEffect(() => {
    let isOver = false
    const picture = new Image()
    const paint = () => {
      if (isOver || !canvas.current || !strips.current) return
      const ratio = Math.max(window.devicePixelRatio || 1, 1)
      const preview = { picture, lines, isFramed, size: { width, height } }
      paintStrips(strips.current, preview, scale * ratio)
      paintAppearance(canvas.current, preview, scale * ratio)
    }
    const show = async () => {
      picture.src = drawing
      await picture.decode()
      paint()
      await loadAppearanceFont(lines)
      paint()
    }
    // A picture that was accepted can be decoded; an empty field says nothing that is untrue.
    show().catch(() => undefined)
    return () => {
      isOver = true
    }
  }, [drawing, lines.join('\n'), isFramed, width, height, scale])
  return (
    <>
      <canvas ref={strips} class="strips" aria-hidden="true" />
      <canvas ref={canvas} aria-hidden="true" />
    </>
  )
}
