/** The webhooks of a case: each request with its answer, and redelivery. */
import { useCallback } from 'preact/hooks'
import type { CaseAnswer } from '../../domain/contract/answers.ts'
import type { DeliveryAnswer } from '../../domain/contract/delivery-answers.ts'
import { instantIn, numberIn } from '../texts/times.ts'
import { useSpeech } from '../texts/use-texts.ts'
import type { Outcome } from './api.ts'
import { useClient } from './client-context.ts'
import { faultText } from './faults.ts'
import { Redeliver } from './redeliver.tsx'
import { useConsoleTexts } from './use-console-texts.ts'
import { usePolled } from './use-polled.ts'

const POLL_MS = 5_000
/** Classes of the badge with the state. */
const BADGES = { pending: '', delivered: 'good', failed: 'bad', dead: 'bad' }

function Attempt({ attempt }: { attempt: DeliveryAnswer['attempts'][number] }) {
  const texts = useConsoleTexts()
  const { language } = useSpeech()
  const { deliveryId, startedAt, durationMs, statusCode, error } = attempt
  const answer = statusCode === undefined ? texts.noAnswer(error ?? '') : texts.answered(statusCode)
  return (
    <li class="small">
      <time dateTime={startedAt}>{instantIn(language, startedAt)}</time>: {answer}
      {durationMs === undefined ? '' : ` (${numberIn(language, Math.round(durationMs))} ms)`}
      <div class="quiet">
        <code>Service-Delivery: {deliveryId}</code>
      </div>
    </li>
  )
}

interface DeliveryProps {
  seen: CaseAnswer
  delivery: DeliveryAnswer
  onChange(): Promise<void>
}

function Delivery({ seen, delivery, onChange }: DeliveryProps) {
  const texts = useConsoleTexts()
  const { language } = useSpeech()
  const { eventId, type, state, attempts, nextAttemptAt } = delivery
  return (
    <li class="stack tight">
      <div class="row">
        <strong>{texts.webhooks[type]}</strong>
        <span class={`badge ${BADGES[state]}`}>{texts.deliveryStates[state]}</span>
      </div>
      <div class="small quiet">
        <code>POST {seen.callback?.url}</code> · <code>{eventId}</code>
      </div>
      {nextAttemptAt === undefined ? null : (
        <p class="small">{texts.nextAttempt(instantIn(language, nextAttemptAt))}</p>
      )}
      <ol class="plain-list">
        {attempts.map((attempt) => (
          <Attempt key={attempt.deliveryId} attempt={attempt} />
        ))}
      </ol>
      <Redeliver
        caseId={seen.id}
        eventId={eventId}
        name={texts.webhooks[type]}
        deliveryState={state}
        onChange={onChange}
      />
    </li>
  )
}

/** The section with the webhooks; cases without a receiver have none. */
export function Deliveries({ seen }: { seen: CaseAnswer }) {
  const texts = useConsoleTexts()
  const client = useClient()
  const read = useCallback(
    (): Promise<Outcome<{ deliveries: DeliveryAnswer[] }>> =>
      client.ask('GET', `/cases/${seen.id}/deliveries`),
    [client, seen.id],
  )
  const { value, fault, refresh } = usePolled(read, POLL_MS)
  return (
    <section class="panel stack tight">
      <h2>{texts.pageWebhooks}</h2>
      {fault ? <p class="bad-text">{faultText(texts, fault)}</p> : null}
      {value?.deliveries.length === 0 ? <p class="quiet">{texts.webhooksNoneYet}</p> : null}
      <ul class="plain-list">
        {(value?.deliveries ?? []).map((delivery) => (
          <Delivery key={delivery.eventId} seen={seen} delivery={delivery} onChange={refresh} />
        ))}
      </ul>
    </section>
  )
}
