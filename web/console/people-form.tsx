/** The people of a new case: rows, or a pasted list. */
import { useRef, useState } from 'preact/hooks'
import { Dialog, Sign } from '../design/parts.tsx'
import { LANGUAGES, TEXTS, useSpeech } from '../texts/use-texts.ts'
import { randomId } from '../lib/random-id.ts'
import { newPerson, type DraftPerson } from './draft.ts'
import { Choice, Field } from './field.tsx'
import { parsePeople, unreadLines } from './parse-people.ts'
import { useConsoleTexts } from './use-console-texts.ts'

interface PeopleFormProps {
  people: readonly DraftPerson[]
  /** Sentences by JSON Pointer. */
  faults: Readonly<Record<string, string>>
  onChange(people: DraftPerson[]): void
}

/** Types of the fields of a person; a touch screen shows the keyboard of the type. */
const INPUT_TYPES = { firstName: 'text', lastName: 'text', email: 'email', phone: 'tel' } as const

interface RowProps {
  person: DraftPerson
  number: number
  faults: Readonly<Record<string, string>>
  onChange(person: DraftPerson): void
  onRemove: (() => void) | undefined
}

function Row({ person, number, faults, onChange, onRemove }: RowProps) {
  const texts = useConsoleTexts()
  const path = `/participants/${number - 1}`
  const setter = (name: keyof DraftPerson) => (value: string) =>
    onChange({ ...person, [name]: value })
  const field = (name: keyof typeof INPUT_TYPES, label: string) => (
    <Field
      label={label}
      value={person[name]}
      fault={faults[`${path}/${name}`]}
      type={INPUT_TYPES[name]}
      isWide={name === 'email'}
      onText={setter(name)}
    />
  )
  return (
    <fieldset class="person-row">
      <legend>
        <span class={`dot person-${(number - 1) % 6}`} /> {texts.personNumber(number)}
      </legend>
      {field('firstName', texts.firstName)}
      {field('lastName', texts.lastName)}
      {field('email', texts.email)}
      {field('phone', texts.phone)}
      <Choice label={texts.language} value={person.language} onText={setter('language')}>
        {LANGUAGES.map((language) => (
          <option value={language}>{TEXTS[language].languageName}</option>
        ))}
      </Choice>
      {onRemove ? (
        <button type="button" class="button plain" onClick={onRemove}>
          <Sign name="close" />
          {texts.personRemove(number)}
        </button>
      ) : null}
      <p role="alert" class="small bad-text wide">
        {faults[`${path}/signatureFields`]}
      </p>
    </fieldset>
  )
}

/** So many of the lines that were not read are shown. */
const SHOWN_LINES = 5

function Paste({ onPeople, onClose }: { onPeople(text: string): void; onClose(): void }) {
  const texts = useConsoleTexts()
  const [text, setText] = useState('')
  const count = parsePeople(text).length
  const unread = unreadLines(text)
  return (
    <Dialog heading={texts.pasteHeading} onClose={onClose}>
      <label class="stack tight">
        {texts.pasteHow}
        <textarea
          class="input"
          rows={6}
          value={text}
          onInput={(event) => setText(event.currentTarget.value)}
        />
      </label>
      <p role="status">
        {texts.pasteFound(count)}
        {unread.length > 0 ? ` ${texts.pasteUnread(unread.length)}` : null}
      </p>
      {unread.length > 0 ? (
        <ul class="small">
          {unread.slice(0, SHOWN_LINES).map((line, index) => (
            <li key={index}>
              <bdi>{line}</bdi>
            </li>
          ))}
        </ul>
      ) : null}
      <button
        type="button"
        class="button primary"
        aria-disabled={count === 0}
        onClick={() => count > 0 && onPeople(text)}
      >
        {texts.pasteAdd}
      </button>
    </Dialog>
  )
}

const isBlank = ({ firstName, lastName, email }: DraftPerson) =>
  `${firstName}${lastName}${email}` === ''

/** The section with the people. */
export function PeopleForm({ people, faults, onChange }: PeopleFormProps) {
  const texts = useConsoleTexts()
  const { language } = useSpeech()
  const [isPasting, setPasting] = useState(false)
  const add = useRef<HTMLButtonElement>(null)
  const remove = (removed: DraftPerson) => {
    onChange(people.filter(({ key }) => key !== removed.key))
    // The button that had the focus disappears.
    add.current?.focus()
  }
  const paste = (text: string) => {
    const pasted = parsePeople(text).map((person) => ({
      ...newPerson(randomId(), language),
      ...person,
    }))
    onChange([...people.filter((person) => !isBlank(person)), ...pasted])
    setPasting(false)
  }
  return (
    <section class="panel stack tight">
      <h2>{texts.people}</h2>
      {people.map((person, index) => (
        <Row
          key={person.key}
          person={person}
          number={index + 1}
          faults={faults}
          onChange={(changed) =>
            onChange(people.map((one) => (one.key === changed.key ? changed : one)))
          }
          onRemove={people.length > 1 ? () => remove(person) : undefined}
        />
      ))}
      <div class="row">
        <button
          ref={add}
          type="button"
          class="button"
          onClick={() => onChange([...people, newPerson(randomId(), language)])}
        >
          <Sign name="plus" />
          {texts.personAdd}
        </button>
        <button type="button" class="button" onClick={() => setPasting(true)}>
          {texts.paste}
        </button>
      </div>
      {isPasting ? <Paste onPeople={paste} onClose={() => setPasting(false)} /> : null}
    </section>
  )
}
