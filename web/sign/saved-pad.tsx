/** The saved signature as a choice, and the checkbox that saves one. */
import type { RefObject } from 'preact'
import { useTexts } from '../texts/use-texts.ts'
import type { Taker } from './draw-pad.tsx'
import type { useSavedSignature } from './use-saved-signature.ts'

interface SavedPadProps {
  taker: RefObject<Taker>
  picture: string
  onForget(): void
}

/** Shows the saved signature, where it is kept, and the button that removes it. */
export function SavedPad({ taker, picture, onForget }: SavedPadProps) {
  const texts = useTexts()
  taker.current = () => ({ drawing: picture })
  return (
    <div class="stack tight">
      <div class="pad preview">
        <img src={picture} alt={texts.savedPreview} />
      </div>
      <p class="quiet small">{texts.savedWhere(window.location.host)}</p>
      <div class="row">
        <button type="button" class="button" onClick={onForget}>
          {texts.savedForget}
        </button>
      </div>
    </div>
  )
}

interface SaveChoiceProps {
  saved: ReturnType<typeof useSavedSignature>
  /** Whether the method makes a signature that can be saved. */
  isShown: boolean
}

/** The checkbox that saves the signature, off until it is ticked; and that one was removed. */
export function SaveChoice({ saved, isShown }: SaveChoiceProps) {
  const texts = useTexts()
  if (!saved.isPossible) return null
  return (
    <>
      {isShown ? (
        <label class="tick">
          <input
            type="checkbox"
            checked={saved.isTicked}
            aria-describedby="save-where"
            onChange={(event) => saved.tick(event.currentTarget.checked)}
          />
          <span class="stack tight">
            <span>{texts.saveSignature}</span>
            <span class="quiet small" id="save-where">
              {texts.saveWhere(window.location.host)}
            </span>
          </span>
        </label>
      ) : null}
      <div role="status">
        {saved.isForgotten ? <p class="small">{texts.savedForgotten}</p> : null}
      </div>
    </>
  )
}
