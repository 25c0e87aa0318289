/** Finds letters for which the device has no font: each is drawn as the same box. */

/** Unicode 15.0, 23.7: these are never letters. A box with the number of the code is as wide. */
const NEVER_LETTERS = { inFirstPlane: '\uFDD0', inFurtherPlanes: '\u{1FFFE}' } as const
const LAST_OF_FIRST_PLANE = 0xffff
const UNSEEN = /[\s\p{Default_Ignorable_Code_Point}]/u

/** Extent of a text, in CSS pixels: two letters of different fonts do not have the same. */
function extentOf(context: CanvasRenderingContext2D, text: string): string {
  const extent = context.measureText(text)
  const sides = ['Left', 'Right', 'Ascent', 'Descent'] as const
  return [extent.width, ...sides.map((side) => extent[`actualBoundingBox${side}`])].join(' ')
}

/**
 * Whether at least one letter would be drawn as a box.
 *
 * @param context with the font of the drawing
 */
export function lacksLetters(context: CanvasRenderingContext2D, text: string): boolean {
  const boxes = {
    first: extentOf(context, NEVER_LETTERS.inFirstPlane),
    further: extentOf(context, NEVER_LETTERS.inFurtherPlanes),
  }
  return [...new Set(text.normalize('NFC'))].some((letter) => {
    if (UNSEEN.test(letter)) return false
    const isFirst = letter.codePointAt(0)! <= LAST_OF_FIRST_PLANE
    return extentOf(context, letter) === (isFirst ? boxes.first : boxes.further)
  })
}
