/** For the storage of a browser, which a setting refuses and which can be full. */

/** @returns what `act` returns, undefined when it throws */
export function guarded<T>(act: () => T): T | undefined {
  try {
    return act()
  } catch {
    return undefined
  }
}
