/** All cases of the tenant, with a search and a filter. */
import { useMemo, useState } from 'preact/hooks'
import { Fault, StepHeading } from '../design/parts.tsx'
import { dayIn } from '../texts/times.ts'
import { useSpeech } from '../texts/use-texts.ts'
import { faultText } from './faults.ts'
import { caseLink, LINKS } from './routes.ts'
import { Badge, STATUSES } from './status.tsx'
import { useCases, type CaseStatus, type ListedCase } from './use-cases.ts'
import { useConsoleTexts } from './use-console-texts.ts'

/** More rows make the page slow; the page then says that it does not show all cases. */
const MAXIMUM_ROWS = 200

/** Without accents, as people type into a search. */
const folded = (text: string) => text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase()

const searchable = ({ id, title, participants }: ListedCase) =>
  folded(
    [
      id,
      title,
      ...participants.map((one) => [one.firstName, one.lastName, one.email].join(' ')),
    ].join(' '),
  )

/** Whether all words of the search are in the case. */
function matches(one: ListedCase, search: string): boolean {
  const text = searchable(one)
  return folded(search)
    .split(/\s+/)
    .every((word) => text.includes(word))
}

function Row({ one }: { one: ListedCase }) {
  const texts = useConsoleTexts()
  const { language } = useSpeech()
  const { id, title, status, created, participants } = one
  const signed = participants.filter((person) => person.status === 'SIGNED').length
  const names = participants.map(({ firstName, lastName }) => `${firstName} ${lastName}`)
  return (
    <li>
      <a class="case-row" href={caseLink(id)}>
        <strong>
          <bdi>{title}</bdi>
        </strong>
        <Badge status={status} />
        <span class="quiet small">
          <bdi>{names.join(', ')}</bdi>
        </span>
        <span class="quiet small">
          {texts.signedOf(signed, participants.length)} · {dayIn(language, created)}
        </span>
      </a>
    </li>
  )
}

interface FiltersProps {
  search: string
  status: CaseStatus | undefined
  onSearch(search: string): void
  onStatus(status: CaseStatus | undefined): void
}

function Filters({ search, status, onSearch, onStatus }: FiltersProps) {
  const texts = useConsoleTexts()
  return (
    <search class="filters">
      <label class="stack tight">
        {texts.search}
        <input
          class="input"
          type="search"
          value={search}
          onInput={(event) => onSearch(event.currentTarget.value)}
        />
      </label>
      <label class="stack tight">
        {texts.filterStatus}
        <select
          class="input"
          value={status ?? ''}
          onChange={(event) =>
            onStatus((event.currentTarget.value || undefined) as CaseStatus | undefined)
          }
        >
          <option value="">{texts.filterAll}</option>
          {STATUSES.map((one) => (
            <option value={one}>{texts.statuses[one]}</option>
          ))}
        </select>
      </label>
    </search>
  )
}

/** The page with the list. */
export function CaseList() {
  const texts = useConsoleTexts()
  const [search, setSearch] = useState('')
  const [status, setStatus] = useState<CaseStatus | undefined>(undefined)
  const { value, fault } = useCases(status)
  const found = useMemo(() => value?.cases.filter((one) => matches(one, search)), [value, search])
  const isCut = value?.isCut || (found?.length ?? 0) > MAXIMUM_ROWS
  const isEmpty = value?.cases.length === 0 && status === undefined
  return (
    <div class="stack">
      <div class="page-head">
        <StepHeading>{texts.pageCases}</StepHeading>
        <a class="button primary" href={LINKS.create}>
          {texts.pageCreate}
        </a>
      </div>
      <Filters search={search} status={status} onSearch={setSearch} onStatus={setStatus} />
      <Fault>{fault ? faultText(texts, fault) : null}</Fault>
      <p role="status" class="quiet small">
        {found === undefined ? texts.loading : texts.casesFound(found.length)}
        {isCut ? ` ${texts.casesCut}` : ''}
      </p>
      {isEmpty ? <p>{texts.casesNone}</p> : null}
      <ul class="case-list">
        {(found ?? []).slice(0, MAXIMUM_ROWS).map((one) => (
          <Row key={one.id} one={one} />
        ))}
      </ul>
    </div>
  )
}
