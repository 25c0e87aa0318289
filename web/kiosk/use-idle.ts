/** Notices that the person has left (K4). */
import { useEffect, useRef, useState } from 'preact/hooks'

const WARNING_AFTER_MS = 60_000
const RESET_AFTER_MS = 90_000
const TICK_MS = 500
const SIGNS_OF_LIFE = ['pointerdown', 'pointermove', 'keydown', 'wheel', 'scroll'] as const

export interface Idle {
  /** Milliseconds until the reset, once there is a warning. */
  leftMs: number | undefined
  stay(): void
}

/** @param isActive whether a person should be at the screen */
export function useIdle(isActive: boolean, onReset: () => void): Idle {
  const lastMs = useRef(0)
  const [leftMs, setLeftMs] = useState<number | undefined>(undefined)
  const stay = () => {
    lastMs.current = Date.now()
    setLeftMs(undefined)
  }
  useEffect(() => {
    if (!isActive) return undefined
    stay()
    // Only the button of the warning ends it; a touch elsewhere does not.
    const live = () => {
      if (Date.now() - lastMs.current < WARNING_AFTER_MS) lastMs.current = Date.now()
    }
    const timer = window.setInterval(() => {
      const idleMs = Date.now() - lastMs.current
      if (idleMs >= RESET_AFTER_MS) onReset()
      else setLeftMs(idleMs >= WARNING_AFTER_MS ? RESET_AFTER_MS - idleMs : undefined)
    }, TICK_MS)
    for (const sign of SIGNS_OF_LIFE) window.addEventListener(sign, live, { passive: true })
    return () => {
      window.clearInterval(timer)
      setLeftMs(undefined)
      for (const sign of SIGNS_OF_LIFE) window.removeEventListener(sign, live)
    }
  }, [isActive])
  return { leftMs, stay }
}
