/**
 * Loaded before a test file on Deno: gives its call sites the class name by which tap knows them.
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
