/** The picture of a page while it is near the view. */
import { useEffect, useRef, useState } from 'preact/hooks'

export interface Painted {
  /** From the lowest to the highest. */
  layers: readonly Element[]
  /** Gives its memory back. */
  drop(): void
}

/**
 * Paints while `isNear`, and again when the page or its width changes. What is far is dropped, so
 * that long documents fit in memory.
 *
 * @param key what is painted: another value paints again
 * @returns a reference for the element that gets the layers, whether the last attempt failed, and a
 *   function that tries again
 */
export function usePainted(
  isNear: boolean,
  key: readonly unknown[],
  paint: (signal: AbortSignal) => Promise<Painted>,
) {
  const host = useRef<HTMLDivElement>(null)
  const painted = useRef<Painted | undefined>(undefined)
  const [isBroken, setBroken] = useState(false)
  const [attempt, setAttempt] = useState(0)
  const show = (next: Painted | undefined) => {
    host.current?.replaceChildren(...(next?.layers ?? []))
    painted.current?.drop()
    painted.current = next
  }
  useEffect(() => {
    if (!isNear) {
      show(undefined)
      return undefined
    }
    const aborted = new AbortController()
    const start = async () => {
      const next = await paint(aborted.signal)
      if (aborted.signal.aborted) return next.drop()
      show(next)
      setBroken(false)
    }
    start().catch(() => setBroken(!aborted.signal.aborted))
    return () => aborted.abort()
  }, [...key, isNear, attempt])
  useEffect(() => () => show(undefined), [])
  return { host, isBroken, retry: () => setAttempt(attempt + 1) }
}
