/** A PDF is dropped anywhere on the page, or chosen. */
import { useEffect, useRef, useState } from 'preact/hooks'
import { Fault, Sign, StepHeading } from '../design/parts.tsx'
import { useTexts } from '../texts/use-texts.ts'

const hasFiles = (event: DragEvent) => event.dataTransfer?.types.includes('Files') ?? false

/** @returns whether a file is being dragged over the page */
function useDrop(onFiles: (files: FileList) => void): boolean {
  const [isOver, setOver] = useState(false)
  const latest = useRef(onFiles)
  latest.current = onFiles
  useEffect(() => {
    // What is dropped beside the place would be opened in place of the page.
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
    window.addEventListener('dragover', onOver)
    window.addEventListener('dragleave', onLeave)
    window.addEventListener('drop', onDrop)
    return () => {
      window.removeEventListener('dragover', onOver)
      window.removeEventListener('dragleave', onLeave)
      window.removeEventListener('drop', onDrop)
    }
  }, [])
  return isOver
}

/** One file; the service decides whether it is a PDF. */
export function Choose({ onFile }: { onFile(file: File): void }) {
  const texts = useTexts()
  const input = useRef<HTMLInputElement>(null)
  const [isFaulty, setFaulty] = useState(false)
  const take = (files: FileList | null) => {
    const [file] = files ?? []
    if (!files || !file) return
    setFaulty(files.length > 1)
    if (files.length === 1) onFile(file)
  }
  const isOver = useDrop(take)
  return (
    <div class="stack choose">
      <StepHeading>{texts.verifyTitle}</StepHeading>
      <p class="lead">{texts.verifyLead}</p>
      <div class={isOver ? 'drop over' : 'drop'}>
        <div class="mark">
          <Sign name="file" />
        </div>
        <p class="drop-hint">
          <strong>{texts.verifyDrop}</strong>
          <span class="quiet">{texts.verifyDropOr}</span>
        </p>
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
        <button type="button" class="button primary" onClick={() => input.current?.click()}>
          {texts.verifyChoose}
        </button>
        <p class="quiet small">{texts.verifyChooseHint}</p>
      </div>
      <Fault>{isFaulty ? texts.verifyOneOnly : null}</Fault>
      <p class="privacy quiet small">
        <Sign name="shield" />
        <span>{texts.verifyPrivacy}</span>
      </p>
    </div>
  )
}
