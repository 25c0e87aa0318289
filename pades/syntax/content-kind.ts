/** What the judge of a content stream is given, and what it reports (ISO 32000-2, 7.8.2). */
import type { NamedColours } from './content-colours.ts'
import type { DecodingBudget } from './content-filters.ts'
import type { FaultCode } from './faults.ts'
import type { InlineImage } from './inline-image.ts'
import type { MaskResources } from './masked-content.ts'
import type { Box } from './matrices.ts'

/**
 * What a content depends on: blending and colours of its own, text, lines without a width and
 * dashes of their own, or the colour of what draws it. A shape has no colours, and in a knockout
 * group a part removes what is beneath it.
 */
export type Trait =
  | 'blending'
  | 'colours'
  | 'dashes'
  | 'inherited-colour'
  | 'knockout'
  | 'lines'
  | 'shape'
  | 'text'
  | 'translucent'

/** A text that is shown. */
export interface ShownText {
  /** The name of its font. */
  readonly font: string
  readonly text: Uint8Array
  /** Whether its glyphs are filled and not stroked (9.3.6). */
  readonly isFilled: boolean
  /** Whether its place does not depend on the text before it (9.4.2). */
  readonly isPlaced: boolean
}

/** Answers whether a resource exists. */
export type HasResource = (category: string, name: string) => boolean

/** Which part of the contents it is: readers end the stack of states differently in parts. */
export interface ContentKind {
  /** Whether it is a part of a page: a form, a pattern or a glyph. */
  readonly isPart?: boolean
  /** Whether it is a glyph of a Type 3 font. */
  readonly isGlyph?: boolean
  /** Whether it is the cell of a pattern. */
  readonly isCell?: boolean
  /** Called when amounts of a colour depend on the space of the content that draws it. */
  readonly onInheritedColour?: () => void
  readonly onTrait?: (trait: Trait) => void
  /** Gets each graphics state that is set, and what may be different in a mask of it. */
  readonly onMask?: (state: string, odd: readonly Trait[]) => void
  /** Gets the name of a form that is not a group and drawn with a blend mode or a mask. */
  readonly onMixedForm?: (name: string) => void
  readonly hasResource?: HasResource
  /** Gets the name of each resource that an operator uses. */
  readonly onResource?: (category: string, name: string) => void
  readonly colours?: NamedColours
  readonly masks?: MaskResources
  /** The part of the coordinates that is shown. */
  readonly clip?: Box
  /** What inline images may decode to; a content has a budget of its own when absent. */
  readonly images?: DecodingBudget
  /** Judges how readers paint an inline image that they all find. */
  readonly judgeInlineImage?: (image: InlineImage) => FaultCode | undefined
  /** Gets 1 where marked content begins, and -1 where it ends (14.6). */
  readonly onMark?: (step: 1 | -1) => void
  /** Gets each text that is shown, and the name of its font. */
  readonly onText?: (shown: ShownText) => void
}
