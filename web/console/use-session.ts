/** Starts the session when the page opens, and ends it. */
import { useEffect, useState } from 'preact/hooks'
import { forgetDraft, keepDraft } from './interrupted-draft.ts'
import { takeAnswer, exchangeAnswer } from './pkce.ts'
import {
  beginSession,
  endSession,
  hasCode,
  readSignIn,
  storedSession,
  takeCode,
  exchangeCode,
  type Session,
  type SignIn,
} from './session.ts'

export type SessionState =
  | { kind: 'opening' }
  | { kind: 'unreachable' }
  | { kind: 'signed-out'; signIn: SignIn; reason?: 'failed' | 'expired' | 'left' }
  | { kind: 'signed-in'; signIn: SignIn; session: Session }

/** Exchanges the code of a link or of a provider's answer, if the page was opened with one. */
async function openSession(): Promise<SessionState> {
  const code = takeCode()
  const answer = takeAnswer()
  const signIn = await readSignIn()
  const signedIn = (token: string): SessionState => {
    return { kind: 'signed-in', signIn, session: beginSession(token) }
  }
  try {
    if (code !== undefined) return signedIn(await exchangeCode(code))
    if (answer && signIn.kind === 'provider') return signedIn(await exchangeAnswer(signIn, answer))
  } catch {
    return { kind: 'signed-out', signIn, reason: 'failed' }
  }
  const session = storedSession()
  return session ? { kind: 'signed-in', signIn, session } : { kind: 'signed-out', signIn }
}

/** The session of the tab, and functions that begin and end it. */
export function useSession() {
  const [state, setState] = useState<SessionState>({ kind: 'opening' })
  const open = () => {
    openSession().then(setState, () => setState({ kind: 'unreachable' }))
  }
  useEffect(() => {
    open()
    // A link that is opened in a tab of the console changes only the part after the hash.
    const reopen = () => hasCode() && open()
    window.addEventListener('hashchange', reopen)
    return () => window.removeEventListener('hashchange', reopen)
  }, [])
  const signIn = (token: string) =>
    setState((before) =>
      before.kind === 'signed-out'
        ? { kind: 'signed-in', signIn: before.signIn, session: beginSession(token) }
        : before,
    )
  const signOut = (reason?: 'expired') => {
    if (reason === 'expired') keepDraft()
    else forgetDraft()
    endSession()
    setState((before) =>
      before.kind === 'signed-in'
        ? { kind: 'signed-out', signIn: before.signIn, reason: reason ?? 'left' }
        : before,
    )
  }
  return { state, open, signIn, signOut }
}
