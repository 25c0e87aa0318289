/** One case: progress, people, documents, trail, and what the tenant can do. */
import { useState } from 'preact/hooks'
import { Fault } from '../design/parts.tsx'
import type { CaseAnswer } from '../../domain/contract/answers.ts'
import { instantIn } from '../texts/times.ts'
import { useSpeech } from '../texts/use-texts.ts'
import { CancelDialog } from './cancel-dialog.tsx'
import { Deliveries } from './deliveries.tsx'
import { Documents } from './documents.tsx'
import { endSentence } from './event-words.ts'
import { faultText } from './faults.ts'
import { PageHeading } from './page-heading.tsx'
import { People } from './people.tsx'
import { createLikeLink, LINKS } from './routes.ts'
import { Badge } from './status.tsx'
import { Timeline } from './timeline.tsx'
import { useCase, type SeenCase } from './use-case.ts'
import { useConsoleTexts } from './use-console-texts.ts'

/** What may still be signed or cancelled. */
const isOpen = ({ status }: CaseAnswer) => status === 'NEW' || status === 'IN_PROGRESS'

/** Why and when the case ended otherwise than it should. */
function End({ seen }: { seen: CaseAnswer }) {
  const texts = useConsoleTexts()
  const { language } = useSpeech()
  const { rejectReason, cancelReason, failureReason } = seen
  const sentence = endSentence(texts, seen)
  const at = seen.expiredAt ?? seen.cancelledAt ?? seen.failedAt
  // The service writes its reasons in English; the reason of a cancellation is the tenant's.
  const ofService = rejectReason ?? failureReason
  const reason = ofService ?? cancelReason
  const labelOfService = sentence === undefined ? texts.reasonOfService : texts.details
  const label = ofService === undefined ? texts.reason : labelOfService
  if (at === undefined && reason === undefined) return null
  return (
    <div class="notice">
      {sentence === undefined ? null : <p>{sentence}</p>}
      {at === undefined ? null : <time dateTime={at}>{instantIn(language, at)}</time>}
      {at === undefined || reason === undefined ? null : ' · '}
      {reason === undefined ? null : (
        <>
          {label} <bdi {...(ofService === undefined ? {} : { lang: 'en' })}>{reason}</bdi>
        </>
      )}
    </div>
  )
}

function Progress({ seen }: { seen: CaseAnswer }) {
  const texts = useConsoleTexts()
  const { language } = useSpeech()
  const { participants, validUntil } = seen
  const signed = participants.filter(({ status }) => status === 'SIGNED').length
  const said = [
    seen.status === 'IN_PROGRESS' ? texts.sent : texts.statuses[seen.status],
    texts.signedOf(signed, participants.length),
    ...(isOpen(seen) ? [texts.until(instantIn(language, validUntil))] : []),
  ]
  return (
    <div class="stack tight">
      <progress aria-label={texts.progress} max={participants.length} value={signed} />
      <p role="status">{said.join(' · ')}</p>
    </div>
  )
}

function Shown({ seen, trail, onChange }: SeenCase & { onChange(): Promise<void> }) {
  const texts = useConsoleTexts()
  const [isCancelling, setCancelling] = useState(false)
  return (
    <>
      <div class="page-head">
        <PageHeading text={seen.title} />
        <Badge status={seen.status} />
      </div>
      <Progress seen={seen} />
      <End seen={seen} />
      <div class="columns">
        <div class="stack">
          <People seen={seen} onChange={onChange} />
          <Documents seen={seen} />
          {seen.callback ? <Deliveries seen={seen} /> : null}
          <a class="button" href={createLikeLink(seen.id)}>
            {texts.createLike}
          </a>
          {isOpen(seen) ? (
            <button type="button" class="button danger" onClick={() => setCancelling(true)}>
              {texts.cancelCase}
            </button>
          ) : null}
        </div>
        <Timeline seen={seen} trail={trail} />
      </div>
      {isCancelling ? (
        <CancelDialog seen={seen} onChange={onChange} onClose={() => setCancelling(false)} />
      ) : null}
    </>
  )
}

/** The page of one case. */
export function CasePage({ caseId }: { caseId: string }) {
  const texts = useConsoleTexts()
  const { value, fault, refresh } = useCase(caseId)
  return (
    <div class="stack">
      <a class="back" href={LINKS.cases}>
        {texts.allCases}
      </a>
      <Fault>{fault ? faultText(texts, fault) : null}</Fault>
      {value ? (
        <Shown {...value} onChange={refresh} />
      ) : (
        <p role="status">{fault ? '' : texts.loading}</p>
      )}
    </div>
  )
}
