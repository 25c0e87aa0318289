/** The audit trail of a case as a timeline. */
import type { CaseAnswer } from '../../domain/contract/answers.ts'
import { instantIn } from '../texts/times.ts'
import { useSpeech } from '../texts/use-texts.ts'
import { eventDetails, eventTitle } from './event-words.ts'
import type { Trail, TrailEvent } from './use-case.ts'
import { useConsoleTexts } from './use-console-texts.ts'

interface EntryProps {
  seen: CaseAnswer
  event: TrailEvent
}

/** Each value is isolated: a reason that people wrote does not turn the values after it. */
function Details({ seen, event }: EntryProps) {
  const texts = useConsoleTexts()
  return (
    <div class="quiet small">
      {eventDetails(texts, event, seen).map(({ text, lang }, index) => (
        <span key={index}>
          {index === 0 ? '' : ' · '}
          <bdi {...(lang ? { lang } : {})}>{text}</bdi>
        </span>
      ))}
    </div>
  )
}

function Entry({ seen, event }: EntryProps) {
  const texts = useConsoleTexts()
  const { language } = useSpeech()
  const { occurredAt, participantId } = event
  const person = seen.participants.find(({ id }) => id === participantId)
  return (
    <li>
      <time class="quiet small" dateTime={occurredAt}>
        {instantIn(language, occurredAt)}
      </time>
      <div>
        {eventTitle(texts, event)}
        {person ? (
          <>
            : <bdi>{`${person.firstName} ${person.lastName}`}</bdi>
          </>
        ) : null}
      </div>
      <Details seen={seen} event={event} />
    </li>
  )
}

/** The section with the trail, newest first. */
export function Timeline({ seen, trail }: { seen: CaseAnswer; trail: Trail }) {
  const texts = useConsoleTexts()
  return (
    <section class="panel stack tight">
      <h2>{texts.trail}</h2>
      {trail.trailFault ? <p class="notice bad">{texts.trailFault}</p> : null}
      <ol class="timeline">
        {trail.events.map((event) => (
          <Entry key={event.eventId} seen={seen} event={event} />
        ))}
      </ol>
      {trail.isCut ? <p class="quiet small">{texts.trailCut(trail.events.length)}</p> : null}
    </section>
  )
}
