/** Rows of label and value. */
import type { Block } from '../../pades/index.ts'

/** A row without a value is left out; `mono` is for digests and serial numbers. */
export type Row = readonly [label: string, value: string | undefined, style?: 'mono']

/** The block that shows the rows. */
export function rows(given: readonly Row[]): Block {
  return {
    kind: 'keyValues',
    rows: given.flatMap(([label, value, style]) =>
      value === undefined ? [] : [{ label, value, ...(style ? { mono: true } : {}) }],
    ),
  }
}
