/** The button that delivers a webhook again. */
import { useLayoutEffect, useRef } from 'preact/hooks'
import type { DeliveryAnswer } from '../../domain/contract/delivery-answers.ts'
import { focusAgain } from '../design/parts.tsx'
import { useClient } from './client-context.ts'
import { faultText } from './faults.ts'
import { useAction } from './use-action.ts'
import { useConsoleTexts } from './use-console-texts.ts'

interface RedeliverProps {
  caseId: string
  eventId: string
  /** Names the webhook for screen readers. */
  name: string
  /** State of the webhook as it was read last. */
  deliveryState: DeliveryAnswer['state']
  onChange(): Promise<void>
}

/** A button that disappears while it has the focus leaves it to the heading of the page. */
function useFocusOfButton() {
  const button = useRef<HTMLButtonElement>(null)
  useLayoutEffect(
    () => () => {
      if (button.current !== null && document.activeElement === button.current) focusAgain(null)
    },
    [],
  )
  return button
}

/** Asks for another round of attempts, and says what came of it. */
export function Redeliver({ caseId, eventId, name, deliveryState, onChange }: RedeliverProps) {
  const texts = useConsoleTexts()
  const client = useClient()
  const { state, run } = useAction()
  const button = useFocusOfButton()
  const path = `/cases/${caseId}/deliveries/${eventId}/redeliver`
  const isPending = deliveryState === 'pending'
  const isBusy = state.kind === 'busy' || isPending
  // A webhook that is being delivered needs no button, unless its button was just pressed.
  if (isPending && state.kind === 'idle') return null
  const done = isPending ? texts.redelivered : texts.deliveryStates[deliveryState]
  return (
    <div class="row">
      <button
        ref={button}
        type="button"
        class="button"
        aria-label={`${texts.redeliver}: ${name}`}
        aria-disabled={isBusy}
        onClick={() => isBusy || void run(() => client.ask('POST', path), onChange)}
      >
        {texts.redeliver}
      </button>
      <p role="status" class="small">
        {state.kind === 'done' ? done : null}
        {state.kind === 'failed' ? faultText(texts, state.fault) : null}
      </p>
    </div>
  )
}
