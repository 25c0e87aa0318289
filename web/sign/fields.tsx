/** The places on a page where this participant signs. */
import { Sign } from '../design/parts.tsx'
import { useTexts } from '../texts/use-texts.ts'
import { OwnPlace } from './own-place.tsx'
import type { PageSize, SignatureField } from './place.ts'
import { SignaturePreview } from './signature-preview.tsx'
import type { Draft } from './use-draft.ts'

function styleOf(
  { x, y, width, height, unit }: SignatureField,
  size: PageSize,
): Record<string, string> {
  const across = unit === 'pt' ? size.width : 1
  const down = unit === 'pt' ? size.height : 1
  const percent = (part: number) => `${100 * part}%`
  return {
    left: percent(x / across),
    top: percent(y / down),
    width: percent(width / across),
    height: percent(height / down),
  }
}

function inPoints({ width, height, unit }: SignatureField, size: PageSize) {
  return unit === 'pt'
    ? { width, height }
    : { width: width * size.width, height: height * size.height }
}

interface FieldsProps {
  page: number
  pageCount: number
  size: PageSize
  /** CSS pixels per point. */
  scale: number
  draft: Draft
  /** What the signed PDF says under the drawing. */
  lines: readonly string[]
  onOpen(): void
}

/** The fields of the sender, or the place that the participant chose. */
export function Fields(props: FieldsProps) {
  const { page, pageCount, size, scale, draft, lines, onOpen } = props
  const texts = useTexts()
  const { places, drawing, isFree } = draft
  return places.map((place, index) => {
    if (place.page !== page) return null
    const isSigned = drawing !== undefined
    const label = (isSigned ? texts.fieldSigned : texts.fieldToSign)(index + 1, places.length)
    const name = isSigned ? 'field signed' : 'field'
    const style = styleOf(place, size)
    const content = isSigned ? (
      <SignaturePreview
        drawing={drawing}
        lines={lines}
        isFramed={isFree}
        {...inPoints(place, size)}
        scale={scale}
      />
    ) : (
      <span class="field-word">
        <Sign name="pen" />
        {texts.fieldShort}
      </span>
    )
    if (isFree) {
      const own = { place, size, pageCount, draft, label, style, onOpen }
      return (
        <OwnPlace key={place.id} class={name} {...own}>
          {content}
        </OwnPlace>
      )
    }
    return (
      <button
        key={place.id}
        type="button"
        class={name}
        data-field={place.id}
        style={style}
        aria-label={label}
        onClick={() => onOpen()}
      >
        {content}
      </button>
    )
  })
}
