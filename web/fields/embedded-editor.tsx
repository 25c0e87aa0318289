/** The field editor with the document, people and places that the site around it sends. */
import { useEffect, useRef, useState } from 'preact/hooks'
import { Fault } from '../design/parts.tsx'
import { useConsoleTexts } from '../console/use-console-texts.ts'
import { randomId } from '../lib/random-id.ts'
import { LANGUAGES, useSpeech } from '../texts/use-texts.ts'
import { FieldEditor } from './editor.tsx'
import {
  fromSite,
  isShowMessage,
  PlaceKeys,
  toSite,
  type EditorMessage,
  type ShowMessage,
} from './messages.ts'
import type { LocalPdf } from './pdf.ts'
import type { Place, Signer } from './places.ts'
import './embedded-editor.css'

interface EmbeddedProps {
  /** Messages of other windows are ignored. */
  siteOrigin: string
  post(message: EditorMessage): void
}

interface Shown {
  /** Changes with each document. */
  key: string
  pdf: LocalPdf
}

async function openPdf(bytes: ArrayBuffer): Promise<Shown> {
  const { openLocalPdf } = await import('./pdf.ts')
  return { key: randomId(), pdf: await openLocalPdf(new Uint8Array(bytes)) }
}

/** The document that was sent last. */
function useSentDocument(post: EmbeddedProps['post']) {
  const [shown, setShown] = useState<Shown | undefined>(undefined)
  const [isBroken, setBroken] = useState(false)
  const current = useRef<LocalPdf | undefined>(undefined)
  const turn = useRef(0)
  const replace = (next: Shown | undefined) => {
    current.current?.close()
    current.current = next?.pdf
    setShown(next)
  }
  /** @returns the document, or undefined when there is none or a newer one was sent */
  const show = async (bytes: ArrayBuffer | null): Promise<LocalPdf | undefined> => {
    const mine = ++turn.current
    const opened = bytes === null ? undefined : await openPdf(bytes).catch(() => null)
    if (mine !== turn.current) {
      opened?.pdf.close()
      return undefined
    }
    setBroken(opened === null)
    replace(opened ?? undefined)
    if (opened === null) post({ source: 'sigcase-fields', type: 'failed', code: 'PDF_UNREADABLE' })
    if (!opened) return undefined
    post({ source: 'sigcase-fields', type: 'ready', pages: [...opened.pdf.sizes] })
    return opened.pdf
  }
  return { shown, isBroken, current, show }
}

/** What the site sent, and what was changed since. */
function useSent({ siteOrigin, post }: EmbeddedProps) {
  const { speak } = useSpeech()
  const { shown, isBroken, current, show } = useSentDocument(post)
  const [people, setPeople] = useState<readonly Signer[]>([])
  const [places, setPlaces] = useState<Place[]>([])
  const latest = useRef<ShowMessage | undefined>(undefined)
  const keys = useRef(new PlaceKeys())
  const apply = (pdf: LocalPdf | undefined) => {
    const message = latest.current
    if (!message) return
    setPeople(message.people)
    setPlaces(pdf ? fromSite(message, pdf.sizes, keys.current) : [])
  }
  useEffect(() => {
    const onMessage = ({ data, source, origin }: MessageEvent<unknown>) => {
      if (source !== window.parent || origin !== siteOrigin || !isShowMessage(data)) return
      latest.current = data
      const language = LANGUAGES.find((one) => one === data.language)
      if (language) speak(language)
      if (data.pdf === undefined) apply(current.current)
      else void show(data.pdf).then(apply)
    }
    window.addEventListener('message', onMessage)
    post({ source: 'sigcase-fields', type: 'open' })
    return () => window.removeEventListener('message', onMessage)
  }, [])
  const change = (changed: Place[]) => {
    setPlaces(changed)
    post({ source: 'sigcase-fields', type: 'change', places: toSite(changed, keys.current) })
  }
  return { shown, isBroken, people, places, change }
}

/** The editor, or why there is none. */
export function EmbeddedEditor(props: EmbeddedProps) {
  const texts = useConsoleTexts()
  const { shown, isBroken, people, places, change } = useSent(props)
  useEffect(() => {
    document.title = texts.fieldsHeading
  }, [texts])
  return (
    <main class="embedded-editor">
      <Fault>{isBroken ? texts.documentBroken : null}</Fault>
      {shown ? (
        <FieldEditor
          key={shown.key}
          pdf={shown.pdf}
          people={people.map(({ key, name }, index) => ({
            key,
            name: name.trim() || texts.personNumber(index + 1),
          }))}
          places={places}
          texts={texts}
          onChange={change}
        />
      ) : (
        <p class="quiet">{isBroken ? '' : texts.fieldsLater}</p>
      )}
    </main>
  )
}
