/** Makes the signature: drawn, typed, from a picture, or as it was saved. */
import type { RefObject } from 'preact'
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { Dialog, Fault } from '../design/parts.tsx'
import { useIsKiosk } from '../lib/kiosk-context.ts'
import { useTexts } from '../texts/use-texts.ts'
import { loadAppearanceFont } from './appearance-font.ts'
import { DrawPad, type Taker } from './draw-pad.tsx'
import { focusTab, METHODS, MethodTabs, type Method } from './method-tabs.tsx'
import type { PadEntries } from './pad-entries.ts'
import { SaveChoice, SavedPad } from './saved-pad.tsx'
import { TypePad } from './type-pad.tsx'
import { UploadPad } from './upload-pad.tsx'
import type { Draft } from './use-draft.ts'
import { useSavedSignature } from './use-saved-signature.ts'

interface SignatureDialogProps {
  entries: { current: PadEntries }
  draft: Draft
  /** Name of the participant. */
  name: string
  onClose(): void
}

/** The methods that this person has here. */
function useMethods(hasSaved: boolean): readonly Method[] {
  const isKiosk = useIsKiosk()
  // People at a shared screen have no picture with them.
  return METHODS.filter((one) => (one === 'saved' ? hasSaved : one !== 'upload' || !isKiosk))
}

/** What is entered in the dialog. It is kept for the next time that the dialog is opened. */
function useEntries({ entries, name: participant }: SignatureDialogProps, hasSaved: boolean) {
  const { strokes } = entries.current
  const [method, setMethod] = useState<Method>(
    entries.current.method ?? (hasSaved ? 'saved' : 'draw'),
  )
  const [name, setName] = useState(entries.current.name ?? participant)
  const [style, setStyle] = useState(entries.current.style)
  const [picture, setPicture] = useState(entries.current.picture)
  // Before the paint: a dialog that is closed at once keeps what was entered last.
  useLayoutEffect(() => {
    // The dialog does not open again with an upload that was not made.
    const kept = method === 'upload' && picture === undefined ? 'draw' : method
    entries.current = { strokes, method: kept, style, name, picture }
  })
  return { strokes, method, setMethod, name, setName, style, setStyle, picture, setPicture }
}

interface PanelProps {
  entered: ReturnType<typeof useEntries>
  saved: string | undefined
  taker: RefObject<Taker>
  onForget(): void
}

/** The pad of the chosen method. */
function Panel({ entered, saved, taker, onForget }: PanelProps) {
  const { strokes, method, name, setName, style, setStyle, picture, setPicture } = entered
  switch (method) {
    case 'saved':
      return saved === undefined ? null : (
        <SavedPad taker={taker} picture={saved} onForget={onForget} />
      )
    case 'draw':
      return <DrawPad taker={taker} strokes={strokes} />
    case 'type':
      return <TypePad taker={taker} name={name} onName={setName} style={style} onStyle={setStyle} />
    case 'upload':
      return <UploadPad taker={taker} picture={picture} onPicture={setPicture} />
  }
}

/** The drawing goes into all fields: a signature has one drawing. */
export function SignatureDialog(props: SignatureDialogProps) {
  const { draft, onClose } = props
  const texts = useTexts()
  const saved = useSavedSignature(props.name)
  const methods = useMethods(saved.picture !== undefined)
  const entered = useEntries(props, saved.picture !== undefined)
  const { method } = entered
  const [fault, setFault] = useState<string | undefined>(undefined)
  const taker = useRef<Taker>(() => ({ fault: texts.drawEmpty }))

  // It is needed as soon as the dialog is closed.
  useEffect(() => void loadAppearanceFont(), [])
  const choose = (next: Method) => {
    setFault(undefined)
    entered.setMethod(next)
  }
  const use = () => {
    const taken = taker.current?.()
    if (!taken) return
    if ('fault' in taken) return setFault(taken.fault)
    if (method !== 'saved' && !saved.keep(taken.drawing)) return setFault(texts.saveFailed)
    draft.sign(taken.drawing)
    onClose()
  }
  const forget = () => {
    saved.forget()
    choose('draw')
    // The button that had the focus is removed.
    focusTab('draw')
  }
  return (
    <Dialog heading={texts.dialogHeading} onClose={onClose}>
      <MethodTabs methods={methods} method={method} onChoose={choose} />
      <div
        role="tabpanel"
        id="method-panel"
        aria-labelledby={`tab-${method}`}
        onPointerUp={() => setFault(undefined)}
        onInput={() => setFault(undefined)}
      >
        <Panel entered={entered} saved={saved.picture} taker={taker} onForget={forget} />
      </div>
      <SaveChoice saved={saved} isShown={method !== 'saved'} />
      <Fault>{fault}</Fault>
      <div class="row end">
        <button type="button" class="button" onClick={onClose}>
          {texts.cancel}
        </button>
        <button type="button" class="button primary" onClick={use}>
          {texts.useSignature}
        </button>
      </div>
    </Dialog>
  )
}
