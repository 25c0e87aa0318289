/** Reading and signing: the document with its fields, and what is left to do. */
import { useEffect, useMemo, useState } from 'preact/hooks'
import type { CaseDefinitionAnswer } from '../../domain/contract/participant-answers.ts'
import { useIsKiosk } from '../lib/kiosk-context.ts'
import { usePagesInView } from '../lib/use-pages-in-view.ts'
import { TEXTS, useTexts } from '../texts/use-texts.ts'
import { FinishBar } from './finish-bar.tsx'
import { Masthead } from './masthead.tsx'
import { goTo } from './go-to.ts'
import { LeaveDialog, Over, useLayers, type DocumentProps } from './layers.tsx'
import { Pages } from './pages.tsx'
import type { OpenPdf } from './pdf.ts'
import { inReadingOrder } from './place.ts'
import { Thumbnails, useIsWide } from './thumbnails.tsx'
import { Tools } from './tools.tsx'
import { useDialogs, type Dialogs } from './use-dialogs.ts'
import { useDraft, type Draft } from './use-draft.ts'
import { useFreePlace, type FreePlace } from './use-free-place.ts'
import { usePdf, type PdfFault } from './use-pdf.ts'
import { useZoom } from './use-zoom.ts'
import { Waiting } from './waiting.tsx'

interface ReadingProps {
  pdf: OpenPdf
  draft: Draft
  lines: readonly string[]
  freePlace: FreePlace
  /** Absent unless the search is open. */
  searchBar: Dialogs['SearchBar'] | undefined
  onSearch(isSearching: boolean): void
  onPainted(): void
  onMore(): void
  onOpen(): void
  onFinish(): void
}

/** The way to what is left to sign: to the next field, or to a place on the last page. */
function useNextField({ draft, freePlace, onOpen }: ReadingProps): () => void {
  useEffect(() => {
    if (draft.isFree && draft.places[0] && !draft.isDragging) goTo(draft.places[0])
  }, [draft.ownPlace?.page])
  return () => {
    const [next] = inReadingOrder(draft.unsigned)
    if (next) goTo(next)
    // What cannot be fetched is reported in place of the document.
    else if (draft.isFree) freePlace.suggest().catch(() => undefined)
    if (next || (draft.isFree && draft.drawing === undefined)) onOpen()
  }
}

function BrokenDocument({ fault, onRetry }: { fault: PdfFault; onRetry(): void }) {
  const texts = useTexts()
  return (
    <div class="card stack" role="alert">
      <p>{fault === 'other' ? texts.otherDocument : texts.documentPreparingFailed}</p>
      <button type="button" class="button primary" onClick={onRetry}>
        {texts.tryAgain}
      </button>
    </div>
  )
}

/** Scrolls to a page by its number. */
function goToPage(page: number): void {
  const section = document.querySelector(`section[data-page="${page}"]`)
  section?.scrollIntoView({ block: 'start', behavior: 'instant' })
}

/** In place of the pages when the browser prints: only those near the screen are painted. */
function PaperHint() {
  const texts = useTexts()
  // A kiosk has neither a printer nor the menu.
  return useIsKiosk() ? null : <p class="on-paper">{texts.paperHint}</p>
}

/** The pages with what belongs to them. */
function Reading(props: ReadingProps) {
  const { pdf, draft, lines, onSearch, onMore, onOpen, onFinish } = props
  const SearchBar = props.searchBar
  const [isLaidOut, setLaidOut] = useState(false)
  const inView = usePagesInView(isLaidOut)
  const { zoom, zoomTo } = useZoom()
  const goOn = useNextField(props)
  const isWide = useIsWide()
  const isKiosk = useIsKiosk()
  return (
    <>
      <main class="sheet">
        <div class="tools-place">
          <Tools
            page={inView.current}
            count={pdf.pageCount}
            seen={draft.seenPages.length}
            zoom={zoom}
            onZoom={zoomTo}
            onGo={goToPage}
            onSearch={() => onSearch(true)}
            onMore={onMore}
          />
          {SearchBar ? <SearchBar pdf={pdf} onClose={() => onSearch(false)} /> : null}
        </div>
        <PaperHint />
        <div class="spread">
          {isWide && !isKiosk && pdf.pageCount > 1 ? (
            <Thumbnails pdf={pdf} page={inView.current} onGo={goToPage} />
          ) : null}
          <Pages
            pdf={pdf}
            draft={draft}
            inView={inView}
            zoom={zoom}
            lines={lines}
            onOpen={onOpen}
            onLaidOut={() => setLaidOut(true)}
            onPainted={props.onPainted}
          />
        </div>
      </main>
      <FinishBar draft={draft} onNext={goOn} onFinish={onFinish} />
    </>
  )
}

/** As the signed PDF says it, in the participant's language; the time is that of the preview. */
function signatureLines({ participant, language }: CaseDefinitionAnswer): string[] {
  const at = `${new Date().toISOString().slice(0, 19).replace('T', ' ')} UTC`
  return [`${participant.firstName} ${participant.lastName}`, TEXTS[language].signedLine(at)]
}

/** The document with its fields, and the dialogs over it. */
export function DocumentView(props: DocumentProps) {
  const { definition, keep } = props
  const draft = useDraft(definition.participant.signatureFields, keep)
  const { pdf, retry } = usePdf(props)
  const [isPainted, setPainted] = useState(false)
  const layers = useLayers(draft)
  const { layer, setLayer, guard } = layers
  const dialogs = useDialogs(isPainted, layer)
  const lines = useMemo(() => signatureLines(definition), [definition, draft.drawing])
  const opened = typeof pdf === 'object' ? pdf : undefined
  const freePlace = useFreePlace({ ...props, draft, pdf: opened })
  return (
    <div class="desk">
      <Masthead definition={definition} />
      {typeof pdf === 'object' ? (
        <Reading
          pdf={pdf}
          draft={draft}
          lines={lines}
          freePlace={freePlace}
          searchBar={layer === 'search' ? dialogs?.SearchBar : undefined}
          onSearch={(isSearching) => setLayer(isSearching ? 'search' : undefined)}
          onPainted={() => setPainted(true)}
          onMore={() => setLayer('more')}
          onOpen={() => setLayer('pad')}
          onFinish={() => setLayer('consent')}
        />
      ) : (
        <main class="sheet">
          {pdf ? <BrokenDocument fault={pdf} onRetry={retry} /> : <Waiting onRetry={retry} />}
        </main>
      )}
      <Over {...props} {...{ dialogs, layers, draft, freePlace }} pdf={opened} />
      {guard.isAsking ? <LeaveDialog onStay={guard.stay} onLeave={guard.leave} /> : null}
    </div>
  )
}
