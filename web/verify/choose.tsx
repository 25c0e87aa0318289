/** A PDF is dropped anywhere on the page, or chosen. */
import { useState } from 'preact/hooks'
import { ChooseFile } from '../design/choose-file.tsx'
import { Fault, Sign, StepHeading } from '../design/parts.tsx'
import { useDrop } from '../lib/use-drop.ts'
import { useTexts } from '../texts/use-texts.ts'

/** One file; the service decides whether it is a PDF. */
export function Choose({ onFile }: { onFile(file: File): void }) {
  const texts = useTexts()
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
        <ChooseFile isPrimary label={texts.verifyChoose} onFiles={take} />
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
