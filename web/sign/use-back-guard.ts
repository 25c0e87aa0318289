/** Lets Back close what is open, and ask before it leaves a signature that was not sent. */
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { isFramed } from '../lib/frame.ts'
import { useIsKiosk } from '../lib/kiosk-context.ts'

const GUARD = 'sigcase-guard'

interface BackGuardOptions {
  /** Something is open over the document: Back closes it. */
  isOpen: boolean
  onClose(): void
  /** Something would be left behind: Back asks. */
  isDirty: boolean
}

const isGuardEntry = () => (window.history.state as unknown) === GUARD

/**
 * One entry of the history is put over the page while there is something to guard. A reload keeps
 * what was entered, so that it need not ask.
 *
 * @returns whether to ask, and the two answers
 */
export function useBackGuard(options: BackGuardOptions) {
  const latest = useRef(options)
  latest.current = options
  const [isAsking, setAsking] = useState(false)
  const isLeaving = useRef(false)
  const isOn = !useIsKiosk() && !isFramed() && (options.isOpen || options.isDirty)
  // Before the paint: Back can be pressed as soon as there is something to guard.
  useLayoutEffect(() => {
    if (!isOn) return undefined
    if (!isGuardEntry()) window.history.pushState(GUARD, '')
    const back = () => {
      if (isLeaving.current || isGuardEntry()) return
      const { isOpen, onClose } = latest.current
      window.history.pushState(GUARD, '')
      if (isOpen) onClose()
      else setAsking(true)
    }
    window.addEventListener('popstate', back)
    return () => window.removeEventListener('popstate', back)
  }, [isOn])
  const leave = () => {
    isLeaving.current = true
    setAsking(false)
    window.history.go(-2)
  }
  return { isAsking, stay: () => setAsking(false), leave }
}
