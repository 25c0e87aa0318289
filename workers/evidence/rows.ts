/** Rows with a label and a value. */
import { isShownWhole, type Block } from '../../pades/index.ts'

/** A row without a value is omitted; `mono` is for digests and serial numbers. */
export type Row = readonly [label: string, value: string | undefined, style?: 'mono']

/** Builds the block that shows the rows. */
export function rows(given: readonly Row[]): Block {
  return {
    kind: 'keyValues',
    rows: given.flatMap(([label, value, style]) =>
      value === undefined ? [] : [{ label, value, ...(style ? { mono: true } : {}) }],
    ),
  }
}

/**
 * Spells a text with letters that the font lacks as code points, such as `U+592A U+90CE`. The value
 * of any other text is undefined.
 */
export function spelled(label: string, text: string): Row {
  if (isShownWhole(text)) return [label, undefined]
  const numbers = Array.from(text, (letter) => {
    const number = letter.codePointAt(0) ?? 0
    return `U+${number.toString(16).toUpperCase().padStart(4, '0')}`
  })
  return [label, numbers.join(' ')]
}
