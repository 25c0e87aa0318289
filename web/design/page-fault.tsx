/** What is said of a page that cannot be painted. */
import { useTexts } from '../texts/use-texts.ts'

/** In place of the page, for example because the device lacks memory. */
export function PageFault({ onRetry }: { onRetry(): void }) {
  const texts = useTexts()
  return (
    <div class="notice bad page-fault stack" role="alert">
      <p>{texts.pageFailed}</p>
      <button type="button" class="button" onClick={onRetry}>
        {texts.tryAgain}
      </button>
    </div>
  )
}
