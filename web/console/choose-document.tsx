/** The document of a new case: dropped anywhere on the page, or chosen. */
import { ChooseFile } from '../design/choose-file.tsx'
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
        <p role="status">{name === undefined ? texts.documentDrop : <bdi>{name}</bdi>}</p>
        <ChooseFile
          label={name === undefined ? texts.documentChoose : texts.documentOther}
          onFiles={take}
        />
      </div>
      <Fault>{isBroken ? texts.documentBroken : null}</Fault>
    </div>
  )
}
