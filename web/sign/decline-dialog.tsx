/** Lets a participant state that they do not want to sign, with an optional reason. */
import { useState } from 'preact/hooks'
import type { CaseDefinitionAnswer } from '../../domain/contract/participant-answers.ts'
import { Dialog, Fault } from '../design/parts.tsx'
import type { ParticipantClient } from '../lib/client.ts'
import type { Keep } from '../lib/keep.ts'
import { useTexts } from '../texts/use-texts.ts'
import { problemOf, type View } from './view.ts'

/** The limit of the API (`MAXIMUM_REASON_LENGTH` in `domain/limits.ts`). */
const MAXIMUM_REASON_LENGTH = 1_000
/** Under which a statement is remembered: a second one would not be recorded (decision 215). */
const DECLINED = 'declined'

interface DeclineProps {
  definition: CaseDefinitionAnswer
  client: ParticipantClient
  keep: Keep
  onChange(view: View): void
  onClose(): void
}

type State = 'asking' | 'sending' | 'failed' | 'refused' | 'sent'

function useDeclining({ definition, client, keep, onChange }: DeclineProps) {
  const [state, setState] = useState<State>(keep.get(DECLINED) === undefined ? 'asking' : 'sent')
  const send = async (reason: string) => {
    if (state === 'sending') return
    setState('sending')
    const outcome = await client.decline(reason.trim())
    if (outcome.kind === 'answered') {
      keep.set(DECLINED, new Date().toISOString())
      return setState('sent')
    }
    if (outcome.kind === 'refused' && outcome.code === 'ALREADY_DECLINED') {
      keep.set(DECLINED, new Date().toISOString())
      return setState('refused')
    }
    setState('failed')
    if (outcome.kind !== 'refused') return
    if (outcome.code === 'OTP_REQUIRED') onChange({ kind: 'code', definition })
    else if (outcome.code === 'ALREADY_SIGNED') onChange({ kind: 'done', definition })
    else if ([401, 403, 404, 410].includes(outcome.httpStatus)) {
      onChange({ kind: 'problem', problem: problemOf(outcome) })
    }
  }
  return { state, send }
}

/** The dialog; it also says that the statement does not change the case. */
export function DeclineDialog(props: DeclineProps) {
  const texts = useTexts()
  const { onClose } = props
  const [reason, setReason] = useState('')
  const { state, send } = useDeclining(props)
  const faults: Partial<Record<State, string>> = {
    failed: texts.declineFailed,
    refused: texts.declineRefused,
  }
  if (state === 'sent') {
    return (
      // Another dialog: its heading takes the focus of the button that is gone.
      <Dialog key="sent" heading={texts.declineSent} onClose={onClose}>
        <p role="status">{texts.declineSentText}</p>
        <div class="row end">
          <button type="button" class="button primary" onClick={onClose}>
            {texts.close}
          </button>
        </div>
      </Dialog>
    )
  }
  return (
    <Dialog key="asking" heading={texts.decline} onClose={onClose}>
      <p>{texts.declineText}</p>
      <label class="stack tight">
        <span>{texts.declineReason}</span>
        <textarea
          class="input"
          rows={3}
          maxLength={MAXIMUM_REASON_LENGTH}
          value={reason}
          onInput={(event) => setReason(event.currentTarget.value)}
        />
      </label>
      <Fault>{faults[state]}</Fault>
      <div class="row end">
        <button type="button" class="button" onClick={onClose}>
          {texts.back}
        </button>
        <button
          type="button"
          class="button primary"
          aria-disabled={state === 'sending'}
          onClick={() => void send(reason)}
        >
          {texts.declineSend}
        </button>
      </div>
    </Dialog>
  )
}
