/** The button that chooses a file on the device. */
import { useRef } from 'preact/hooks'

interface ChooseFileProps {
  label: string
  isPrimary?: boolean
  /** As the attribute of an input has it; a PDF when absent. */
  accept?: string
  onFiles(files: FileList | null): void
}

const PDF = 'application/pdf,.pdf'

/**
 * The input is hidden behind the button, because its own words are in the language of the browser.
 * The same file can be chosen again.
 */
export function ChooseFile({ label, isPrimary = false, accept = PDF, onFiles }: ChooseFileProps) {
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <input
        ref={input}
        hidden
        type="file"
        accept={accept}
        aria-label={label}
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
