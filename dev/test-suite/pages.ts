/** Decides whether tests need the static pages, which take longer to build than most tests run. */
import { listTestsOf, type ImportGraph } from './changed.ts'

/** The files that name the folder of the built pages. */
const READERS = ['runtime/api.ts', 'runtime/embedded/paths.ts', 'dev/build-web.ts']

/**
 * Whether one of the tests can load the built pages: by its imports, or in a browser.
 *
 * @param tests paths from the root
 */
export function needPages(tests: readonly string[], graph: ImportGraph): boolean {
  const reaching = listTestsOf(READERS, graph)
  return tests.some((test) => reaching.has(test))
}
