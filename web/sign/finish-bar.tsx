/** What is left to sign, and the one button that goes on: to the next field, then to signing. */
import { useLayoutEffect, useRef } from 'preact/hooks'
import { Sign } from '../design/parts.tsx'
import { useTexts } from '../texts/use-texts.ts'
import type { Draft } from './use-draft.ts'

interface FinishBarProps {
  draft: Draft
  /** Opens the pad at the next field. */
  onNext(): void
  onFinish(): void
}

const REASON = 'what-is-left'

/** The button that places again has the focus that a removed place had. */
function useFocusOfPlace(isPlaceless: boolean) {
  const again = useRef<HTMLButtonElement>(null)
  const wasPlaced = useRef(false)
  useLayoutEffect(() => {
    const isLost = document.activeElement === document.body
    if (isPlaceless && wasPlaced.current && isLost) again.current?.focus({ preventScroll: true })
    wasPlaced.current = !isPlaceless
  }, [isPlaceless])
  return again
}

/** Finishing can be reached while something is left, and then says what. */
export function FinishBar({ draft, onNext, onFinish }: FinishBarProps) {
  const texts = useTexts()
  const { unsigned, places, isFree, drawing } = draft
  const isPlaceless = isFree && places.length === 0
  const again = useFocusOfPlace(isPlaceless)
  const isDone = !isPlaceless && unsigned.length === 0
  const place = drawing === undefined ? texts.placeHere : texts.placeAgain
  const state = isDone ? texts.allFieldsDone : texts.fieldsLeft(unsigned.length)
  return (
    <footer class="finish-bar" aria-label={texts.finishTools}>
      <p id={REASON} class="finish-state" role="status">
        {isPlaceless ? texts.placeHint : state}
      </p>
      <div class="finish-buttons">
        {isDone ? null : (
          <button ref={again} type="button" class="button primary" onClick={onNext}>
            <Sign name={isPlaceless ? 'pen' : 'next'} />
            {isPlaceless ? place : texts.nextField}
          </button>
        )}
        <button
          type="button"
          class={isDone ? 'button primary' : 'button'}
          aria-disabled={!isDone}
          aria-describedby={REASON}
          onClick={() => isDone && onFinish()}
        >
          {texts.finish}
        </button>
      </div>
    </footer>
  )
}
