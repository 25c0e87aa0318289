/** The last step: consent, and the act itself. */
import { useEffect, useRef, useState } from 'preact/hooks'
import type { CaseDefinitionAnswer } from '../../domain/contract/answers.ts'
import { Dialog, Fault } from '../design/parts.tsx'
import type { Outcome, ParticipantClient } from '../lib/client.ts'
import type { Texts } from '../texts/en.ts'
import { useSpeech } from '../texts/use-texts.ts'
import type { OpenPdf } from './pdf.ts'
import { signingInput, submit } from './submit.ts'
import type { Draft } from './use-draft.ts'
import { problemOf, type View } from './view.ts'

interface ConsentDialogProps {
  definition: CaseDefinitionAnswer
  /** The document as it was shown. */
  pdf: Pick<OpenPdf, 'digest'>
  client: ParticipantClient
  draft: Draft
  onClose(): void
  onChange(view: View): void
  onSigned(): void
}

type FaultKey = keyof Pick<
  Texts,
  'consentMissing' | 'documentChanged' | 'signFailed' | 'signUnavailable' | 'signRefused'
>

/** What is to be told here; undefined when the page itself changes. */
function faultOf(outcome: Exclude<Outcome<unknown>, { kind: 'answered' }>): FaultKey | undefined {
  if (outcome.kind === 'unreachable') return 'signFailed'
  if (outcome.httpStatus === 400) return 'signRefused'
  if (outcome.httpStatus >= 500) return 'signUnavailable'
  return outcome.httpStatus === 423 || outcome.code !== undefined ? undefined : 'signFailed'
}

/**
 * Compares what was shown with what will be signed: somebody may have replaced the document in the
 * store for a while.
 *
 * @returns undefined when both are the same
 */
async function findShownFault({
  pdf,
  definition,
}: Pick<ConsentDialogProps, 'pdf' | 'definition'>): Promise<FaultKey | undefined> {
  try {
    const shown = await pdf.digest()
    const isSame = shown === undefined || shown === definition.document.sha256
    return isSame ? undefined : 'documentChanged'
  } catch {
    return 'signFailed'
  }
}

function useSubmission(props: ConsentDialogProps) {
  const { definition, client, draft, onChange, onSigned } = props
  const { language } = useSpeech()
  const [fault, setFault] = useState<FaultKey | undefined>(undefined)
  const [isOffline, setOffline] = useState(false)
  const [isBusy, setBusy] = useState(false)
  // State changes with the next painting; a second click can come before that.
  const isUnderWay = useRef(false)
  const [gone] = useState(() => new AbortController())
  // Whoever comes next to a shared screen is not told of it.
  useEffect(() => () => gone.abort(), [])

  const settle = (outcome: Outcome<unknown>) => {
    if (outcome.kind === 'answered') return onSigned()
    if (outcome.kind === 'refused') {
      if (outcome.code === 'ALREADY_SIGNED') return onSigned()
      if (outcome.code === 'OTP_REQUIRED') return onChange({ kind: 'code', definition })
      if (outcome.code === 'PIN_REQUIRED' || outcome.code === 'PIN_LOCKED') {
        return onChange({ kind: 'pin', refusal: outcome })
      }
      if (outcome.httpStatus === 410 || outcome.httpStatus === 401 || outcome.httpStatus === 404) {
        return onChange({ kind: 'problem', problem: problemOf(outcome) })
      }
    }
    setFault(faultOf(outcome) ?? 'signFailed')
  }
  const send = async (acceptedAt: string | undefined) => {
    if (isUnderWay.current) return
    if (acceptedAt === undefined) return setFault('consentMissing')
    isUnderWay.current = true
    setBusy(true)
    setFault(undefined)
    const shownFault = await findShownFault(props)
    if (gone.signal.aborted) return
    const input = signingInput(draft, definition, acceptedAt, language)
    const outcome = shownFault
      ? undefined
      : await submit(client, input, () => setOffline(true), gone.signal)
    if (gone.signal.aborted) return
    isUnderWay.current = false
    setBusy(false)
    setOffline(false)
    if (outcome) settle(outcome)
    else setFault(shownFault)
  }
  return { fault, isOffline, isBusy, send, settleFault: setFault }
}

/**
 * Sends the signature; what can be tried again is told in place, the rest leads to another page.
 */
export function ConsentDialog(props: ConsentDialogProps) {
  const { definition, draft, onClose } = props
  const { texts, language } = useSpeech()
  const [acceptedAt, setAcceptedAt] = useState<string | undefined>(undefined)
  const { fault, isOffline, isBusy, send, settleFault } = useSubmission(props)
  const { pageCount } = definition.document
  const seen = draft.seenPages.length
  const agree = (isTicked: boolean) => {
    settleFault(undefined)
    setAcceptedAt(isTicked ? new Date().toISOString() : undefined)
  }
  return (
    <Dialog heading={texts.consentHeading} onClose={() => isBusy || onClose()}>
      <p class="summary-title">{definition.case.title}</p>
      {draft.drawing === undefined ? null : (
        <div class="pad preview small">
          <img src={draft.drawing} alt={texts.dialogHeading} />
        </div>
      )}
      <p class="quiet small">
        {seen < pageCount ? texts.notAllReviewed(seen, pageCount) : texts.allReviewed}
      </p>
      <label class="tick">
        <input
          type="checkbox"
          checked={acceptedAt !== undefined}
          aria-invalid={fault === 'consentMissing'}
          onChange={(event) => agree(event.currentTarget.checked)}
        />
        <span>{texts.consentShort}</span>
      </label>
      <details>
        <summary>{texts.consentMore}</summary>
        <p lang={definition.language} class="small">
          {definition.consentText.text}
        </p>
      </details>
      <div role="status">{isOffline ? <p class="notice">{texts.signOffline}</p> : null}</div>
      <Fault>{fault ? texts[fault] : null}</Fault>
      <div class="row end">
        <button
          type="button"
          class="button"
          aria-disabled={isBusy}
          onClick={() => isBusy || onClose()}
        >
          {texts.back}
        </button>
        <button
          type="button"
          class="button primary"
          aria-disabled={isBusy}
          lang={language}
          onClick={() => void send(acceptedAt)}
        >
          {isBusy ? texts.signing : texts.signDocument}
        </button>
      </div>
    </Dialog>
  )
}
