/** The cases of the tenant, with a search, filters and an order. */
import { useState } from 'preact/hooks'
import { Fault } from '../design/parts.tsx'
import { dayIn } from '../texts/times.ts'
import { useSpeech } from '../texts/use-texts.ts'
import { CaseFilters } from './case-filters.tsx'
import { ALL_CASES } from './choice.ts'
import { faultText } from './faults.ts'
import { More } from './more.tsx'
import { PageHeading } from './page-heading.tsx'
import { caseLink, LINKS } from './routes.ts'
import { Badge } from './status.tsx'
import type { ListedCase } from './use-cases.ts'
import { useChosenCases, type ChosenCases } from './use-chosen-cases.ts'
import { useConsoleTexts } from './use-console-texts.ts'
import { useSettled } from './use-settled.ts'

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
          {names.map((name, index) => (
            <span key={index}>
              {index === 0 ? '' : ', '}
              <bdi>{name}</bdi>
            </span>
          ))}
        </span>
        <span class="quiet small">
          {texts.signedOf(signed, participants.length)} · {dayIn(language, created)}
        </span>
      </a>
    </li>
  )
}

/** How many cases were found, and which of them are in the order. */
function Summary({ value }: { value: ChosenCases | undefined }) {
  const texts = useConsoleTexts()
  const { items, isCut, orderFault } = value ?? {}
  const count = items?.length ?? 0
  const found = isCut ? texts.casesSome(count) : texts.casesFound(count)
  return (
    <p role="status" class="quiet small">
      {value ? found : texts.loading}
      {orderFault ? ` ${faultText(texts, orderFault)} ${texts.orderPartly}` : ''}
    </p>
  )
}

/** The page with the list. */
export function CaseList() {
  const texts = useConsoleTexts()
  const [choice, setChoice] = useState(ALL_CASES)
  const settled = useSettled(choice)
  const list = useChosenCases(settled)
  const { value, fault } = list
  const isEmpty = value?.items.length === 0 && !value.isCut && settled === ALL_CASES
  return (
    <div class="stack">
      <div class="page-head">
        <PageHeading text={texts.pageCases} />
        <a class="button primary" href={LINKS.create}>
          {texts.pageCreate}
        </a>
      </div>
      <CaseFilters
        choice={choice}
        onChange={(changes) => setChoice((before) => ({ ...before, ...changes }))}
      />
      <Fault>{fault ? faultText(texts, fault) : null}</Fault>
      <Summary value={value} />
      {isEmpty ? <p>{texts.casesNone}</p> : null}
      <ul class="case-list">
        {(value?.items ?? []).map((one) => (
          <Row key={one.id} one={one} />
        ))}
      </ul>
      <More list={list} cut={texts.casesCut} />
    </div>
  )
}
