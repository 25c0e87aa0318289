/** Which page this is, how many were seen, how large they are, and what else can be done. */
import { useState } from 'preact/hooks'
import { Sign } from '../design/parts.tsx'
import { useIsKiosk } from '../lib/kiosk-context.ts'
import { useTexts } from '../texts/use-texts.ts'

const ZOOMS = [1, 1.5, 2, 3] as const

interface ToolsProps {
  page: number
  count: number
  seen: number
  zoom: number
  onZoom(zoom: number): void
  onGo(page: number): void
  onSearch(): void
  onMore(): void
}

/** The number of the page, to be typed over; other numbers are put right. */
function PageNumber({ page, count, onGo }: Pick<ToolsProps, 'page' | 'count' | 'onGo'>) {
  const texts = useTexts()
  const [typed, setTyped] = useState<string | undefined>(undefined)
  const go = () => {
    const typedPage = Number.parseInt(typed ?? '', 10)
    setTyped(undefined)
    if (Number.isFinite(typedPage)) onGo(Math.min(Math.max(typedPage, 1), count))
  }
  return (
    <input
      class="page-number"
      inputMode="numeric"
      autocomplete="off"
      maxLength={4}
      style={{ width: `${Math.max(2, String(count).length) + 0.5}ch` }}
      aria-label={texts.pageNumber(count)}
      value={typed ?? page}
      onFocus={(event) => event.currentTarget.select()}
      onInput={(event) => setTyped(event.currentTarget.value)}
      onKeyDown={(event) => event.key === 'Enter' && go()}
      onBlur={go}
    />
  )
}

/** Zoom goes in steps; at either end its button says so and stays where it is. */
function Zoom({ zoom, onZoom }: Pick<ToolsProps, 'zoom' | 'onZoom'>) {
  const texts = useTexts()
  const at = ZOOMS.findIndex((step) => step === zoom)
  const step = (by: number, label: string, sign: 'plus' | 'minus') => {
    const next = ZOOMS[at + by]
    return (
      <button
        type="button"
        class="button"
        aria-label={label}
        aria-disabled={next === undefined}
        onClick={() => next !== undefined && onZoom(next)}
      >
        <Sign name={sign} />
      </button>
    )
  }
  return (
    <div role="group" aria-label={texts.zoomTools} class="row">
      {step(-1, texts.zoomOut, 'minus')}
      {step(1, texts.zoomIn, 'plus')}
    </div>
  )
}

/** On a kiosk without a keyboard, there are fewer tools. */
export function Tools(props: ToolsProps) {
  const texts = useTexts()
  const isKiosk = useIsKiosk()
  const { page, count, seen, zoom, onZoom, onGo, onSearch, onMore } = props
  return (
    <div class="tools">
      <div class="tools-counter">
        {isKiosk ? (
          <strong>{texts.pageCounter(page, count)}</strong>
        ) : (
          <span class="tools-page">
            <PageNumber page={page} count={count} onGo={onGo} />
            <strong> / {count}</strong>
          </span>
        )}
        <span class="quiet small">{texts.reviewed(seen, count)}</span>
      </div>
      <div class="row">
        {isKiosk ? null : (
          <>
            <button
              type="button"
              class="button tools-search"
              aria-label={texts.search}
              onClick={onSearch}
            >
              <Sign name="search" />
            </button>
            <button type="button" class="button" aria-label={texts.more} onClick={onMore}>
              <Sign name="more" />
            </button>
          </>
        )}
        <Zoom zoom={zoom} onZoom={onZoom} />
      </div>
    </div>
  )
}
