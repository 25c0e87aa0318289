/** Reads something now, and again at an interval while the page is visible. */
import { useCallback, useEffect, useRef, useState } from 'preact/hooks'
import type { Fault, Outcome } from './api.ts'

export interface Polled<T> {
  value: T | undefined
  /** Why the last read failed; an older value stays. */
  fault: Fault | undefined
  /** Reads again now. */
  refresh(): Promise<void>
}

/**
 * @param read a function that changes when other data are to be read
 * @param intervalMs time between two reads
 */
export function usePolled<T>(read: () => Promise<Outcome<T>>, intervalMs: number): Polled<T> {
  const [value, setValue] = useState<T | undefined>(undefined)
  const [fault, setFault] = useState<Fault | undefined>(undefined)
  const current = useRef(read)
  current.current = read
  const isReading = useRef(false)
  const refresh = useCallback(async () => {
    isReading.current = true
    const outcome = await read().finally(() => (isReading.current = false))
    if (current.current !== read) return
    if (outcome.kind === 'answered') setValue(outcome.value)
    setFault(outcome.kind === 'answered' ? undefined : outcome)
  }, [read])
  useEffect(() => {
    setValue(undefined)
    void refresh()
    const timer = window.setInterval(() => {
      if (!document.hidden && !isReading.current) void refresh()
    }, intervalMs)
    return () => window.clearInterval(timer)
  }, [refresh, intervalMs])
  return { value, fault, refresh }
}
