/** A new case: document, people, fields, options; then it is sent. */
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'
import { Fault } from '../design/parts.tsx'
import { FieldEditor } from '../fields/editor.tsx'
import { useSpeech } from '../texts/use-texts.ts'
import { observeHeight } from '../lib/observe-height.ts'
import { randomId } from '../lib/random-id.ts'
import { ChooseDocument } from './choose-document.tsx'
import { useClient } from './client-context.ts'
import { newDraft, toInput, type Draft } from './draft.ts'
import { faultText } from './faults.ts'
import { Field } from './field.tsx'
import { inputFaults, remainingFaults } from './input-faults.ts'
import { noteDraft, takeDraft } from './interrupted-draft.ts'
import { OptionsForm } from './options-form.tsx'
import { PageHeading } from './page-heading.tsx'
import { PeopleForm } from './people-form.tsx'
import { caseLink, go } from './routes.ts'
import { sendCase } from './send-case.ts'
import { useAction } from './use-action.ts'
import { useConsoleTexts } from './use-console-texts.ts'
import { useDocument, type OpenedDocument } from './use-document.ts'
import { useEarlier } from './use-earlier.ts'
import { useFocusOnFault } from './use-focus-on-fault.ts'

const MAXIMUM_TITLE_LENGTH = 255

/** Name of a file without its extension. */
const titleOf = (name: string) => name.replace(/\.pdf$/i, '').slice(0, MAXIMUM_TITLE_LENGTH)

/** The draft, and what is derived of it. */
function useDraft(like: string | undefined) {
  const texts = useConsoleTexts()
  const { language } = useSpeech()
  const attempt = useMemo(() => randomId(), [])
  const kept = useMemo(() => (like === undefined ? takeDraft() : undefined), [])
  const [draft, setDraft] = useState<Draft>(() => kept ?? newDraft(new Date(), attempt, language))
  useEffect(() => noteDraft(draft), [draft])
  useEffect(() => () => noteDraft(undefined), [])
  const change = (changes: Partial<Draft>) => setDraft((before) => ({ ...before, ...changes }))
  const signers = draft.people.map(({ key, firstName, lastName }, index) => ({
    key,
    name: `${firstName} ${lastName}`.trim() || texts.personNumber(index + 1),
  }))
  const keys = new Set(draft.people.map(({ key }) => key))
  const places = draft.places.filter(({ person }) => keys.has(person))
  return { attempt, draft: { ...draft, places }, change, signers, isKept: kept !== undefined }
}

interface Unsent extends Pick<ReturnType<typeof useDraft>, 'attempt' | 'draft'> {
  opened: OpenedDocument | undefined
}

/** Sends the draft, and says what is wrong with it. */
function useSending({ attempt, draft, opened }: Unsent) {
  const texts = useConsoleTexts()
  const client = useClient()
  const { state, run } = useAction()
  const [hasNoDocument, setNoDocument] = useState(false)
  const [sent, setSent] = useState(draft)
  const fault = state.kind === 'failed' ? state.fault : undefined
  const rules = fault?.kind === 'refused' ? fault.validationErrors : undefined
  const found = useMemo(() => inputFaults(texts, rules ?? []), [texts, rules])
  const faults = useMemo(
    () => remainingFaults(found, toInput(sent), toInput(draft)),
    [found, sent, draft],
  )
  const send = () => {
    setNoDocument(opened === undefined)
    if (opened === undefined) return
    setSent(draft)
    const act = () => sendCase(client, draft, opened.bytes, attempt)
    void run(act, ({ id }) => go(caseLink(id)))
  }
  const said = [
    hasNoDocument && opened === undefined ? texts.documentMissing : '',
    fault && !rules ? faultText(texts, fault) : '',
    ...(Object.keys(faults).length > 0
      ? [texts.rulesBroken, ...new Set(Object.values(faults))]
      : []),
  ]
  return {
    send,
    found,
    faults,
    said: said.filter(Boolean).join(' '),
    isBusy: state.kind === 'busy',
  }
}

/** Says where people and places come from: an earlier case, or the draft before a sign-in. */
function Earlier({ earlier, fault, isKept }: ReturnType<typeof useEarlier> & { isKept: boolean }) {
  const texts = useConsoleTexts()
  return (
    <>
      <Fault>{fault ? faultText(texts, fault) : null}</Fault>
      <p role="status" class="quiet">
        {earlier ? texts.createLikeThis : null}
        {isKept ? texts.createKept : null}
      </p>
    </>
  )
}

/** The button that sends, and what is wrong. What has the focus is scrolled above it. */
function SendBar({ said, isBusy }: { said: string; isBusy: boolean }) {
  const texts = useConsoleTexts()
  const bar = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    if (!bar.current) return
    const { style } = document.documentElement
    observeHeight(bar.current, (height) => style.setProperty('--send-bar', `${height}px`))
  }, [])
  return (
    <div ref={bar} class="send-bar">
      <Fault>{said || null}</Fault>
      <button type="submit" class="button primary" aria-disabled={isBusy}>
        {isBusy ? texts.sending : texts.send}
      </button>
    </div>
  )
}

/** The page with the form. @param like id of an earlier case whose people and places are used */
export function CreatePage({ like }: { like?: string | undefined }) {
  const texts = useConsoleTexts()
  const { attempt, draft, change, signers, isKept } = useDraft(like)
  const { opened, isBroken, open } = useDocument()
  const found = useEarlier(like, opened, { draft, change })
  const { send, found: answered, faults, said, isBusy } = useSending({ attempt, draft, opened })
  const form = useFocusOnFault(answered)
  const onFile = (file: File) =>
    void open(file, () =>
      change({ places: [], ...(draft.title === '' ? { title: titleOf(file.name) } : {}) }),
    )
  const submit = (event: Event) => {
    event.preventDefault()
    send()
  }
  return (
    <form ref={form} class="stack" noValidate onSubmit={submit}>
      <PageHeading text={texts.pageCreate} />
      <Earlier {...found} isKept={isKept} />
      <div class="create">
        <div class="stack">
          <section class="panel stack tight">
            <h2>{texts.document}</h2>
            <ChooseDocument name={opened?.name} isBroken={isBroken} onFile={onFile} />
            <Field
              label={texts.title}
              value={draft.title}
              fault={faults['/title']}
              onText={(title) => change({ title })}
            />
          </section>
          <PeopleForm
            people={draft.people}
            faults={faults}
            onChange={(people) => change({ people })}
          />
          <OptionsForm draft={draft} faults={faults} onChange={change} />
        </div>
        {opened ? (
          <FieldEditor
            key={opened.key}
            pdf={opened.pdf}
            people={signers}
            places={draft.places}
            texts={texts}
            onChange={(places) => change({ places })}
          />
        ) : (
          <p class="quiet">{texts.fieldsLater}</p>
        )}
      </div>
      <SendBar said={said} isBusy={isBusy} />
    </form>
  )
}
