/** A value once it has not changed for a moment, so that the API is not asked at each key. */
import { useEffect, useState } from 'preact/hooks'

/** Shorter than a reader notices, longer than between two keys of most people. */
const SETTLED_MS = 300

/** @param value an object that changes with its content */
export function useSettled<T>(value: T): T {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = window.setTimeout(() => setSettled(value), SETTLED_MS)
    return () => window.clearTimeout(timer)
  }, [value])
  return settled
}
