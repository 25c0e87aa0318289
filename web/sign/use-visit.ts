/** One visit of a signing link: what it shows, and what opens it. */
import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { ParticipantClient, type ParticipantLink, type Proof } from '../lib/client.ts'
import type { Keep } from '../lib/keep.ts'
import { viewOf, type View } from './view.ts'

export interface Visit {
  view: View
  client: ParticipantClient
  /** Asks again; shows that it does only when asked to. */
  refresh(options?: { isShown?: boolean }): Promise<void>
  show(view: View): void
  /** Keeps what opens the document, and asks again. */
  prove(proof: Proof): Promise<void>
}

const SESSION = 'session'

/** @param keep the session of a code survives a reload, a PIN does not */
export function useVisit(link: ParticipantLink, keep: Keep): Visit {
  const [view, show] = useState<View>({ kind: 'loading' })
  const proof = useRef<Proof>({ otpSession: keep.get(SESSION) })
  const client = useMemo(() => new ParticipantClient(link, () => proof.current), [link])
  const refresh: Visit['refresh'] = async ({ isShown = false } = {}) => {
    if (isShown) show({ kind: 'loading' })
    show(viewOf(await client.caseDefinition()))
  }
  const prove: Visit['prove'] = async (given) => {
    proof.current = { ...proof.current, ...given }
    if (given.otpSession !== undefined) keep.set(SESSION, given.otpSession)
    await refresh()
  }
  useEffect(() => void refresh(), [client])
  const isStuck = view.kind === 'problem' && /^(unavailable|offline)$/.test(view.problem.kind)
  useEffect(() => {
    if (!isStuck) return undefined
    const again = () => void refresh({ isShown: true })
    window.addEventListener('online', again)
    return () => window.removeEventListener('online', again)
  }, [isStuck])
  return { view, client, refresh, show, prove }
}
