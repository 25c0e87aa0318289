/** The keys of dictionaries that a strict scan distinguishes (ISO 32000-2, 7.3.7). */

/** Up to so many keys are compared with each other; more go into a set. */
const KEYS_COMPARED = 24

/** Entries that pages and fields inherit (tables 30 and 226): a null one hides the parent's. */
export const INHERITABLE: ReadonlySet<string> = new Set([
  'Resources',
  'MediaBox',
  'CropBox',
  'Rotate',
  'FT',
  'Ff',
  'V',
  'DV',
  'DA',
  'Q',
])

/** Entries that some readers ignore where they have a decimal point. */
export const INTEGERS: ReadonlySet<string> = new Set([
  ...['Rotate', 'Count', 'F', 'Q', 'Size', 'Prev', 'XRefStm', 'First', 'Length'],
  ...['Predictor', 'Colors', 'Columns', 'BitsPerComponent', 'Width', 'Height', 'FirstChar'],
  ...['LastChar', 'FunctionType', 'ShadingType', 'PatternType', 'PaintType', 'TilingType'],
])

/** How a reader arranges its window (table 29): a widespread library writes one of them twice. */
export const UNSEEN: ReadonlySet<string> = new Set(['PageMode', 'PageLayout'])

/** The keys of one dictionary; few are compared with each other, many are looked up. */
export class KnownKeys {
  readonly #keys: string[] = []
  /** Where each value begins and ends, in turn. */
  readonly #ranges: number[] = []
  #byKey: Map<string, number> | undefined

  /** @returns where the value of the same key begins and ends, when there is one */
  add(key: string, start: number, end: number): readonly [number, number] | undefined {
    const found = this.#byKey ? (this.#byKey.get(key) ?? -1) : this.#keys.indexOf(key)
    const index = this.#keys.push(key) - 1
    this.#ranges.push(start, end)
    if (this.#byKey) this.#byKey.set(key, index)
    else if (index === KEYS_COMPARED) {
      this.#byKey = new Map(this.#keys.map((one, at) => [one, at]))
    }
    return found === -1 ? undefined : [this.#ranges[found * 2], this.#ranges[found * 2 + 1]]
  }
}
