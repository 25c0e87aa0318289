/** `/dev/mailbox`: mails of a service that keeps them instead of sending. */
import { useEffect, useState } from 'preact/hooks'
import type { KeptMail } from '../../domain/ports/mailbox.ts'
import { Fault, StepHeading, TopBar } from '../design/parts.tsx'
import { Speaking, start } from '../lib/start.tsx'
import { instantIn } from '../texts/times.ts'
import { useSpeech } from '../texts/use-texts.ts'
import './mailbox.css'

const MAILS = '/dev/mails'
const POLL_MS = 3_000

function useMails() {
  const [mails, setMails] = useState<readonly KeptMail[] | undefined>(undefined)
  const [isFaulty, setFaulty] = useState(false)
  const read = async () => {
    try {
      const response = await fetch(MAILS)
      if (response.ok) setMails(((await response.json()) as { mails: KeptMail[] }).mails)
      setFaulty(!response.ok)
    } catch {
      setFaulty(true)
    }
  }
  useEffect(() => {
    void read()
    const timer = window.setInterval(() => document.hidden || void read(), POLL_MS)
    return () => window.clearInterval(timer)
  }, [])
  return { mails, isFaulty }
}

function Mailbox() {
  const { texts, language } = useSpeech()
  const { mails, isFaulty } = useMails()
  return (
    <div class="stage">
      <TopBar />
      <main class="mailbox stack">
        <StepHeading>{texts.mailboxHeading}</StepHeading>
        <p class="quiet">{texts.mailboxText}</p>
        <Fault>{isFaulty ? texts.mailboxFailed : null}</Fault>
        {mails?.length === 0 ? <p>{texts.mailboxEmpty}</p> : null}
        <ul class="mails">
          {(mails ?? []).map(({ id, to, subject, sentAt }) => (
            <li key={id}>
              <a class="mail" href={`${MAILS}/${id}`}>
                <strong>{subject}</strong>
                <span>{to}</span>
                <time class="quiet small" dateTime={sentAt}>
                  {instantIn(language, sentAt)}
                </time>
              </a>
            </li>
          ))}
        </ul>
      </main>
    </div>
  )
}

start(
  <Speaking>
    <Mailbox />
  </Speaking>,
)
