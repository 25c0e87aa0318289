/** The last step: consent, and the act itself. */
import { useEffect, useRef, useState } from 'preact/hooks'
import type { CaseDefinitionAnswer } from '../../domain/contract/participant-answers.ts'
import { Dialog, Fault } from '../design/parts.tsx'
import type { Outcome, ParticipantClient } from '../lib/client.ts'
import { useIsKiosk } from '../lib/kiosk-context.ts'
import type { Texts } from '../texts/en.ts'
import type { Language } from '../texts/plural.ts'
import { useSpeech, useTexts } from '../texts/use-texts.ts'
import { signingInput, submit, type AcceptedConsent } from './submit.ts'
import type { Draft } from './use-draft.ts'
import type { FreePlace } from './use-free-place.ts'
import { problemOf, type View } from './view.ts'

interface ConsentDialogProps {
  definition: CaseDefinitionAnswer
  client: ParticipantClient
  draft: Draft
  /** Whether the pages that were shown are of the document that is signed. */
  isGenuine(): Promise<boolean>
  avoidOthers: FreePlace['avoidOthers']
  /** The signature is at another place now, at which the participant has to look. */
  onMoved(): void
  onClose(): void
  onChange(view: View): void
  onSigned(): void
}

type FaultKey = keyof Pick<
  Texts,
  'consentMissing' | 'signFailed' | 'signUnavailable' | 'signRefused' | 'placeRefused'
>

/** Where the service finds a problem with a place that the participant chose. */
const PLACE = /^\/signatures\b/

/** The message to show here; undefined when the page itself changes. */
function faultOf(outcome: Exclude<Outcome<unknown>, { kind: 'answered' }>): FaultKey | undefined {
  if (outcome.kind === 'unreachable') return 'signFailed'
  if (outcome.httpStatus === 400) {
    const { validationErrors = [] } = outcome
    const isOfPlace = validationErrors.some(({ instancePath }) => PLACE.test(instancePath))
    return isOfPlace ? 'placeRefused' : 'signRefused'
  }
  if (outcome.httpStatus >= 500) return 'signUnavailable'
  return outcome.httpStatus === 423 || outcome.code !== undefined ? undefined : 'signFailed'
}

function useSubmission(props: ConsentDialogProps) {
  const { definition, client, draft, isGenuine, onChange, onSigned } = props
  const { language } = useSpeech()
  const [fault, setFault] = useState<FaultKey | undefined>(undefined)
  const [isOffline, setOffline] = useState(false)
  const [isBusy, setBusy] = useState(false)
  // State changes with the next painting; a second click can come before that.
  const isUnderWay = useRef(false)
  const [gone] = useState(() => new AbortController())
  // The next person at a shared screen does not see it.
  useEffect(() => () => gone.abort(), [])

  const settle = (outcome: Outcome<unknown>) => {
    if (outcome.kind === 'answered') return onSigned()
    if (outcome.kind === 'refused') {
      if (outcome.code === 'ALREADY_SIGNED') return onSigned()
      if (outcome.code === 'OTP_REQUIRED') return onChange({ kind: 'code', definition })
      if (outcome.code === 'PIN_REQUIRED' || outcome.code === 'PIN_LOCKED') {
        return onChange({ kind: 'pin', refusal: outcome })
      }
      if ([401, 403, 404, 410].includes(outcome.httpStatus)) {
        return onChange({ kind: 'problem', problem: problemOf(outcome) })
      }
    }
    setFault(faultOf(outcome) ?? 'signFailed')
  }
  const send = async (accepted: AcceptedConsent | undefined) => {
    if (isUnderWay.current) return
    if (accepted === undefined) return setFault('consentMissing')
    isUnderWay.current = true
    setBusy(true)
    setFault(undefined)
    const isShown = await isGenuine().catch(() => undefined)
    if (gone.signal.aborted || isShown === false) return
    if (isShown === undefined) {
      isUnderWay.current = false
      setBusy(false)
      return setFault('signFailed')
    }
    const isMoved = await props.avoidOthers().catch(() => false)
    if (gone.signal.aborted) return
    if (isMoved) return props.onMoved()
    const input = signingInput(draft, definition, accepted, language)
    const outcome = await submit(client, input, () => setOffline(true), gone.signal)
    if (gone.signal.aborted) return
    isUnderWay.current = false
    setBusy(false)
    setOffline(false)
    settle(outcome)
  }
  return { fault, isOffline, isBusy, send, settleFault: setFault }
}

/**
 * The published text in the language of the page. A page that is newer than the process that
 * answered gets one text alone.
 */
function shownConsent(
  definition: Partial<Pick<CaseDefinitionAnswer, 'consentTexts'>> &
    Pick<CaseDefinitionAnswer, 'consentText'>,
  language: Language,
): CaseDefinitionAnswer['consentText'] {
  return definition.consentTexts?.[language] ?? definition.consentText
}

/** The whole text, with its first sentence emphasised. */
function ConsentText({ text }: { text: string }) {
  const texts = useTexts()
  const short = text.startsWith(texts.consentShort) ? texts.consentShort : ''
  return (
    <span class="consent-text">
      <strong>{short}</strong>
      {text.slice(short.length)}
    </span>
  )
}

/** A shared screen does not promise to keep a signature: it forgets who leaves (K4). */
function OfflineNotice() {
  const texts = useTexts()
  const isKiosk = useIsKiosk()
  return <p class="notice">{isKiosk ? texts.kioskSignOffline : texts.signOffline}</p>
}

/**
 * Sends the signature. It shows faults that can be tried again; others lead to another page.
 */
export function ConsentDialog(props: ConsentDialogProps) {
  const { definition, draft, onClose } = props
  const { texts, language } = useSpeech()
  const consent = shownConsent(definition, language)
  const [ticked, setTicked] = useState<AcceptedConsent | undefined>(undefined)
  // A text that is not shown any more was not accepted.
  const accepted = ticked?.textVersion === consent.version ? ticked : undefined
  const { fault, isOffline, isBusy, send, settleFault } = useSubmission(props)
  const { pageCount } = definition.document
  const seen = draft.seenPages.length
  const agree = (isTicked: boolean) => {
    settleFault(undefined)
    const acceptedAt = new Date().toISOString()
    setTicked(isTicked ? { textVersion: consent.version, acceptedAt } : undefined)
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
          checked={accepted !== undefined}
          aria-invalid={fault === 'consentMissing'}
          onChange={(event) => agree(event.currentTarget.checked)}
        />
        <ConsentText text={consent.text} />
      </label>
      <div role="status">{isOffline ? <OfflineNotice /> : null}</div>
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
          onClick={() => void send(accepted)}
        >
          {isBusy ? texts.signing : texts.signDocument}
        </button>
      </div>
    </Dialog>
  )
}
