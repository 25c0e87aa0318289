/** Keeps the screen on, where the browser can (Screen Wake Lock). */
import { useEffect } from 'preact/hooks'

/** Asks anew whenever the page comes back: a hidden page loses the lock. */
export function useWakeLock(): void {
  useEffect(() => {
    const ask = () => {
      if (document.hidden || !('wakeLock' in navigator)) return
      // A battery that is low is a reason to refuse, and none to complain.
      navigator.wakeLock.request('screen').catch(() => undefined)
    }
    ask()
    document.addEventListener('visibilitychange', ask)
    return () => document.removeEventListener('visibilitychange', ask)
  }, [])
}
