/** The console: sign-in, and one page at a time. */
import { useEffect, useMemo } from 'preact/hooks'
import { Stage } from '../design/parts.tsx'
import { useTexts } from '../texts/use-texts.ts'
import { TenantClient } from './api.ts'
import { CaseList } from './case-list.tsx'
import { CasePage } from './case-page.tsx'
import { ClientContext, LiveContext } from './client-context.ts'
import { CreatePage } from './create-page.tsx'
import { DevicesPage } from './devices-page.tsx'
import { LiveCases } from './live-cases.ts'
import { PageHeading } from './page-heading.tsx'
import { useRoute, type Route } from './routes.ts'
import type { Session } from './session.ts'
import { Shell } from './shell.tsx'
import { SignInPage } from './sign-in.tsx'
import { StatisticsPage } from './statistics-page.tsx'
import { WebhooksPage } from './webhooks-page.tsx'
import { useConsoleTexts } from './use-console-texts.ts'
import { useSession } from './use-session.ts'

function Page({ route }: { route: Route }) {
  switch (route.page) {
    case 'case':
      return <CasePage key={route.caseId} caseId={route.caseId} />
    case 'create':
      return <CreatePage key={route.like} like={route.like} />
    case 'devices':
      return <DevicesPage />
    case 'statistics':
      return <StatisticsPage />
    case 'webhooks':
      return <WebhooksPage />
    default:
      return <CaseList />
  }
}

interface SignedInProps {
  session: Session
  onSignOut(reason?: 'expired'): void
}

function SignedIn({ session, onSignOut }: SignedInProps) {
  const route = useRoute()
  const client = useMemo(
    () => new TenantClient(session.token, () => onSignOut('expired')),
    [session.token],
  )
  const live = useMemo(() => new LiveCases(client), [client])
  useEffect(() => live.start(), [live])
  return (
    <ClientContext.Provider value={client}>
      <LiveContext.Provider value={live}>
        <Shell name={session.name} route={route} onSignOut={() => onSignOut()}>
          <Page route={route} />
        </Shell>
      </LiveContext.Provider>
    </ClientContext.Provider>
  )
}

/** The whole page. */
export function App() {
  const texts = useConsoleTexts()
  const { tryAgain } = useTexts()
  const { state, open, signIn, signOut } = useSession()
  switch (state.kind) {
    case 'opening':
      return <p class="hidden-visually">{texts.opening}</p>
    case 'unreachable':
      return (
        <Stage>
          <PageHeading text={texts.faultUnreachable} />
          <button type="button" class="button primary" onClick={open}>
            {tryAgain}
          </button>
        </Stage>
      )
    case 'signed-out': {
      const sentences = {
        failed: texts.signInFailed,
        expired: texts.signInExpired,
        left: undefined,
      }
      const { reason } = state
      return (
        <SignInPage
          signIn={state.signIn}
          fault={reason && sentences[reason]}
          hasLeft={reason === 'left'}
          onToken={signIn}
        />
      )
    }
    case 'signed-in':
      return <SignedIn session={state.session} onSignOut={signOut} />
  }
}
