/** The people of a case: who has signed, their links, and reminders. */
import { useState } from 'preact/hooks'
import type { CaseAnswer, ParticipantAnswer } from '../../domain/contract/answers.ts'
import { instantIn } from '../texts/times.ts'
import { useSpeech } from '../texts/use-texts.ts'
import { useClient } from './client-context.ts'
import { faultText } from './faults.ts'
import { HandOver } from './hand-over.tsx'
import { useAction } from './use-action.ts'
import { useConsoleTexts } from './use-console-texts.ts'

interface PeopleProps {
  seen: CaseAnswer
  onChange(): Promise<void>
}

interface PersonProps extends PeopleProps {
  person: ParticipantAnswer
}

/** Copies the link; a browser that does not permit it leaves the link to be copied by hand. */
function CopyLink({ person, name }: { person: ParticipantAnswer; name: string }) {
  const texts = useConsoleTexts()
  const [outcome, setOutcome] = useState<'copied' | 'refused' | undefined>(undefined)
  const copy = async () => {
    setOutcome(undefined)
    try {
      await navigator.clipboard.writeText(person.signerUrl)
      setOutcome('copied')
    } catch {
      setOutcome('refused')
    }
  }
  return (
    <>
      <button
        type="button"
        class="button"
        aria-label={texts.copyLinkOf(name)}
        onClick={() => void copy()}
      >
        {texts.copyLink}
      </button>
      <p role="status" class="small">
        {outcome === 'copied' ? texts.copied : null}
        {outcome === 'refused' ? texts.copyRefused : null}
      </p>
      {outcome === 'refused' ? <code class="token">{person.signerUrl}</code> : null}
    </>
  )
}

function Person({ seen, person, onChange }: PersonProps) {
  const texts = useConsoleTexts()
  const { language } = useSpeech()
  const client = useClient()
  const { state, run } = useAction()
  const name = `${person.firstName} ${person.lastName}`
  const path = `/cases/${seen.id}/participants/${person.id}/invitation`
  const isOpen = seen.status === 'IN_PROGRESS' && person.status === 'UNSIGNED'
  return (
    <li class="person stack tight">
      <div>
        <strong>
          <bdi>{name}</bdi>
        </strong>
        <div class="quiet small">{person.email}</div>
        <div class="small">
          {person.signedAt === undefined
            ? texts.notSigned
            : texts.signedAt(instantIn(language, person.signedAt))}
        </div>
      </div>
      {isOpen ? (
        <div class="row">
          {seen.quickSign ? null : (
            <button
              type="button"
              class="button"
              aria-label={texts.remindPerson(name)}
              aria-disabled={state.kind === 'busy'}
              onClick={() => void run(() => client.ask('POST', path), onChange)}
            >
              {texts.remind}
            </button>
          )}
          <CopyLink person={person} name={name} />
        </div>
      ) : null}
      {isOpen && seen.quickSign ? <HandOver caseId={seen.id} participantId={person.id} /> : null}
      <p role="status" class={state.kind === 'failed' ? 'small bad-text' : 'small'}>
        {state.kind === 'done' && isOpen ? texts.reminded : null}
        {state.kind === 'failed' ? faultText(texts, state.fault) : null}
      </p>
    </li>
  )
}

/** The section with the people. */
export function People({ seen, onChange }: PeopleProps) {
  const texts = useConsoleTexts()
  return (
    <section class="panel stack tight">
      <h2>{texts.people}</h2>
      <ul class="plain-list">
        {seen.participants.map((person) => (
          <Person key={person.id} seen={seen} person={person} onChange={onChange} />
        ))}
      </ul>
    </section>
  )
}
