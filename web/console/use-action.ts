/** One request that a button sends, and what came of it. */
import { useRef, useState } from 'preact/hooks'
import type { Fault, Outcome } from './api.ts'

export type ActionState = { kind: 'idle' | 'busy' | 'done' } | { kind: 'failed'; fault: Fault }

/** @returns the outcome; a request that throws counts as one that did not arrive */
export async function runAction<T>(act: () => Promise<Outcome<T>>): Promise<Outcome<T>> {
  try {
    return await act()
  } catch {
    return { kind: 'unreachable' }
  }
}

/** @returns the state, and a function that sends one request at a time */
export function useAction() {
  const [state, setState] = useState<ActionState>({ kind: 'idle' })
  const isBusy = useRef(false)
  const run = async <T>(
    act: () => Promise<Outcome<T>>,
    onAnswer?: (value: T) => unknown,
  ): Promise<void> => {
    if (isBusy.current) return
    isBusy.current = true
    setState({ kind: 'busy' })
    const outcome = await runAction(act)
    isBusy.current = false
    try {
      if (outcome.kind === 'answered') await onAnswer?.(outcome.value)
    } finally {
      setState(outcome.kind === 'answered' ? { kind: 'done' } : { kind: 'failed', fault: outcome })
    }
  }
  return { state, run }
}
