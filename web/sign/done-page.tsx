/** Signed: what has happened, what happens next, and the document once it is available. */
import { useEffect, useState } from 'preact/hooks'
import type { CaseDefinitionAnswer } from '../../domain/contract/participant-answers.ts'
import { Fault, Sign, Stage, StepHeading } from '../design/parts.tsx'
import type { ParticipantClient } from '../lib/client.ts'
import { isFramed, openDownload } from '../lib/frame.ts'
import type { Texts } from '../texts/en.ts'
import { instantIn } from '../texts/times.ts'
import { useSpeech } from '../texts/use-texts.ts'

const POLL_MS = 3_000
/** After ten minutes, the person waits for the mail instead. */
const MAXIMUM_POLLS = 200

interface DonePageProps {
  definition: CaseDefinitionAnswer
  client: ParticipantClient
  onRefresh(): Promise<void>
  /** The download needs the code again. */
  onCode(): void
}

/** Asks again while everybody has signed and the document is being made. */
function usePolling(isPending: boolean, onRefresh: () => Promise<void>): void {
  const [polls, setPolls] = useState(0)
  useEffect(() => {
    if (!isPending || polls >= MAXIMUM_POLLS) return undefined
    const timer = window.setTimeout(() => {
      void onRefresh()
      setPolls(polls + 1)
    }, POLL_MS)
    return () => window.clearTimeout(timer)
  }, [isPending, polls])
}

/** What happens next. */
function nextText({ status, participant, participants }: CaseDefinitionAnswer, texts: Texts) {
  if (status === 'DONE') return texts.doneReady
  if (participants.signed >= participants.total) return texts.doneNow
  return participant.notify ? texts.doneNext : texts.doneNextUnmailed
}

/** Polls, when all have signed, until the document is available. */
export function DonePage({ definition, client, onRefresh, onCode }: DonePageProps) {
  const { texts, language } = useSpeech()
  const [isFaulty, setFaulty] = useState(false)
  const { status, participant, participants } = definition
  const isReady = status === 'DONE'
  const isComplete = participants.signed >= participants.total
  usePolling(!isReady && isComplete, onRefresh)
  const download = async () => {
    setFaulty(false)
    const outcome = await client.signedDocument()
    if (outcome.kind === 'answered') return openDownload(outcome.value.url)
    if (outcome.kind === 'refused' && outcome.code === 'OTP_REQUIRED') return onCode()
    setFaulty(true)
  }
  return (
    <Stage>
      <div class="mark good">
        <Sign name="check" />
      </div>
      <StepHeading>{texts.doneHeading}</StepHeading>
      <div class="stack tight">
        <p class="summary-title">{definition.case.title}</p>
        {participant.signedAt === undefined ? null : (
          <p class="quiet">{texts.doneAt(instantIn(language, participant.signedAt))}</p>
        )}
      </div>
      <p role="status">{nextText(definition, texts)}</p>
      {isReady ? (
        <>
          <button type="button" class="button primary" onClick={() => void download()}>
            <Sign name="save" />
            {texts.download}
          </button>
          <p class="quiet small">{texts.doneKeep}</p>
        </>
      ) : null}
      <Fault>{isFaulty ? texts.downloadFailed : null}</Fault>
      {isFramed() ? null : <p class="quiet small">{texts.doneClose}</p>}
    </Stage>
  )
}
