/**
 * Preloaded before test files on Deno: sets the class name of call sites that tap expects, and the
 * folder of the fixtures.
 */
import { resolve } from 'node:path'
import process from 'node:process'

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

// Not before the property above is there. On Deno, tap does not know the file: tests of two files
// with one name would share a folder and remove it.
const { default: t } = await import('tap')
t.testdirName = resolve('.tap/fixtures', `deno-${process.pid}`)
