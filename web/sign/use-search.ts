/** Searches the whole document, page after page, and shows what was found. */
import { useEffect, useRef, useState } from 'preact/hooks'
import { findText } from './find-text.ts'
import type { OpenPdf } from './pdf.ts'

const TYPING_MS = 200
/** A page that is not painted by then is scrolled to without marking the text on it. */
const PAINT_LIMIT_MS = 5_000
const HIGHLIGHT = 'found'

export interface Hit {
  page: number
  /** Position among the hits of its page, from 0. */
  position: number
}

export interface Search {
  query: string
  setQuery(query: string): void
  /** Undefined until the whole document was searched. */
  hits: readonly Hit[] | undefined
  /** Index of the hit that is shown. */
  current: number
  step(by: 1 | -1): void
}

/** The part of a text layer between two offsets of its text, as `OpenPdf.text` counts them. */
function rangeIn(layer: Element, begin: number, end: number): Range {
  const range = document.createRange()
  const walker = document.createTreeWalker(layer, NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT)
  let offset = 0
  for (let node = walker.nextNode(); node && offset < end; node = walker.nextNode()) {
    if (node instanceof Text) {
      const { length } = node.data
      if (offset <= begin && begin < offset + length) range.setStart(node, begin - offset)
      if (offset < end && end <= offset + length) range.setEnd(node, end - offset)
      offset += length
    } else if (node.nodeName === 'BR') offset += 1
  }
  return range
}

async function waitForTextLayer(page: number): Promise<Element | undefined> {
  const limitMs = performance.now() + PAINT_LIMIT_MS
  while (performance.now() < limitMs) {
    const layer = document.querySelector(`[data-page="${page}"] .textLayer`)
    if (layer) return layer
    await new Promise((resolve) => window.setTimeout(resolve, 50))
  }
  return undefined
}

/** Scrolls to a hit, and marks it. */
async function show({ page, position }: Hit, query: string, isOver: () => boolean): Promise<void> {
  const section = document.querySelector(`section[data-page="${page}"]`)
  section?.scrollIntoView({ block: 'start', behavior: 'instant' })
  const layer = await waitForTextLayer(page)
  if (!layer || isOver()) return
  const text = [...textNodes(layer)].join('')
  const match = findText(text, query)[position]
  if (!match) return
  const range = rangeIn(layer, match.begin, match.end)
  // Browsers without this interface scroll to the text alone.
  if ('highlights' in CSS) CSS.highlights.set(HIGHLIGHT, new Highlight(range))
  const box = range.getBoundingClientRect()
  window.scrollBy({ top: box.top - window.innerHeight / 2, behavior: 'instant' })
}

function* textNodes(layer: Element): Generator<string> {
  const walker = document.createTreeWalker(layer, NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT)
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    if (node instanceof Text) yield node.data
    else if (node.nodeName === 'BR') yield '\n'
  }
}

function clear(): void {
  if ('highlights' in CSS) CSS.highlights.delete(HIGHLIGHT)
}

/** Searches while the search bar is shown; nothing is marked once it is removed. */
export function useSearch(pdf: OpenPdf): Search {
  const [query, setQuery] = useState('')
  const [found, setFound] = useState<{ query: string; hits: readonly Hit[] } | undefined>(undefined)
  const [current, setCurrent] = useState(0)
  const texts = useRef(new Map<number, string>())

  useEffect(() => {
    const ended = new AbortController()
    const search = async () => {
      const hits: Hit[] = []
      for (let page = 1; page <= pdf.pageCount && !ended.signal.aborted; page++) {
        const text = texts.current.get(page) ?? (await pdf.text(page))
        texts.current.set(page, text)
        findText(text, query).forEach((_match, position) => hits.push({ page, position }))
      }
      if (ended.signal.aborted) return
      setFound({ query, hits })
      setCurrent(0)
    }
    clear()
    const isAsked = query.trim() !== ''
    // A part that cannot be fetched is reported where the page is.
    const timer = isAsked ? window.setTimeout(() => search().catch(() => undefined), TYPING_MS) : 0
    return () => {
      ended.abort()
      window.clearTimeout(timer)
    }
  }, [query])
  const hits = found?.query === query ? found.hits : undefined
  const hit = hits?.[current]
  useEffect(() => {
    let isOver = false
    clear()
    if (hit) void show(hit, query, () => isOver)
    return () => {
      isOver = true
    }
  }, [hit])
  useEffect(() => clear, [])

  const step = (by: 1 | -1) => {
    const count = hits?.length ?? 0
    if (count > 0) setCurrent((current + by + count) % count)
  }
  return { query, setQuery, hits, current, step }
}
