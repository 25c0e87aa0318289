/** One visit of a signing link: what it shows, and what opens it. */
import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import type { CaseDefinitionAnswer } from '../../domain/contract/participant-answers.ts'
import { ParticipantClient, type Outcome, type ParticipantLink, type Proof } from '../lib/client.ts'
import type { Keep } from '../lib/keep.ts'
import { viewOf, type View } from './view.ts'

export interface Visit {
  view: View
  client: ParticipantClient
  /** Asks again; shows that it does only when asked to. */
  refresh(options?: { isShown?: boolean }): Promise<void>
  show(view: View): void
  /** Shows what an accepted signature means, and asks for the rest. */
  signed(definition: CaseDefinitionAnswer): void
  /** Keeps what opens the document, and asks again. */
  prove(proof: Proof): Promise<void>
}

const SESSION = 'session'

/** After the last wrong PIN, only the answer to the next request says how long to wait. */
async function readCase(client: ParticipantClient): Promise<Outcome<CaseDefinitionAnswer>> {
  const outcome = await client.caseDefinition()
  const isOver = outcome.kind === 'refused' && outcome.attemptsLeft === 0
  return isOver ? client.caseDefinition() : outcome
}

/** Long enough that a page whose clock is fast does not ask all the time. */
const DEADLINE_CHECK_MS = 30_000

/** Whether the view is a problem that ends by itself. */
const isPassing = (view: View) =>
  view.kind === 'problem' && /^(unavailable|offline)$/.test(view.problem.kind)

/** When what the view offers ends, in milliseconds since the epoch; undefined when it is over. */
function deadlineOf(view: View): number | undefined {
  const isOpen = view.kind === 'document' || view.kind === 'code' || view.kind === 'pin'
  const validUntil = isOpen ? view.definition?.case.validUntil : undefined
  return validUntil === undefined ? undefined : Date.parse(validUntil)
}

/** Asks after the deadline whether the case has ended: the clock of the device may be wrong. */
function useDeadline(view: View, ask: () => Promise<View>, show: (view: View) => void): void {
  const deadlineMs = deadlineOf(view)
  useEffect(() => {
    if (deadlineMs === undefined) return undefined
    const timer = window.setInterval(() => {
      if (Date.now() < deadlineMs) return
      void ask().then((next) => {
        if (deadlineOf(next) === undefined && !isPassing(next)) show(next)
      })
    }, DEADLINE_CHECK_MS)
    return () => window.clearInterval(timer)
  }, [deadlineMs])
}

/** The case as the service has it since it accepted the signature. */
const withSignature = (definition: CaseDefinitionAnswer): CaseDefinitionAnswer => {
  const { participant, participants } = definition
  const signed = Math.min(participants.signed + 1, participants.total)
  return {
    ...definition,
    participant: { ...participant, status: 'SIGNED' },
    participants: { ...participants, signed },
  }
}

/** @param keep the session of a code survives a reload, a PIN does not */
export function useVisit(link: ParticipantLink, keep: Keep): Visit {
  const [view, show] = useState<View>({ kind: 'loading' })
  const proof = useRef<Proof>({ otpSession: keep.get(SESSION) })
  const client = useMemo(() => new ParticipantClient(link, () => proof.current), [link])
  const refresh: Visit['refresh'] = async ({ isShown = false } = {}) => {
    if (isShown) show({ kind: 'loading' })
    const next = viewOf(await readCase(client))
    // Who has signed has signed, also when the service cannot be reached for a while.
    show((before) => (before.kind === 'done' && isPassing(next) ? before : next))
  }
  const signed: Visit['signed'] = (definition) => {
    show({ kind: 'done', definition: withSignature(definition) })
    void refresh()
  }
  const prove: Visit['prove'] = async (given) => {
    proof.current = { ...proof.current, ...given }
    if (given.otpSession !== undefined) keep.set(SESSION, given.otpSession)
    await refresh()
  }
  useEffect(() => void refresh(), [client])
  useDeadline(view, async () => viewOf(await readCase(client)), show)
  const isStuck = isPassing(view)
  useEffect(() => {
    if (!isStuck) return undefined
    const again = () => void refresh({ isShown: true })
    window.addEventListener('online', again)
    return () => window.removeEventListener('online', again)
  }, [isStuck])
  return { view, client, refresh, show, signed, prove }
}
