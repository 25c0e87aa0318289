/** Sends the signature, once, through a network that comes and goes. */
import type { CaseDefinitionAnswer } from '../../domain/contract/participant-answers.ts'
import type { SigningInput } from '../../domain/contract/signing-input.ts'
import type { Outcome, ParticipantClient } from '../lib/client.ts'
import type { Draft } from './use-draft.ts'

/** Waits between attempts; signing twice is refused by the service, so that another try is safe. */
const RETRY_DELAYS_MS = [1_000, 3_000, 8_000, 15_000]

/** Waits; no longer than until the network is back, or `signal` says that it is over. */
function pause(delayMs: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const go = () => {
      window.clearTimeout(timer)
      window.removeEventListener('online', go)
      signal.removeEventListener('abort', go)
      resolve()
    }
    const timer = window.setTimeout(go, delayMs)
    window.addEventListener('online', go)
    signal.addEventListener('abort', go)
  })
}

function placesOf({ isFree, places }: Draft): Pick<SigningInput, 'fieldIds' | 'signatures'> {
  if (!isFree) return { fieldIds: places.map(({ id }) => id) }
  return { signatures: places.map(({ id: _id, ...rectangle }) => rectangle) }
}

/** The text that was ticked, and when: ISO 8601. */
export interface AcceptedConsent {
  textVersion: string
  acceptedAt: string
}

/** @param language of the page */
export function signingInput(
  draft: Draft,
  { document }: CaseDefinitionAnswer,
  consent: AcceptedConsent,
  language: string,
): SigningInput {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions()
  return {
    encodedSignature: draft.drawing ?? '',
    ...placesOf(draft),
    consent,
    client: {
      ...(timeZone ? { timezone: timeZone } : {}),
      language,
      screen: { width: window.screen.width, height: window.screen.height },
      viewedAllPages: draft.seenPages.length >= document.pageCount,
    },
  }
}

/**
 * Sends it until an answer comes or patience ends.
 *
 * @param onOffline called when an attempt did not reach the service
 * @param signal aborted when the result is no longer needed: nothing is sent after that
 */
export async function submit(
  client: ParticipantClient,
  input: SigningInput,
  onOffline: () => void,
  signal: AbortSignal,
): Promise<Outcome<unknown>> {
  for (const delayMs of RETRY_DELAYS_MS) {
    const outcome = await client.sign(input)
    if (outcome.kind !== 'unreachable' || signal.aborted) return outcome
    onOffline()
    await pause(delayMs, signal)
    if (signal.aborted) return outcome
  }
  return client.sign(input)
}
