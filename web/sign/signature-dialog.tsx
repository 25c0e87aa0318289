/** Makes the signature: drawn, typed or from a picture. */
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { PointGroup } from 'signature_pad'
import { Dialog, Fault } from '../design/parts.tsx'
import { useIsKiosk } from '../lib/kiosk-context.ts'
import { useTexts } from '../texts/use-texts.ts'
import { loadAppearanceFont } from './appearance-font.ts'
import { DrawPad, type Taker } from './draw-pad.tsx'
import { TypePad } from './type-pad.tsx'
import { UploadPad } from './upload-pad.tsx'
import type { Draft } from './use-draft.ts'

const METHODS = ['draw', 'type', 'upload'] as const
type Method = (typeof METHODS)[number]

/** What was entered, kept while the dialog is closed: closing it loses nothing. */
export interface PadEntries {
  strokes: { current: PointGroup[] }
  method: Method
  style: number
  name?: string
  picture?: string | undefined
}

/** A pad on which nothing was entered. */
export const emptyPad = (): PadEntries => ({ strokes: { current: [] }, method: 'draw', style: 0 })

interface SignatureDialogProps {
  entries: { current: PadEntries }

  draft: Draft
  /** Name of the participant. */
  name: string
  onClose(): void
}

/** A step of the arrow keys through the tabs (WAI-ARIA, tabs). */
function neighbour(methods: readonly Method[], method: Method, key: string): Method | undefined {
  const by = { ArrowRight: 1, ArrowLeft: -1 }[key]
  if (by === undefined) return undefined
  return methods[(methods.indexOf(method) + by + methods.length) % methods.length]
}

function Tabs({ method, onChoose }: { method: Method; onChoose(method: Method): void }) {
  const texts = useTexts()
  // People at a shared screen have no picture with them.
  const methods = useIsKiosk() ? METHODS.filter((one) => one !== 'upload') : METHODS
  const turn = (event: KeyboardEvent) => {
    const next = neighbour(methods, method, event.key)
    if (!next) return
    onChoose(next)
    document.querySelector<HTMLElement>(`[data-method="${next}"]`)?.focus()
  }
  return (
    <div class="tabs" role="tablist" aria-label={texts.methods} onKeyDown={turn}>
      {methods.map((one) => (
        <button
          key={one}
          type="button"
          role="tab"
          id={`tab-${one}`}
          data-method={one}
          aria-selected={one === method}
          aria-controls="method-panel"
          tabIndex={one === method ? 0 : -1}
          onClick={() => onChoose(one)}
        >
          {texts[one]}
        </button>
      ))}
    </div>
  )
}

/** The drawing goes into all fields: a signature has one drawing. */
export function SignatureDialog(props: SignatureDialogProps) {
  const { draft, entries, onClose } = props
  const { strokes } = entries.current
  const texts = useTexts()
  const [method, setMethod] = useState(entries.current.method)
  const [fault, setFault] = useState<string | undefined>(undefined)
  const [name, setName] = useState(entries.current.name ?? props.name)
  const [style, setStyle] = useState(entries.current.style)
  const [picture, setPicture] = useState(entries.current.picture)
  const taker = useRef<Taker>(() => ({ fault: texts.drawEmpty }))

  // Before the paint: a dialog that is closed at once keeps what was entered last.
  useLayoutEffect(() => {
    // The dialog does not open again with an upload that was not made.
    const kept = method === 'upload' && picture === undefined ? 'draw' : method
    entries.current = { strokes, method: kept, style, name, picture }
  })
  // It is needed as soon as the dialog is closed.
  useEffect(() => void loadAppearanceFont(), [])
  const choose = (next: Method) => {
    setFault(undefined)
    setMethod(next)
  }
  const use = () => {
    const taken = taker.current?.()
    if (!taken) return
    if ('fault' in taken) return setFault(taken.fault)
    draft.sign(taken.drawing)
    onClose()
  }
  return (
    <Dialog heading={texts.dialogHeading} onClose={onClose}>
      <Tabs method={method} onChoose={choose} />
      <div
        role="tabpanel"
        id="method-panel"
        aria-labelledby={`tab-${method}`}
        onPointerUp={() => setFault(undefined)}
        onInput={() => setFault(undefined)}
      >
        {method === 'draw' ? <DrawPad taker={taker} strokes={strokes} /> : null}
        {method === 'type' ? (
          <TypePad taker={taker} name={name} onName={setName} style={style} onStyle={setStyle} />
        ) : null}
        {method === 'upload' ? (
          <UploadPad taker={taker} picture={picture} onPicture={setPicture} />
        ) : null}
      </div>
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
