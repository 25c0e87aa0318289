/** All pages of the document, one below the other. */
import { useEffect, useState } from 'preact/hooks'
import { shownWidthPx } from '../lib/page-width.ts'
import type { PagesInView } from '../lib/use-pages-in-view.ts'
import { useWidth } from '../lib/use-width.ts'
import { useTexts } from '../texts/use-texts.ts'
import { Fields } from './fields.tsx'
import { Page } from './page.tsx'
import type { OpenPdf } from './pdf.ts'
import { placeAt, type PageSize } from './place.ts'
import type { Draft } from './use-draft.ts'
import { useViewedPages } from './use-viewed-pages.ts'

/** `--column` of the style sheet. */
const WIDEST_PX = 860
const A4: PageSize = { width: 595, height: 842 }

interface PagesProps {
  pdf: OpenPdf
  draft: Draft
  inView: PagesInView
  /** 1: as wide as the screen, or as a page is comfortable to read. */
  zoom: number
  /** What the signed PDF says under the drawing. */
  lines: readonly string[]
  onOpen(): void
  /** The pages have their places. */
  onLaidOut(): void
  /** The first page is on the screen. */
  onPainted(): void
}

/** The sizes of pages, known once they are painted. @param onPainted called for the first */
function useSizes(onPainted: () => void) {
  const [sizes, setSizes] = useState<ReadonlyMap<number, PageSize>>(new Map())
  const sizeOf = (page: number) => sizes.get(page) ?? sizes.get(1) ?? A4
  const learn = (page: number, size: PageSize) =>
    setSizes((before) => {
      const { width, height } = before.get(page) ?? { width: 0, height: 0 }
      if (width === size.width && height === size.height) return before
      return new Map(before).set(page, size)
    })
  const isPainted = sizes.size > 0
  useEffect(() => {
    if (isPainted) onPainted()
  }, [isPainted])
  return { sizeOf, learn }
}

/** Reports in the draft which pages were viewed. */
export function Pages(props: PagesProps) {
  const { pdf, draft, inView, zoom, lines, onOpen, onLaidOut, onPainted } = props
  const texts = useTexts()
  const { host, widthPx } = useWidth()
  const { sizeOf, learn } = useSizes(onPainted)

  const fittingPx = Math.min(widthPx, WIDEST_PX)
  const isLaidOut = fittingPx > 0
  useViewedPages(isLaidOut, (page) => draft.see(page))
  useEffect(() => {
    if (isLaidOut) onLaidOut()
  }, [isLaidOut])
  const numbers = Array.from({ length: pdf.pageCount }, (_, index) => index + 1)
  return (
    <div class="pages" ref={host} role="region" aria-label={texts.documentRegion} tabIndex={0}>
      {!isLaidOut
        ? null
        : numbers.map((number) => {
            const size = sizeOf(number)
            const pageWidthPx = shownWidthPx(fittingPx, size, zoom)
            return (
              <Page
                key={number}
                pdf={pdf}
                number={number}
                count={pdf.pageCount}
                widthPx={pageWidthPx}
                size={size}
                isNear={inView.near.has(number)}
                onSize={(found) => learn(number, found)}
                // A tap chooses the place once; after that only dragging and keys move it.
                onPress={
                  draft.isFree && draft.places.length === 0
                    ? (x, y) => draft.putPlace(placeAt(number, size, x, y))
                    : undefined
                }
              >
                <Fields
                  page={number}
                  pageCount={pdf.pageCount}
                  size={size}
                  scale={pageWidthPx / size.width}
                  draft={draft}
                  lines={lines}
                  onOpen={onOpen}
                />
              </Page>
            )
          })}
    </div>
  )
}
