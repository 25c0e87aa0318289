/** Asks before a case is cancelled. */
import { useState } from 'preact/hooks'
import type { CaseAnswer } from '../../domain/contract/answers.ts'
import { Dialog, Fault } from '../design/parts.tsx'
import { useClient } from './client-context.ts'
import { faultText } from './faults.ts'
import { useAction } from './use-action.ts'
import { useConsoleTexts } from './use-console-texts.ts'

/** The limit of the API (`domain/limits.ts`). */
const MAXIMUM_REASON_LENGTH = 1_000

interface CancelProps {
  seen: CaseAnswer
  onChange(): Promise<void>
  onClose(): void
}

/** The dialog with an optional reason, which the people receive by mail. */
export function CancelDialog({ seen, onChange, onClose }: CancelProps) {
  const texts = useConsoleTexts()
  const client = useClient()
  const { state, run } = useAction()
  const [reason, setReason] = useState('')
  const submit = (event: Event) => {
    event.preventDefault()
    const body = reason.trim() === '' ? {} : { reason: reason.trim() }
    const act = () => client.ask('DELETE', `/cases/${seen.id}`, { body })
    void run(act, async () => {
      await onChange()
      onClose()
    })
  }
  return (
    <Dialog heading={texts.cancelHeading} onClose={onClose}>
      <form class="stack" onSubmit={submit}>
        <p>{texts.cancelText}</p>
        <label class="stack tight">
          {texts.cancelReason}
          <input
            class="input"
            maxLength={MAXIMUM_REASON_LENGTH}
            value={reason}
            onInput={(event) => setReason(event.currentTarget.value)}
          />
        </label>
        <Fault>{state.kind === 'failed' ? faultText(texts, state.fault) : null}</Fault>
        <div class="row">
          <button type="submit" class="button danger" aria-disabled={state.kind === 'busy'}>
            {texts.cancelCase}
          </button>
          <button type="button" class="button plain" onClick={onClose}>
            {texts.keepCase}
          </button>
        </div>
      </form>
    </Dialog>
  )
}
