/** Who asks whom to sign what, and until when. */
import type { CaseDefinitionAnswer } from '../../domain/contract/participant-answers.ts'
import { Bar, StepHeading } from '../design/parts.tsx'
import { instantIn } from '../texts/times.ts'
import { useSpeech } from '../texts/use-texts.ts'

interface MastheadProps {
  definition: CaseDefinitionAnswer
  /** The step below has a heading of its own. */
  isQuiet?: boolean
}

/** Who asks, what for, and until when. @param props `isQuiet`: the title is not the heading */
export function Summary({ definition, isQuiet = false }: MastheadProps) {
  const { texts, language } = useSpeech()
  const { sender, participant, participants, document } = definition
  const { title, validUntil } = definition.case
  const facts = [
    [texts.signingAs, `${participant.firstName} ${participant.lastName}`],
    [texts.documentSize, texts.pageCount(document.pageCount)],
    [texts.signUntil, instantIn(language, validUntil)],
    ...(participants.total > 1
      ? [[texts.progress, texts.progressOf(participants.signed, participants.total)]]
      : []),
  ]
  return (
    <div class="summary stack tight">
      <p class="quiet">{sender ? texts.asksYou(sender.name) : texts.youAreAsked}</p>
      {isQuiet ? <p class="summary-title">{title}</p> : <StepHeading>{title}</StepHeading>}
      <dl class="facts">
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </div>
  )
}

/** Above the document, as large as it needs to be. */
export function Masthead({ definition }: MastheadProps) {
  return (
    <header class="masthead">
      <Bar />
      <Summary definition={definition} />
    </header>
  )
}
