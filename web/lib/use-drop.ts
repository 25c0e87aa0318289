/** Accepts files that are dropped anywhere on the page. */
import { useEffect, useRef, useState } from 'preact/hooks'

const hasFiles = (event: DragEvent) => event.dataTransfer?.types.includes('Files') ?? false

/** @returns whether a file is being dragged over the page */
export function useDrop(onFiles: (files: FileList) => void): boolean {
  const [isOver, setOver] = useState(false)
  const latest = useRef(onFiles)
  latest.current = onFiles
  useEffect(() => {
    const listening = new AbortController()
    const { signal } = listening
    // Without a listener, the browser would open the file in place of the page.
    const onOver = (event: DragEvent) => {
      if (!hasFiles(event)) return
      event.preventDefault()
      setOver(true)
    }
    const onLeave = ({ relatedTarget }: DragEvent) => {
      if (relatedTarget === null) setOver(false)
    }
    const onDrop = (event: DragEvent) => {
      event.preventDefault()
      setOver(false)
      if (event.dataTransfer) latest.current(event.dataTransfer.files)
    }
    window.addEventListener('dragover', onOver, { signal })
    window.addEventListener('dragleave', onLeave, { signal })
    window.addEventListener('drop', onDrop, { signal })
    return () => listening.abort()
  }, [])
  return isOver
}
