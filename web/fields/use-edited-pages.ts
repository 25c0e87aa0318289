/** Which pages of the document are painted, and on which one a new field is added. */
import { useEffect, useState } from 'preact/hooks'
import { usePagesInView } from '../lib/use-pages-in-view.ts'

export interface EditedPages {
  near: ReadonlySet<number>
  /**
   * The page that most of the view shows, or that of a field which got the focus since it is that
   * page, as long as a part of it is in view.
   */
  page: number
  /** A field of a page gets the focus. */
  focus(page: number): void
}

/** Observes the pages of the editor, which are on the page when this is first called. */
export function useEditedPages(): EditedPages {
  const { near, shown, current } = usePagesInView(true)
  const [focused, setFocused] = useState<number | undefined>(undefined)
  useEffect(() => setFocused(undefined), [current])
  useEffect(() => {
    if (focused !== undefined && shown && !shown.has(focused)) setFocused(undefined)
  }, [shown])
  return { near, page: focused ?? current, focus: setFocused }
}
