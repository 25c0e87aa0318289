/** Reading and signing: the document with its fields, and what is left to do. */
import { useEffect, useMemo, useState } from 'preact/hooks'
import type { CaseDefinitionAnswer } from '../../domain/contract/answers.ts'
import { Sign } from '../design/parts.tsx'
import type { ParticipantClient } from '../lib/client.ts'
import type { Keep } from '../lib/keep.ts'
import { useTexts } from '../texts/use-texts.ts'
import { ConsentDialog } from './consent-dialog.tsx'
import { placeAt } from './fields.tsx'
import { FinishBar } from './finish-bar.tsx'
import { Masthead } from './masthead.tsx'
import { Pages } from './pages.tsx'
import type { OpenPdf } from './pdf.ts'
import { SignatureDialog } from './signature-dialog.tsx'
import { useDraft, type Place } from './use-draft.ts'
import { usePagesInView } from './use-pages-in-view.ts'
import type { View } from './view.ts'
import { viewOf } from './view.ts'
import { Waiting } from './waiting.tsx'

const ZOOMS = [1, 1.5, 2, 3] as const

interface DocumentProps {
  definition: CaseDefinitionAnswer
  client: ParticipantClient
  keep: Keep
  /** The case has become something else, or the code has to be entered again. */
  onChange(view: View): void
  onSigned(): void
}

/** The document, opened piece by piece. @returns 'broken' when it cannot be had */
function usePdf({ definition, client, onChange }: DocumentProps) {
  const [pdf, setPdf] = useState<OpenPdf | 'broken' | undefined>(undefined)
  const [attempt, setAttempt] = useState(0)
  useEffect(() => {
    let link = definition.document.url ?? ''
    const source = {
      sizeBytes: definition.document.size ?? 0,
      async link(isFresh: boolean) {
        if (!isFresh) return link
        const view = viewOf(await client.caseDefinition())
        if (view.kind === 'document') link = view.definition.document.url ?? link
        else if (view.kind !== 'problem' || view.problem.kind !== 'offline') onChange(view)
        return link
      },
    }
    let isOver = false
    let opened: OpenPdf | undefined
    const open = async () => {
      const { openPdf } = await import('./pdf.ts')
      opened = await openPdf(source, () => isOver || setPdf('broken'))
      if (!isOver) setPdf(opened)
    }
    open().catch(() => isOver || setPdf('broken'))
    return () => {
      isOver = true
      opened?.close()
    }
  }, [attempt])
  const retry = () => {
    setPdf(undefined)
    setAttempt(attempt + 1)
  }
  return { pdf, retry }
}

function Tools(props: {
  page: number
  count: number
  seen: number
  zoom: number
  onZoom(zoom: number): void
}) {
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

function goTo({ id }: Place): void {
  const field = document.querySelector<HTMLElement>(`[data-field="${CSS.escape(id)}"]`)
  field?.scrollIntoView({ block: 'center', behavior: 'smooth' })
  field?.focus({ preventScroll: true })
}

export function DocumentView(props: DocumentProps) {
  const { definition, client, keep } = props
  const texts = useTexts()
  const draft = useDraft(definition.participant.signatureFields, keep)
  const { pdf, retry } = usePdf(props)
  const isReady = pdf !== undefined && pdf !== 'broken'
  const [isLaidOut, setLaidOut] = useState(false)
  const inView = usePagesInView(isReady && isLaidOut)
  const [zoom, setZoom] = useState<number>(1)
  const [opened, setOpened] = useState<Place | undefined>(undefined)
  const [isFinishing, setFinishing] = useState(false)
  const { pageCount } = definition.document

  const open = (place: Place) => {
    const isUnsigned = draft.unsigned.some(({ id }) => id === place.id)
    // The drawing is there: the other fields take it at a touch.
    if (isUnsigned && draft.drawing !== undefined) draft.sign([place.id], draft.drawing)
    else setOpened(place)
  }
  const goOn = () => {
    const order = [...draft.unsigned].sort((a, b) => a.page - b.page || a.y - b.y)
    const [next] = order
    if (next) return goTo(next)
    if (draft.isFree)
      draft.putPlace(placeAt(inView.current, { width: 595, height: 842 }, 0.68, 0.8))
  }
  useEffect(() => {
    if (draft.isFree && draft.places[0]) goTo(draft.places[0])
  }, [draft.ownPlace?.page])
  const body = useMemo(() => {
    if (pdf === undefined) return <Waiting onRetry={retry} />
    if (pdf !== 'broken') return undefined
    return (
      <div class="card stack" role="alert">
        <p>{texts.pageFailed}</p>
        <button type="button" class="button primary" onClick={retry}>
          {texts.tryAgain}
        </button>
      </div>
    )
  }, [pdf, texts])

  return (
    <div class="desk">
      <Masthead definition={definition} />
      <main class="sheet">
        {body}
        {isReady ? (
          <>
            <Tools
              page={inView.current}
              count={pageCount}
              seen={draft.seenPages.length}
              zoom={zoom}
              onZoom={setZoom}
            />
            <Pages
              pdf={pdf}
              draft={draft}
              inView={inView}
              zoom={zoom}
              onOpen={open}
              onLaidOut={() => setLaidOut(true)}
            />
          </>
        ) : null}
      </main>
      {isReady ? (
        <FinishBar draft={draft} onNext={goOn} onFinish={() => setFinishing(true)} />
      ) : null}
      {opened ? (
        <SignatureDialog
          draft={draft}
          place={opened}
          name={`${definition.participant.firstName} ${definition.participant.lastName}`}
          onClose={() => setOpened(undefined)}
        />
      ) : null}
      {isFinishing ? (
        <ConsentDialog
          definition={definition}
          client={client}
          draft={draft}
          onClose={() => setFinishing(false)}
          onChange={props.onChange}
          onSigned={props.onSigned}
        />
      ) : null}
    </div>
  )
}
