/** How a tenant signs in: at the provider, at the local issuer, or with a pasted token. */
import { useState } from 'preact/hooks'
import { Fault, Stage } from '../design/parts.tsx'
import { PageHeading } from './page-heading.tsx'
import { leaveForProvider, type Provider } from './pkce.ts'
import { useProviderSignOut } from './provider-sign-out.ts'
import { signInLocally, type SignIn } from './session.ts'
import { useConsoleTexts } from './use-console-texts.ts'

/** The tenant of `npm run demo`. */
const DEMO_TENANT = 'demo'

interface SignInProps {
  signIn: SignIn
  /** A sentence about why the session ended or could not begin. */
  fault: string | undefined
  /** The person has just signed out. */
  hasLeft: boolean
  onToken(token: string): void
}

function ByProvider({ provider, onFail }: { provider: Provider; onFail(): void }) {
  const texts = useConsoleTexts()
  return (
    <button
      type="button"
      class="button primary"
      onClick={() => void leaveForProvider(provider).catch(onFail)}
    >
      {texts.signInProvider}
    </button>
  )
}

/** The session at the provider outlives that of the console: one click would sign in again. */
function Left({ provider }: { provider: Provider }) {
  const texts = useConsoleTexts()
  const url = useProviderSignOut(provider)
  return (
    <div class="stack">
      <p class="notice">{texts.signedOut}</p>
      {url === undefined ? null : (
        <a class="button" href={url}>
          {texts.signOutProvider}
        </a>
      )}
    </div>
  )
}

interface FormProps {
  onToken(token: string): void
  onFail(): void
}

function ByLocalIssuer({ onToken, onFail }: FormProps) {
  const texts = useConsoleTexts()
  const [tenant, setTenant] = useState(DEMO_TENANT)
  const submit = (event: Event) => {
    event.preventDefault()
    void signInLocally(tenant).then(onToken, onFail)
  }
  return (
    <form class="stack" onSubmit={submit}>
      <p class="quiet">{texts.signInLocalText}</p>
      <label class="stack tight">
        {texts.signInTenant}
        <input
          class="input"
          required
          autocapitalize="none"
          autocomplete="off"
          spellcheck={false}
          value={tenant}
          onInput={(event) => setTenant(event.currentTarget.value)}
        />
      </label>
      <button type="submit" class="button primary">
        {texts.signInLocal}
      </button>
    </form>
  )
}

function ByToken({ onToken }: Pick<FormProps, 'onToken'>) {
  const texts = useConsoleTexts()
  const [token, setToken] = useState('')
  const submit = (event: Event) => {
    event.preventDefault()
    onToken(token.trim())
  }
  return (
    <form class="stack" onSubmit={submit}>
      <p class="quiet">{texts.signInTokenText}</p>
      <label class="stack tight">
        {texts.signInToken}
        <input
          class="input"
          type="password"
          required
          autocomplete="off"
          value={token}
          onInput={(event) => setToken(event.currentTarget.value)}
        />
      </label>
      <button type="submit" class="button primary">
        {texts.signInWithToken}
      </button>
    </form>
  )
}

/** The page before there is a session. */
export function SignInPage({ signIn, fault, hasLeft, onToken }: SignInProps) {
  const texts = useConsoleTexts()
  const [hasFailed, setFailed] = useState(false)
  const onFail = () => setFailed(true)
  return (
    <Stage>
      <PageHeading text={texts.signInHeading} />
      <p>{texts.signInLead}</p>
      <Fault>{hasFailed ? texts.signInFailed : (fault ?? null)}</Fault>
      {signIn.kind === 'provider' && hasLeft ? <Left provider={signIn} /> : null}
      {signIn.kind === 'provider' ? <ByProvider provider={signIn} onFail={onFail} /> : null}
      {signIn.kind === 'local' ? <ByLocalIssuer onToken={onToken} onFail={onFail} /> : null}
      {signIn.kind === 'token' ? <ByToken onToken={onToken} /> : null}
    </Stage>
  )
}
