/** The step that asks for the PIN, which the participant got from the sender another way. */
import { useMemo, useState } from 'preact/hooks'
import { Fault, Stage, StepHeading } from '../design/parts.tsx'
import type { Refusal } from '../lib/client.ts'
import { useIsKiosk } from '../lib/kiosk-context.ts'
import { oneAtATime } from '../lib/one-at-a-time.ts'
import { useNow } from '../lib/use-now.ts'
import { waitIn } from '../texts/times.ts'
import { useSpeech } from '../texts/use-texts.ts'
import { NumberPad } from './number-pad.tsx'

const FAULT = 'pin-fault'
const SECOND_MS = 1_000

interface PinStepProps {
  /** Refusal of the previous PIN. */
  refusal?: Refusal | undefined
  onPin(pin: string): Promise<void>
}

/** @param props `refusal`: why the PIN before it did not do */
export function PinStep({ refusal, onPin }: PinStepProps) {
  const { texts, language } = useSpeech()
  const isKiosk = useIsKiosk()
  const [pin, setPin] = useState('')
  const { code, attemptsLeft, retryAfterSeconds = 0 } = refusal ?? {}
  const untilMs = useMemo(
    () => (code === 'PIN_LOCKED' ? Date.now() + retryAfterSeconds * SECOND_MS : 0),
    [refusal],
  )
  const nowMs = useNow(untilMs > 0)
  // Without a time, only the sender can unlock the PIN.
  const isClosed = code === 'PIN_LOCKED' && refusal?.retryAfterSeconds === undefined
  const isLocked = isClosed || untilMs > nowMs
  // A second press would send the same PIN, which may be wrong, and use up one more try.
  const [once] = useState(oneAtATime)
  const submit = async (event: Event) => {
    event.preventDefault()
    if (pin.trim() === '' || isLocked) return
    await once(() => onPin(pin.trim()))
  }
  const locked = isClosed ? texts.pinClosed : texts.pinLocked(waitIn(language, untilMs - nowMs))
  const wrong = attemptsLeft === undefined ? null : texts.pinWrong(attemptsLeft)
  return (
    <Stage>
      <StepHeading>{texts.pinHeading}</StepHeading>
      <p>{texts.pinWhy}</p>
      <form class="stack" onSubmit={submit} noValidate>
        <label class="stack tight">
          <span>{texts.pinLabel}</span>
          <input
            class="input code"
            name="pin"
            type="password"
            autocomplete="off"
            value={pin}
            aria-invalid={refusal !== undefined}
            aria-describedby={FAULT}
            onInput={(event) => setPin(event.currentTarget.value)}
          />
        </label>
        {isKiosk ? <NumberPad value={pin} onValue={setPin} /> : null}
        <Fault id={FAULT}>{isLocked ? locked : wrong}</Fault>
        <button type="submit" class="button primary" aria-disabled={isLocked}>
          {texts.pinSubmit}
        </button>
      </form>
    </Stage>
  )
}
