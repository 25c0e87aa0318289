/** One page of the document: its picture and text while it is near the screen, and the fields. */
import type { ComponentChildren } from 'preact'
import { PageFault } from '../design/page-fault.tsx'
import { usePainted } from '../lib/use-painted.ts'
import { useTexts } from '../texts/use-texts.ts'
import type { OpenPdf } from './pdf.ts'
import type { PageSize } from './place.ts'

interface PageProps {
  pdf: OpenPdf
  number: number
  count: number
  /** CSS pixels. */
  widthPx: number
  size: PageSize
  isNear: boolean
  onSize(size: PageSize): void
  /** Fractions of the page, from its top left. */
  onPress?: ((x: number, y: number) => void) | undefined
  children?: ComponentChildren
}

/** Painted while `isNear`. */
export function Page(props: PageProps) {
  const { pdf, number, count, widthPx, size, isNear, onSize, onPress } = props
  const texts = useTexts()
  const { host, isBroken, retry } = usePainted(isNear, [pdf, number, widthPx], async (signal) => {
    const next = await pdf.paint(number, widthPx, signal)
    if (!signal.aborted) onSize(next.size)
    return next
  })
  const press = (event: MouseEvent & { currentTarget: HTMLElement }) => {
    const box = event.currentTarget.getBoundingClientRect()
    onPress?.((event.clientX - box.left) / box.width, (event.clientY - box.top) / box.height)
  }
  const heightPx = (widthPx * size.height) / size.width
  return (
    <section
      class={onPress ? 'page placing' : 'page'}
      aria-label={texts.pageLabel(number, count)}
      data-page={number}
      style={{ width: `${widthPx}px`, height: `${heightPx}px` }}
    >
      <div ref={host} class="layers" onClick={press} />
      {isBroken ? <PageFault onRetry={retry} /> : null}
      {props.children}
    </section>
  )
}
