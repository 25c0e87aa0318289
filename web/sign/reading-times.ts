/** Measures which parts of a page were uncovered on the screen, and for how long. */

/** A part of a page counts once it was uncovered for this time in sum. */
const PART_TIME_MS = 1_000
/** A page counts once this share of its parts counts, the lower edge included. */
const PAGE_SHARE = 0.8
/** A page is divided into this many parts: fine enough for a share of 80 %. */
const ROWS = 20
const COLUMNS = 10

/** Sides in CSS pixels, from the top left of the window. */
export interface Sides {
  left: number
  top: number
  right: number
  bottom: number
}

/** Whether the middle of the part lies inside `open`. */
function isUncovered(page: Sides, open: Sides, row: number, column: number): boolean {
  const x = page.left + ((column + 0.5) * (page.right - page.left)) / COLUMNS
  const y = page.top + ((row + 0.5) * (page.bottom - page.top)) / ROWS
  return x >= open.left && x <= open.right && y >= open.top && y <= open.bottom
}

const share = (times: readonly number[]) =>
  times.filter((timeMs) => timeMs >= PART_TIME_MS).length / times.length

/** The times of all pages of a document; a page that is taller than the window is read in parts. */
export class ReadingTimes {
  /** Time for each part, in milliseconds, row by row. */
  readonly #times = new Map<number, number[]>()

  /**
   * Adds the time during which a page was at one place.
   *
   * @param number of the page
   * @param page where the page is
   * @param open the part of the window that no bar covers
   * @param passedMs how long the page was there
   * @returns whether the page counts as viewed
   */
  add(number: number, page: Sides, open: Sides, passedMs: number): boolean {
    const times = this.#times.get(number) ?? Array<number>(ROWS * COLUMNS).fill(0)
    this.#times.set(number, times)
    for (let row = 0; row < ROWS; row++) {
      for (let column = 0; column < COLUMNS; column++) {
        if (isUncovered(page, open, row, column)) times[row * COLUMNS + column]! += passedMs
      }
    }
    return share(times) >= PAGE_SHARE && share(times.slice(-COLUMNS)) >= PAGE_SHARE
  }
}
