/** Digits to tap, where there are no keys. */
import { useTexts } from '../texts/use-texts.ts'

const DIGITS = ['1', '2', '3', '4', '5', '6', '7', '8', '9', '0'] as const

interface NumberPadProps {
  value: string
  onValue(value: string): void
}

/** For kiosks: `value` is what was tapped so far. */
export function NumberPad({ value, onValue }: NumberPadProps) {
  const texts = useTexts()
  return (
    <div class="number-pad" role="group" aria-label={texts.kioskDigits}>
      {DIGITS.map((digit) => (
        <button key={digit} type="button" class="button" onClick={() => onValue(value + digit)}>
          {digit}
        </button>
      ))}
      <button
        type="button"
        class="button"
        aria-label={texts.kioskDelete}
        onClick={() => onValue(value.slice(0, -1))}
      >
        ⌫
      </button>
    </div>
  )
}
