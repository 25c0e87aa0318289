/** Reading and signing: the document with its fields, and what is left to do. */
import { useEffect, useMemo, useState } from 'preact/hooks'
import type { CaseDefinitionAnswer } from '../../domain/contract/participant-answers.ts'
import type { ParticipantClient } from '../lib/client.ts'
import type { Keep } from '../lib/keep.ts'
import { TEXTS, useTexts } from '../texts/use-texts.ts'
import { ConsentDialog } from './consent-dialog.tsx'
import { FinishBar } from './finish-bar.tsx'
import { Masthead } from './masthead.tsx'
import { Pages } from './pages.tsx'
import type { OpenPdf } from './pdf.ts'
import { inReadingOrder, placeAt, type Place } from './place.ts'
import { SignatureDialog } from './signature-dialog.tsx'
import { Tools } from './tools.tsx'
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

function goTo({ id }: Place): void {
  const field = document.querySelector<HTMLElement>(`[data-field="${CSS.escape(id)}"]`)
  // The style sheet has no say in what a script asks for.
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
  onOpen(): void
  onFinish(): void
}

/** The pages with what belongs to them. */
function Reading({ pdf, draft, lines, onOpen, onFinish }: ReadingProps) {
  const [isLaidOut, setLaidOut] = useState(false)
  const inView = usePagesInView(isLaidOut)
  const { zoom, zoomTo } = useZoom()
  const goOn = useNextField(draft, pdf.pageCount, onOpen)
  return (
    <>
      <main class="sheet">
        <Tools
          page={inView.current}
          count={pdf.pageCount}
          seen={draft.seenPages.length}
          zoom={zoom}
          onZoom={zoomTo}
        />
        <Pages
          pdf={pdf}
          draft={draft}
          inView={inView}
          zoom={zoom}
          lines={lines}
          onOpen={onOpen}
          onLaidOut={() => setLaidOut(true)}
        />
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
  const { definition, client, keep, onChange, onSigned } = props
  const { firstName, lastName, signatureFields } = definition.participant
  const draft = useDraft(signatureFields, keep)
  const { pdf, retry } = usePdf(props)
  const [isDrawing, setDrawing] = useState(false)
  const [isFinishing, setFinishing] = useState(false)
  const lines = useMemo(() => signatureLines(definition), [definition, draft.drawing])

  const closePad = () => {
    setDrawing(false)
    const [own] = draft.isFree ? draft.places : []
    // It appeared behind the dialog, so that the dialog could not give the focus back to it.
    if (own) window.requestAnimationFrame(() => goTo(own))
  }
  return (
    <div class="desk">
      <Masthead definition={definition} />
      {typeof pdf === 'object' ? (
        <Reading
          pdf={pdf}
          draft={draft}
          lines={lines}
          onOpen={() => setDrawing(true)}
          onFinish={() => setFinishing(true)}
        />
      ) : (
        <main class="sheet">
          {pdf ? <BrokenDocument fault={pdf} onRetry={retry} /> : <Waiting onRetry={retry} />}
        </main>
      )}
      {isDrawing ? (
        <SignatureDialog draft={draft} name={`${firstName} ${lastName}`} onClose={closePad} />
      ) : null}
      {isFinishing && typeof pdf === 'object' ? (
        <ConsentDialog
          definition={definition}
          client={client}
          draft={draft}
          isGenuine={pdf.isGenuine}
          onClose={() => setFinishing(false)}
          onChange={onChange}
          onSigned={onSigned}
        />
      ) : null}
    </div>
  )
}
