/** The clock of a page, for what counts down. */
import { useEffect, useState } from 'preact/hooks'

const TICK_MS = 500

/**
 * Renders the component again twice a second while `isNeeded`.
 *
 * @returns the time of this rendering in milliseconds since the epoch, so that a deadline that has
 * just been set is not compared with an earlier time
 */
export function useNow(isNeeded = true): number {
  const [, setTicks] = useState(0)
  useEffect(() => {
    if (!isNeeded) return undefined
    const timer = window.setInterval(() => setTicks((before) => before + 1), TICK_MS)
    return () => window.clearInterval(timer)
  }, [isNeeded])
  return Date.now()
}
