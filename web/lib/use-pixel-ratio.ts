/** The pixels of the screen for each of the style sheet, which zooming and other screens change. */
import { useEffect, useState } from 'preact/hooks'

/** @returns 1 on plain screens, 2 or 3 on finer ones */
export function usePixelRatio(): number {
  const [ratio, setRatio] = useState(() => window.devicePixelRatio)
  useEffect(() => {
    const query = window.matchMedia(`(resolution: ${ratio}dppx)`)
    const change = () => setRatio(window.devicePixelRatio)
    query.addEventListener('change', change)
    return () => query.removeEventListener('change', change)
  }, [ratio])
  return ratio
}
