/** The button that delivers a webhook again. */
import { useClient } from './client-context.ts'
import { faultText } from './faults.ts'
import { useAction } from './use-action.ts'
import { useConsoleTexts } from './use-console-texts.ts'

interface RedeliverProps {
  caseId: string
  eventId: string
  /** Names the webhook for screen readers. */
  name: string
  onChange(): Promise<void>
}

/** Asks for another round of attempts. */
export function Redeliver({ caseId, eventId, name, onChange }: RedeliverProps) {
  const texts = useConsoleTexts()
  const client = useClient()
  const { state, run } = useAction()
  const path = `/cases/${caseId}/deliveries/${eventId}/redeliver`
  return (
    <div class="row">
      <button
        type="button"
        class="button"
        aria-label={`${texts.redeliver}: ${name}`}
        aria-disabled={state.kind === 'busy'}
        onClick={() => void run(() => client.ask('POST', path), onChange)}
      >
        {texts.redeliver}
      </button>
      <p role="status" class="small">
        {state.kind === 'done' ? texts.redelivered : null}
        {state.kind === 'failed' ? faultText(texts, state.fault) : null}
      </p>
    </div>
  )
}
