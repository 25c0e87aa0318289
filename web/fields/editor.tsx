/** The pages of a PDF with the fields of people. Independent of the API and of the console. */
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { useWidth } from '../lib/use-width.ts'
import { randomId } from '../lib/random-id.ts'
import { COLORS, FieldBox, type FieldTexts } from './field-box.tsx'
import type { LocalPdf } from './pdf.ts'
import {
  freeBox,
  pagesWithOverlap,
  type Box,
  type PageSize,
  type Place,
  type Signer,
} from './places.ts'
import { Sheet } from './sheet.tsx'
import { useEditedPages } from './use-edited-pages.ts'
import './fields.css'

export interface EditorTexts extends FieldTexts {
  fieldsHeading: string
  fieldsHow: string
  fieldsFor: string
  fieldAdd(page: number): string
  fieldsOverlap(pages: string, count: number): string
  pageOf(page: number, count: number): string
}

interface EditorProps {
  pdf: LocalPdf
  people: readonly Signer[]
  places: readonly Place[]
  texts: EditorTexts
  onChange(places: Place[]): void
}

/** Adds and changes places; a place that is new or on another page gets the focus. */
function usePlaces({ people, places, pdf, onChange }: EditorProps) {
  const [chosen, setChosen] = useState<string | undefined>(undefined)
  const root = useRef<HTMLDivElement>(null)
  const focused = useRef<string | undefined>(undefined)
  const active = people.find(({ key }) => key === chosen) ?? people[0]
  // An effect after the paint would also run for the change before, and find the old element.
  useLayoutEffect(() => {
    if (focused.current === undefined) return
    root.current?.querySelector<HTMLElement>(`[data-field="${focused.current}"]`)?.focus()
    focused.current = undefined
  }, [places])
  const add = (page: number, box: Box) => {
    if (!active) return
    const key = randomId()
    focused.current = key
    onChange([...places, { key, person: active.key, page, ...box }])
  }
  const addTo = (page: number) => {
    const size = pdf.sizes[page - 1]
    const taken = places.filter((place) => place.page === page)
    if (size) add(page, freeBox(taken, size))
  }
  const change = (changed: Place) => {
    const before = places.find(({ key }) => key === changed.key)
    if (before && before.page !== changed.page) focused.current = changed.key
    onChange(places.map((place) => (place.key === changed.key ? changed : place)))
  }
  const remove = (key: string) => {
    onChange(places.filter((place) => place.key !== key))
    // The field that had the focus disappears.
    root.current?.querySelector<HTMLElement>('[data-add-field]')?.focus({ preventScroll: true })
  }
  return { root, active, setChosen, add, addTo, change, remove }
}

/** The buttons above the pages; a new field is for the person who was chosen last. */
function Tools(props: {
  people: readonly Signer[]
  active: Signer | undefined
  texts: EditorTexts
  page: number
  /** Pages on which fields overlap. */
  overlaps: readonly number[]
  onChoose(key: string): void
  onAdd(): void
}) {
  const { people, active, texts, page, overlaps, onChoose, onAdd } = props
  return (
    <div class="field-tools">
      <div role="group" aria-label={texts.fieldsFor} class="field-people row">
        {people.map(({ key, name }, index) => (
          <button
            type="button"
            class={`button signer person-${index % COLORS}`}
            aria-pressed={key === active?.key}
            onClick={() => onChoose(key)}
          >
            <bdi>{name}</bdi>
          </button>
        ))}
      </div>
      <button type="button" class="button" data-add-field onClick={onAdd}>
        {texts.fieldAdd(page)}
      </button>
      <p role="status" class="field-overlap">
        {overlaps.length > 0 ? texts.fieldsOverlap(overlaps.join(', '), overlaps.length) : null}
      </p>
    </div>
  )
}

/** The pages, with a field wherever somebody signs. */
export function FieldEditor(props: EditorProps) {
  const { pdf, people, places, texts } = props
  const { root, active, setChosen, add, addTo, change, remove } = usePlaces(props)
  const { host, widthPx } = useWidth()
  const { near, page, focus } = useEditedPages()
  const boxOf = (place: Place, size: PageSize) => {
    const color = people.findIndex(({ key }) => key === place.person)
    return (
      <FieldBox
        key={place.key}
        place={place}
        name={people[color]?.name ?? ''}
        color={color}
        size={size}
        pageCount={pdf.sizes.length}
        texts={texts}
        onChange={change}
        onRemove={() => remove(place.key)}
      />
    )
  }
  return (
    <div ref={root} class="field-editor stack tight">
      <h2>{texts.fieldsHeading}</h2>
      <p class="quiet small">{texts.fieldsHow}</p>
      <p id="field-hint" class="quiet small">
        {texts.fieldHint}
      </p>
      <Tools
        people={people}
        active={active}
        texts={texts}
        page={page}
        onChoose={setChosen}
        overlaps={pagesWithOverlap(places)}
        onAdd={() => addTo(page)}
      />
      <div ref={host} class="stack tight">
        {pdf.sizes.map((size, index) => (
          <Sheet
            key={index}
            pdf={pdf}
            number={index + 1}
            label={texts.pageOf(index + 1, pdf.sizes.length)}
            widthPx={widthPx}
            isNear={near.has(index + 1)}
            onFocus={() => focus(index + 1)}
            onDraw={(box) => add(index + 1, box)}
          >
            {places.filter((one) => one.page === index + 1).map((one) => boxOf(one, size))}
          </Sheet>
        ))}
      </div>
    </div>
  )
}
