/** The button that chooses a PDF on the device. */
import { useRef } from 'preact/hooks'

interface ChooseFileProps {
  label: string
  isPrimary?: boolean
  onFiles(files: FileList | null): void
}

/** The input is hidden behind the button; the same file can be chosen again. */
export function ChooseFile({ label, isPrimary = false, onFiles }: ChooseFileProps) {
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <input
        ref={input}
        hidden
        type="file"
        accept="application/pdf,.pdf"
        onChange={(event) => {
          onFiles(event.currentTarget.files)
          event.currentTarget.value = ''
        }}
      />
      <button
        type="button"
        class={isPrimary ? 'button primary' : 'button'}
        onClick={() => input.current?.click()}
      >
        {label}
      </button>
    </>
  )
}
