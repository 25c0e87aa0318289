/** The end of a list that was not read to its end: how much is shown, and a button for more. */
import { useRef, useState } from 'preact/hooks'
import type { MoreList } from './use-cut-list.ts'
import { useConsoleTexts } from './use-console-texts.ts'

interface MoreProps {
  list: Pick<MoreList<unknown>, 'value' | 'more'>
  /** Says that only some of the list is shown. */
  cut(count: number): string
}

/** Nothing is visible once the list is complete. */
export function More({ list: { value, more }, cut }: MoreProps) {
  const texts = useConsoleTexts()
  const [isBusy, setBusy] = useState(false)
  const status = useRef<HTMLParagraphElement>(null)
  const show = async () => {
    if (isBusy) return
    setBusy(true)
    await more()
    setBusy(false)
    // The button may be gone; the next Tab goes on from here.
    status.current?.focus()
  }
  const isCut = value?.isCut ?? false
  const shown = value && isCut ? cut(value.items.length) : null
  return (
    <div class="stack tight">
      <p ref={status} tabIndex={-1} role="status" class="small">
        {isBusy ? texts.loading : shown}
      </p>
      {isCut ? (
        <button
          type="button"
          class="button more"
          aria-disabled={isBusy}
          onClick={() => void show()}
        >
          {texts.showMore}
        </button>
      ) : null}
    </div>
  )
}
