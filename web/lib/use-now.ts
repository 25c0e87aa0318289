/** The clock of a page, for what counts down. */
import { useEffect, useState } from 'preact/hooks'

const TICK_MS = 500

/** @returns milliseconds since the epoch, anew twice a second while `isNeeded` */
export function useNow(isNeeded = true): number {
  const [nowMs, setNowMs] = useState(() => Date.now())
  useEffect(() => {
    if (!isNeeded) return undefined
    setNowMs(Date.now())
    const timer = window.setInterval(() => setNowMs(Date.now()), TICK_MS)
    return () => window.clearInterval(timer)
  }, [isNeeded])
  return nowMs
}
