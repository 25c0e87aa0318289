/**
 * Preloaded before test files on Deno: sets the class name of call sites that tap expects.
 */

class CallSite {}

type Prepare = typeof Error.prepareStackTrace

function named(sites: readonly object[]): void {
  const prototype = sites[0] && Object.getPrototypeOf(sites[0])
  if (!prototype || Object.hasOwn(prototype, 'constructor')) return
  Object.defineProperty(prototype, 'constructor', { value: CallSite })
}

let prepare: Prepare
Object.defineProperty(Error, 'prepareStackTrace', {
  configurable: true,
  get: () => prepare,
  set(value: Prepare) {
    prepare =
      value &&
      ((error, sites) => {
        named(sites)
        return value(error, sites)
      })
  },
})
