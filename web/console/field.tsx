/** A labelled field of a form, with what the API says about it. */
import type { ComponentChildren } from 'preact'
import { useId } from 'preact/hooks'
import { useConsoleTexts } from './use-console-texts.ts'

interface FieldProps {
  label: string
  value: string
  type?: 'text' | 'email' | 'tel' | 'datetime-local'
  autocomplete?: 'off' | 'email' | 'organization'
  fault?: string | undefined
  /** Takes a row of its own. */
  isWide?: boolean
  onText(value: string): void
}

/** A text field. */
export function Field({
  label,
  value,
  type = 'text',
  autocomplete = 'off',
  fault,
  isWide = false,
  onText,
}: FieldProps) {
  const id = useId()
  const { ruleRequired } = useConsoleTexts()
  return (
    <div class={isWide ? 'field wide' : 'field'}>
      <label for={id}>{label}</label>
      <input
        // The types of Preact do not accept a union here.
        type={type as 'text'}
        autocomplete={autocomplete}
        id={id}
        class="input"
        value={value}
        aria-invalid={fault !== undefined}
        aria-describedby={`${id}-fault`}
        onInput={(event) => onText(event.currentTarget.value)}
      />
      <p id={`${id}-fault`} class="small bad-text">
        {fault !== undefined && value === '' ? ruleRequired : fault}
      </p>
    </div>
  )
}

interface ChoiceProps {
  label: string
  value: string
  fault?: string | undefined
  onText(value: string): void
  children: ComponentChildren
}

/** A list of options. */
export function Choice({ label, value, fault, onText, children }: ChoiceProps) {
  const id = useId()
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <select
        id={id}
        class="input"
        value={value}
        aria-describedby={`${id}-fault`}
        onChange={(event) => onText(event.currentTarget.value)}
      >
        {children}
      </select>
      <p id={`${id}-fault`} class="small bad-text">
        {fault}
      </p>
    </div>
  )
}
