/** Which page this is, how many were seen, and how large they are. */
import { Sign } from '../design/parts.tsx'
import { useTexts } from '../texts/use-texts.ts'

const ZOOMS = [1, 1.5, 2, 3] as const

interface ToolsProps {
  page: number
  count: number
  seen: number
  zoom: number
  onZoom(zoom: number): void
}

/** Zoom goes in steps; at either end its button says so and stays where it is. */
export function Tools(props: ToolsProps) {
  const texts = useTexts()
  const at = ZOOMS.findIndex((step) => step === props.zoom)
  const step = (by: number, label: string, sign: 'plus' | 'minus') => {
    const next = ZOOMS[at + by]
    return (
      <button
        type="button"
        class="button"
        aria-label={label}
        aria-disabled={next === undefined}
        onClick={() => next !== undefined && props.onZoom(next)}
      >
        <Sign name={sign} />
      </button>
    )
  }
  return (
    <div class="tools">
      <p class="tools-counter">
        <strong>{texts.pageCounter(props.page, props.count)}</strong>
        <span class="quiet small">{texts.reviewed(props.seen, props.count)}</span>
      </p>
      <div role="group" aria-label={texts.zoomTools} class="row">
        {step(-1, texts.zoomOut, 'minus')}
        {step(1, texts.zoomIn, 'plus')}
      </div>
    </div>
  )
}
