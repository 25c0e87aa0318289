/** What lies over the document: the dialogs, and the question before somebody leaves. */
import { useRef, useState } from 'preact/hooks'
import type { CaseDefinitionAnswer } from '../../domain/contract/participant-answers.ts'
import { Dialog } from '../design/parts.tsx'
import type { ParticipantClient } from '../lib/client.ts'
import type { Keep } from '../lib/keep.ts'
import { useTexts } from '../texts/use-texts.ts'
import { goTo } from './go-to.ts'
import { emptyPad } from './pad-entries.ts'
import type { OpenPdf } from './pdf.ts'
import { useBackGuard } from './use-back-guard.ts'
import type { Dialogs } from './use-dialogs.ts'
import type { Draft } from './use-draft.ts'
import type { FreePlace } from './use-free-place.ts'
import type { View } from './view.ts'
import { Waiting } from './waiting.tsx'

export interface DocumentProps {
  definition: CaseDefinitionAnswer
  client: ParticipantClient
  keep: Keep
  /** The case has become something else, or the code has to be entered again. */
  onChange(view: View): void
  onSigned(): void
}

type Layer = 'pad' | 'consent' | 'moved' | 'more' | 'search'

/** Asks before Back leaves the page. */
export function LeaveDialog({ onStay, onLeave }: { onStay(): void; onLeave(): void }) {
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

/** Says why the signature is at another place than before. */
function MovedDialog({ onClose }: { onClose(): void }) {
  const texts = useTexts()
  return (
    <Dialog heading={texts.placeTaken} onClose={onClose}>
      <p>{texts.placeTakenText}</p>
      <div class="row end">
        <button type="button" class="button primary" onClick={onClose}>
          {texts.placeTakenShow}
        </button>
      </div>
    </Dialog>
  )
}

/** What lies over the document, with Back as a way to close it. */
export function useLayers(draft: Draft) {
  const [layer, setLayer] = useState<Layer | undefined>(undefined)
  const pad = useRef(emptyPad())
  const close = () => {
    setLayer(undefined)
    const isAtPlace = layer === 'pad' || layer === 'moved'
    const [own] = isAtPlace && draft.isFree ? draft.places : []
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

interface OverProps extends DocumentProps {
  dialogs: Dialogs | undefined
  layers: ReturnType<typeof useLayers>
  draft: Draft
  pdf: OpenPdf | undefined
  freePlace: FreePlace
}

/** The dialog that a person opened. */
export function Over({ dialogs, layers, draft, pdf, freePlace, ...props }: OverProps) {
  const texts = useTexts()
  const { layer, setLayer, close, pad } = layers
  const { firstName, lastName } = props.definition.participant
  if (layer === undefined || layer === 'search' || !pdf) return null
  if (!dialogs) {
    return (
      <Dialog heading={texts.dialogLoading} onClose={close}>
        {/* Some browsers remember that a script failed. The draft outlives the loading. */}
        <Waiting text={null} onRetry={() => window.location.reload()} />
      </Dialog>
    )
  }
  const both = { definition: props.definition, client: props.client, onChange: props.onChange }
  switch (layer) {
    case 'pad': {
      const name = `${firstName} ${lastName}`
      return <dialogs.SignatureDialog draft={draft} entries={pad} name={name} onClose={close} />
    }
    case 'moved':
      return <MovedDialog onClose={close} />
    case 'more':
      return (
        <dialogs.MoreDialog
          {...both}
          keep={props.keep}
          pdf={pdf}
          onClose={close}
          onSearch={() => setLayer('search')}
        />
      )
    case 'consent':
      return (
        <dialogs.ConsentDialog
          {...both}
          draft={draft}
          isGenuine={pdf.isGenuine}
          avoidOthers={freePlace.avoidOthers}
          onMoved={() => setLayer('moved')}
          onClose={close}
          onSigned={props.onSigned}
        />
      )
  }
}
