/** `/`: what this is, and where to go on. */
import { useEffect, useState } from 'preact/hooks'
import { StepHeading, TopBar } from '../design/parts.tsx'
import { Speaking, start } from '../lib/start.tsx'
import { useTexts } from '../texts/use-texts.ts'
import './home.css'

const MAILBOX = '/dev/mailbox'
const GRAPHQL = '/dev/graphql'
const CONSOLE = '/console'
/** The tenant of the command below. */
const DEMO_TENANT = 'demo'
const DEMO = 'npm run demo -- some.pdf'

/** Whether the service keeps its mails instead of sending them. */
function useMailbox(): boolean {
  const [isThere, setThere] = useState(false)
  useEffect(() => {
    fetch(MAILBOX, { method: 'HEAD' }).then(
      ({ ok }) => setThere(ok),
      () => setThere(false),
    )
  }, [])
  return isThere
}

/** Opens the console with a one-time code where the service has its own issuer. */
async function openConsole(event: Event): Promise<void> {
  event.preventDefault()
  const response = await fetch('/dev/console/codes', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ tenant: DEMO_TENANT }),
  }).catch(() => undefined)
  const code = response?.ok ? ((await response.json()) as { code: string }).code : undefined
  window.location.assign(code === undefined ? CONSOLE : `${CONSOLE}#code=${code}`)
}

function Home() {
  const texts = useTexts()
  const hasMailbox = useMailbox()
  const places = [
    ...(hasMailbox ? [[MAILBOX, texts.homeMailbox, texts.homeMailboxText]] : []),
    [CONSOLE, texts.homeConsole, texts.homeConsoleText],
    ['/verify', texts.homeVerify, texts.homeVerifyText],
    ['/docs', texts.homeDocs, texts.homeDocsText],
    ...(hasMailbox ? [[GRAPHQL, texts.homeGraphql, texts.homeGraphqlText]] : []),
  ]
  return (
    <div class="stage">
      <TopBar />
      <main class="home stack">
        <StepHeading>{texts.serviceName}</StepHeading>
        <p class="lead">{texts.homeLead}</p>
        <nav class="places">
          {places.map(([url, name, text]) => (
            <a
              key={url}
              class="place"
              href={url}
              {...(url === CONSOLE && hasMailbox
                ? { onClick: (event: Event) => void openConsole(event) }
                : {})}
            >
              <strong>{name}</strong>
              <span class="quiet">{text}</span>
            </a>
          ))}
        </nav>
        {hasMailbox ? (
          <section class="stack tight">
            <h2>{texts.homeStart}</h2>
            <p>{texts.homeStartText}</p>
            <pre tabIndex={0}>{DEMO}</pre>
          </section>
        ) : null}
      </main>
    </div>
  )
}

start(
  <Speaking>
    <Home />
  </Speaking>,
)
