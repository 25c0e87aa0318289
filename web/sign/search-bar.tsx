/** Searches the document, and leads from one place that was found to the next. */
import { useLayoutEffect, useRef } from 'preact/hooks'
import { focusAgain, Sign } from '../design/parts.tsx'
import type { Texts } from '../texts/en.ts'
import { useTexts } from '../texts/use-texts.ts'
import type { OpenPdf } from './pdf.ts'
import { useSearch, type Search } from './use-search.ts'

interface SearchBarProps {
  pdf: OpenPdf
  onClose(): void
}

/** The field has the focus while the bar is shown, and what opened the bar has it afterwards. */
function useSearchFocus() {
  const bar = useRef<HTMLDivElement>(null)
  const field = useRef<HTMLInputElement>(null)
  // Before the paint: the first characters that are typed belong to the field.
  useLayoutEffect(() => {
    const before = document.activeElement
    field.current?.focus()
    return () => {
      // A dialog that takes the place of the search has the focus already.
      if (bar.current?.contains(document.activeElement)) focusAgain(before)
    }
  }, [])
  return { bar, field }
}

/** How far the search is, or which of the hits is shown. */
function progressText({ hits, current }: Pick<Search, 'hits' | 'current'>, texts: Texts): string {
  if (!hits) return texts.searching
  if (hits.length === 0) return texts.searchNone
  return texts.searchAt(current + 1, hits.length)
}

/** Enter goes to the next hit, Escape closes the bar. */
export function SearchBar({ pdf, onClose }: SearchBarProps) {
  const texts = useTexts()
  const { bar, field } = useSearchFocus()
  const { query, setQuery, hits, current, step } = useSearch(pdf)
  const press = (event: KeyboardEvent) => {
    if (event.key === 'Escape') return onClose()
    if (event.key !== 'Enter' || event.target !== field.current) return undefined
    event.preventDefault()
    return step(event.shiftKey ? -1 : 1)
  }
  const isAsked = query.trim() !== ''
  const count = hits?.length ?? 0
  return (
    <div ref={bar} class="search" role="search" onKeyDown={press}>
      <input
        ref={field}
        class="input"
        type="search"
        autocomplete="off"
        aria-label={texts.search}
        placeholder={texts.search}
        value={query}
        onInput={(event) => setQuery(event.currentTarget.value)}
      />
      <span class="search-count" role="status">
        {isAsked ? progressText({ hits, current }, texts) : ''}
      </span>
      <div class="row">
        <button
          type="button"
          class="button"
          aria-label={texts.searchBefore}
          aria-disabled={count === 0}
          onClick={() => step(-1)}
        >
          <Sign name="up" />
        </button>
        <button
          type="button"
          class="button"
          aria-label={texts.searchNext}
          aria-disabled={count === 0}
          onClick={() => step(1)}
        >
          <Sign name="next" />
        </button>
        <button type="button" class="button" aria-label={texts.searchClose} onClick={onClose}>
          <Sign name="close" />
        </button>
      </div>
    </div>
  )
}
