/** The document of a new case: dropped anywhere on the page, or chosen. */
import { useRef } from 'preact/hooks'
import { Fault, Sign } from '../design/parts.tsx'
import { useDrop } from '../lib/use-drop.ts'
import { useConsoleTexts } from './use-console-texts.ts'

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
