/** Webhooks that were not delivered, of all cases. */
import { Fault } from '../design/parts.tsx'
import { instantIn } from '../texts/times.ts'
import { useSpeech } from '../texts/use-texts.ts'
import { faultText } from './faults.ts'
import { More } from './more.tsx'
import { PageHeading } from './page-heading.tsx'
import { Redeliver } from './redeliver.tsx'
import { caseLink } from './routes.ts'
import { useConsoleTexts } from './use-console-texts.ts'
import { useUndelivered } from './use-undelivered.ts'

/** The page with the list. */
export function WebhooksPage() {
  const texts = useConsoleTexts()
  const { language } = useSpeech()
  const list = useUndelivered()
  const { value, fault, refresh } = list
  return (
    <div class="stack">
      <PageHeading text={texts.pageWebhooks} />
      <p>{texts.webhooksText}</p>
      <Fault>{fault ? faultText(texts, fault) : null}</Fault>
      <p role="status">{value?.items.length === 0 ? texts.webhooksAllDelivered : null}</p>
      {value && value.items.length > 0 ? (
        <ul class="panel plain-list">
          {value.items.map(({ eventId, caseId, type, state, occurredAt }) => (
            <li key={eventId} class="stack tight">
              <div class="row">
                <a href={caseLink(caseId)}>{texts.webhooks[type]}</a>
                <span class="badge bad">{texts.deliveryStates[state]}</span>
                <time class="quiet small" dateTime={occurredAt}>
                  {instantIn(language, occurredAt)}
                </time>
              </div>
              <Redeliver
                caseId={caseId}
                eventId={eventId}
                name={texts.webhooks[type]}
                deliveryState={state}
                onChange={refresh}
              />
            </li>
          ))}
        </ul>
      ) : null}
      <More list={list} cut={texts.webhooksCut} />
    </div>
  )
}
