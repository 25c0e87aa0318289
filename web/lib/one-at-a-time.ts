/** Leaves out what begins while something of the same kind is under way. */

/**
 * @returns a function that runs what it is given, unless the run before is not over; also one that
 * failed is over
 */
export function oneAtATime(): (run: () => Promise<void>) => Promise<void> {
  let isUnderWay = false
  return async (run) => {
    if (isUnderWay) return
    isUnderWay = true
    try {
      await run()
    } finally {
      isUnderWay = false
    }
  }
}
