/** What selects the cases of the list: words, status, days of creation, and the order. */
import type { ComponentChildren } from 'preact'
import type { CaseChoice } from './choice.ts'
import { STATUSES } from './status.tsx'
import { useConsoleTexts } from './use-console-texts.ts'

/** The API refuses more. */
const MAXIMUM_SEARCH_LENGTH = 200

interface FiltersProps {
  choice: CaseChoice
  onChange(changes: Partial<CaseChoice>): void
}

interface DayProps {
  label: string
  value: string
  onDay(day: string): void
}

function Day({ label, value, onDay }: DayProps) {
  return (
    <label class="stack tight">
      {label}
      <input
        class="input"
        type="date"
        max="9999-12-31"
        value={value}
        onInput={(event) => onDay(event.currentTarget.value)}
      />
    </label>
  )
}

interface SelectProps {
  label: string
  value: string
  onValue(value: string): void
  children: ComponentChildren
}

function Select({ label, value, onValue, children }: SelectProps) {
  return (
    <label class="stack tight">
      {label}
      <select class="input" value={value} onChange={(event) => onValue(event.currentTarget.value)}>
        {children}
      </select>
    </label>
  )
}

/** The form; it has no button, because each change is applied. */
export function CaseFilters({ choice, onChange }: FiltersProps) {
  const texts = useConsoleTexts()
  return (
    <search class="filters">
      <label class="stack tight">
        {texts.search}
        <input
          class="input"
          type="search"
          maxLength={MAXIMUM_SEARCH_LENGTH}
          value={choice.search}
          onInput={(event) => onChange({ search: event.currentTarget.value })}
        />
      </label>
      <Select
        label={texts.filterStatus}
        value={choice.status}
        onValue={(status) => onChange({ status: status as CaseChoice['status'] })}
      >
        <option value="">{texts.filterAll}</option>
        {STATUSES.map((one) => (
          <option value={one}>{texts.statuses[one]}</option>
        ))}
      </Select>
      <Day
        label={texts.filterFrom}
        value={choice.firstDay}
        onDay={(firstDay) => onChange({ firstDay })}
      />
      <Day
        label={texts.filterUntil}
        value={choice.lastDay}
        onDay={(lastDay) => onChange({ lastDay })}
      />
      <Select
        label={texts.order}
        value={choice.order}
        onValue={(order) => onChange({ order: order as CaseChoice['order'] })}
      >
        <option value="CREATED_DESC">{texts.orderNewest}</option>
        <option value="CREATED_ASC">{texts.orderOldest}</option>
      </Select>
    </search>
  )
}
