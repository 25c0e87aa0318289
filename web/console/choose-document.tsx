/** The document of a new case: dropped anywhere on the page, or chosen. */
import { useEffect, useRef, useState } from 'preact/hooks'
import { Fault, Sign } from '../design/parts.tsx'
import { useConsoleTexts } from './use-console-texts.ts'

/** @returns whether a file is being dragged over the page */
function useDrop(onFiles: (files: FileList) => void): boolean {
  const [isOver, setOver] = useState(false)
  const latest = useRef(onFiles)
  latest.current = onFiles
  useEffect(() => {
    const listening = new AbortController()
    const { signal } = listening
    const onOver = (event: DragEvent) => {
      if (!event.dataTransfer?.types.includes('Files')) return
      event.preventDefault()
      setOver(true)
    }
    const onLeave = ({ relatedTarget }: DragEvent) => {
      if (relatedTarget === null) setOver(false)
    }
    // What is dropped beside the place would be opened in place of the page.
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

interface ChooseProps {
  /** Name of the chosen file. */
  name: string | undefined
  isBroken: boolean
  onFile(file: File): void
}

/** The section with the document; the service decides whether it can be signed. */
export function ChooseDocument({ name, isBroken, onFile }: ChooseProps) {
  const texts = useConsoleTexts()
  const input = useRef<HTMLInputElement>(null)
  const take = (files: FileList | null) => {
    const [file] = files ?? []
    if (file) onFile(file)
  }
  const isOver = useDrop(take)
  return (
    <div class="stack tight">
      <div class={isOver ? 'drop over' : 'drop'}>
        <div class="mark">
          <Sign name="file" />
        </div>
        <p>{name === undefined ? texts.documentDrop : <bdi>{name}</bdi>}</p>
        <input
          ref={input}
          hidden
          type="file"
          accept="application/pdf,.pdf"
          onChange={(event) => {
            take(event.currentTarget.files)
            event.currentTarget.value = ''
          }}
        />
        <button type="button" class="button" onClick={() => input.current?.click()}>
          {name === undefined ? texts.documentChoose : texts.documentOther}
        </button>
      </div>
      <Fault>{isBroken ? texts.documentBroken : null}</Fault>
    </div>
  )
}
