/** Something is on its way; when it takes long, the page helps. */
import { useEffect, useState } from 'preact/hooks'
import { useTexts } from '../texts/use-texts.ts'

/** After this time a spinner is no longer enough. */
const PATIENCE_MS = 10_000

interface WaitingProps {
  /** What is on its way; null where a heading says it. Absent: the document. */
  text?: string | null
  onRetry(): void
}

/** After a while it offers to try again. */
export function Waiting({ text, onRetry }: WaitingProps) {
  const texts = useTexts()
  const first = text === undefined ? texts.loading : text
  const [isLong, setLong] = useState(false)
  useEffect(() => {
    const timer = window.setTimeout(() => setLong(true), PATIENCE_MS)
    return () => window.clearTimeout(timer)
  }, [])
  return (
    <div class="waiting-place stack" role="status">
      <div class="waiting" aria-hidden="true" />
      <p class="quiet">{isLong ? texts.loadingLong : first}</p>
      {isLong ? (
        <button type="button" class="button" onClick={onRetry}>
          {texts.tryAgain}
        </button>
      ) : null}
    </div>
  )
}
