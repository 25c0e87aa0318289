/** A page of its own for everything that keeps people from signing. */
import { Sign, Stage, StepHeading } from '../design/parts.tsx'
import { ownWindowUrl } from '../lib/frame.ts'
import type { Texts } from '../texts/en.ts'
import { useTexts } from '../texts/use-texts.ts'
import type { Problem } from './view.ts'

type Words = Readonly<{ heading: keyof Texts; text: keyof Texts; mayRetry?: true }>

const WORDS = {
  link: { heading: 'linkHeading', text: 'linkText', mayRetry: true },
  expired: { heading: 'expiredHeading', text: 'expiredText' },
  cancelled: { heading: 'cancelledHeading', text: 'cancelledText' },
  failed: { heading: 'failedHeading', text: 'failedText' },
  rejected: { heading: 'rejectedHeading', text: 'rejectedText' },
  notEmbeddable: { heading: 'notEmbeddableHeading', text: 'notEmbeddableText' },
  linkExpired: { heading: 'linkExpiredHeading', text: 'linkExpiredText' },
  unavailable: { heading: 'unavailableHeading', text: 'unavailableText', mayRetry: true },
  offline: { heading: 'offlineHeading', text: 'offlineText', mayRetry: true },
} as const satisfies Record<Problem['kind'], Words>

/** The heading of the page of a problem. */
export const problemHeading = (texts: Texts, { kind }: Problem): string =>
  String(texts[WORDS[kind].heading])

/** A problem that a retry can solve has a button; other problems name a contact. */
export function ProblemPage({ problem, onRetry }: { problem: Problem; onRetry(): void }) {
  const texts = useTexts()
  const { text, ...words }: { heading: keyof Texts; text: keyof Texts } = WORDS[problem.kind]
  const mayRetry = 'mayRetry' in words
  const { kind, senderName } = problem
  const contact = senderName === undefined ? texts.askAnySender : texts.askSender(senderName)
  return (
    <Stage>
      <div class="mark">
        <Sign name={mayRetry ? 'clock' : 'stop'} />
      </div>
      <StepHeading>{problemHeading(texts, problem)}</StepHeading>
      <p>{String(texts[text])}</p>
      {kind === 'link' ? <p>{texts.linkAdvice}</p> : null}
      {kind === 'notEmbeddable' ? (
        <a class="button primary" href={ownWindowUrl()} target="_blank" rel="noopener">
          {texts.openInWindow}
        </a>
      ) : null}
      {mayRetry ? (
        <button type="button" class="button primary" onClick={onRetry}>
          {texts.tryAgain}
        </button>
      ) : (
        <p class="quiet">{contact}</p>
      )}
    </Stage>
  )
}
