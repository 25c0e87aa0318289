/** Reading and signing: the document with its fields, and what is left to do. */
import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import type { CaseDefinitionAnswer } from '../../domain/contract/participant-answers.ts'
import { Dialog } from '../design/parts.tsx'
import type { ParticipantClient } from '../lib/client.ts'
import type { Keep } from '../lib/keep.ts'
import { useIsKiosk } from '../lib/kiosk-context.ts'
import { TEXTS, useTexts } from '../texts/use-texts.ts'
import { ConsentDialog } from './consent-dialog.tsx'
import { FinishBar } from './finish-bar.tsx'
import { Masthead } from './masthead.tsx'
import { MoreDialog } from './more-dialog.tsx'
import { Pages } from './pages.tsx'
import type { OpenPdf } from './pdf.ts'
import { inReadingOrder, placeAt, type SignatureField } from './place.ts'
import { SearchBar } from './search-bar.tsx'
import { emptyPad, SignatureDialog } from './signature-dialog.tsx'
import { Thumbnails, useIsWide } from './thumbnails.tsx'
import { Tools } from './tools.tsx'
import { useBackGuard } from './use-back-guard.ts'
import { useDraft, type Draft } from './use-draft.ts'
import { usePagesInView } from './use-pages-in-view.ts'
import { usePdf, type PdfFault } from './use-pdf.ts'
import { useZoom } from './use-zoom.ts'
import type { View } from './view.ts'
import { Waiting } from './waiting.tsx'

/** Where people sign on paper; the place when none was chosen. */
const LOWER_RIGHT = [0.68, 0.8] as const
const ANY_SIZE = { width: 595, height: 842 }

interface DocumentProps {
  definition: CaseDefinitionAnswer
  client: ParticipantClient
  keep: Keep
  /** The case has become something else, or the code has to be entered again. */
  onChange(view: View): void
  onSigned(): void
}

function goTo({ id }: SignatureField): void {
  const field = document.querySelector<HTMLElement>(`[data-field="${CSS.escape(id)}"]`)
  // The style sheet does not apply to scrolling by a script.
  const isStill = window.matchMedia('(prefers-reduced-motion: reduce)').matches
  field?.scrollIntoView({ block: 'center', behavior: isStill ? 'instant' : 'smooth' })
  field?.focus({ preventScroll: true })
}

/** The way to what is left to sign: to the next field, or to a place on the last page. */
function useNextField(draft: Draft, pageCount: number, onOpen: () => void): () => void {
  useEffect(() => {
    if (draft.isFree && draft.places[0] && !draft.isDragging) goTo(draft.places[0])
  }, [draft.ownPlace?.page])
  return () => {
    const [next] = inReadingOrder(draft.unsigned)
    if (next) {
      goTo(next)
      return onOpen()
    }
    if (!draft.isFree) return undefined
    draft.putPlace(placeAt(pageCount, ANY_SIZE, ...LOWER_RIGHT))
    return draft.drawing === undefined ? onOpen() : undefined
  }
}

function BrokenDocument({ fault, onRetry }: { fault: PdfFault; onRetry(): void }) {
  const texts = useTexts()
  return (
    <div class="card stack" role="alert">
      <p>{fault === 'other' ? texts.otherDocument : texts.pageFailed}</p>
      <button type="button" class="button primary" onClick={onRetry}>
        {texts.tryAgain}
      </button>
    </div>
  )
}

interface ReadingProps {
  pdf: OpenPdf
  draft: Draft
  lines: readonly string[]
  isSearching: boolean
  onSearch(isSearching: boolean): void
  onMore(): void
  onOpen(): void
  onFinish(): void
}

/** Scrolls to a page by its number. */
function goToPage(page: number): void {
  const section = document.querySelector(`section[data-page="${page}"]`)
  section?.scrollIntoView({ block: 'start', behavior: 'instant' })
}

/** The pages with what belongs to them. */
function Reading(props: ReadingProps) {
  const { pdf, draft, lines, isSearching, onSearch, onMore, onOpen, onFinish } = props
  const [isLaidOut, setLaidOut] = useState(false)
  const inView = usePagesInView(isLaidOut)
  const { zoom, zoomTo } = useZoom()
  const goOn = useNextField(draft, pdf.pageCount, onOpen)
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
          {isSearching ? <SearchBar pdf={pdf} onClose={() => onSearch(false)} /> : null}
        </div>
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

type Layer = 'pad' | 'consent' | 'more' | 'search'

/** Asks before Back leaves the page. */
function LeaveDialog({ onStay, onLeave }: { onStay(): void; onLeave(): void }) {
  const texts = useTexts()
  return (
    <Dialog heading={texts.leave} onClose={onStay}>
      <p>{texts.leaveText}</p>
      <div class="row end">
        <button type="button" class="button" onClick={onLeave}>
          {texts.leaveGo}
        </button>
        <button type="button" class="button primary" onClick={onStay}>
          {texts.leaveStay}
        </button>
      </div>
    </Dialog>
  )
}

/** What lies over the document, with Back as a way to close it. */
function useLayers(draft: Draft) {
  const [layer, setLayer] = useState<Layer | undefined>(undefined)
  const pad = useRef(emptyPad())
  const close = () => {
    setLayer(undefined)
    const [own] = layer === 'pad' && draft.isFree ? draft.places : []
    // It appeared behind the dialog, so that the dialog could not give the focus back to it.
    if (own) window.requestAnimationFrame(() => goTo(own))
  }
  const guard = useBackGuard({
    isOpen: layer !== undefined,
    onClose: close,
    isDirty: draft.drawing !== undefined || pad.current.strokes.current.length > 0,
  })
  return { layer, setLayer, close, pad, guard }
}

/** The document with its fields, and the dialogs over it. */
export function DocumentView(props: DocumentProps) {
  const { definition, client, keep, onChange, onSigned } = props
  const { firstName, lastName, signatureFields } = definition.participant
  const draft = useDraft(signatureFields, keep)
  const { pdf, retry } = usePdf(props)
  const { layer, setLayer, close, pad, guard } = useLayers(draft)
  const lines = useMemo(() => signatureLines(definition), [definition, draft.drawing])
  const name = `${firstName} ${lastName}`
  const both = { definition, client, onChange, onClose: close }
  return (
    <div class="desk">
      <Masthead definition={definition} />
      {typeof pdf === 'object' ? (
        <Reading
          pdf={pdf}
          draft={draft}
          lines={lines}
          isSearching={layer === 'search'}
          onSearch={(isSearching) => setLayer(isSearching ? 'search' : undefined)}
          onMore={() => setLayer('more')}
          onOpen={() => setLayer('pad')}
          onFinish={() => setLayer('consent')}
        />
      ) : (
        <main class="sheet">
          {pdf ? <BrokenDocument fault={pdf} onRetry={retry} /> : <Waiting onRetry={retry} />}
        </main>
      )}
      {layer === 'pad' ? (
        <SignatureDialog draft={draft} entries={pad} name={name} onClose={close} />
      ) : null}
      {layer === 'more' && typeof pdf === 'object' ? (
        <MoreDialog {...both} pdf={pdf} onSearch={() => setLayer('search')} />
      ) : null}
      {layer === 'consent' && typeof pdf === 'object' ? (
        <ConsentDialog {...both} draft={draft} isGenuine={pdf.isGenuine} onSigned={onSigned} />
      ) : null}
      {guard.isAsking ? <LeaveDialog onStay={guard.stay} onLeave={guard.leave} /> : null}
    </div>
  )
}
