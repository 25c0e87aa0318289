/** Observes the width of an element. */
import { useEffect, useRef, useState } from 'preact/hooks'

/** @returns a reference for the element, and its inner width in whole CSS pixels; 0 at first */
export function useWidth() {
  const host = useRef<HTMLDivElement>(null)
  const [widthPx, setWidthPx] = useState(0)
  useEffect(() => {
    const observer = new ResizeObserver(([entry]) =>
      setWidthPx(Math.floor(entry?.contentRect.width ?? 0)),
    )
    if (host.current) observer.observe(host.current)
    return () => observer.disconnect()
  }, [])
  return { host, widthPx }
}
