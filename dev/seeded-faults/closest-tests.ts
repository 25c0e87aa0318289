/** Orders test files by how close they are to a source file. */
import type { ImportGraph } from '../test-suite/changed.ts'

/** Longest way from a test to a source through imports. */
const MAXIMUM_DISTANCE = 20

/** Whether the test has the place in `test/` that belongs to the source. */
function isMirrored(file: string, test: string): boolean {
  const place = `test/${file.replace(/\.ts$/, '')}`
  return test.startsWith(`${place}.`) || test.startsWith(`${place}/`)
}

/**
 * Lists the tests that reach a source file by imports or paths: its own test first, then by the
 * number of imports between them.
 *
 * @param file path from the root
 */
export function listClosestTests(file: string, graph: ImportGraph): string[] {
  const distances = new Map([[file, 0]])
  for (let distance = 1; distance <= MAXIMUM_DISTANCE; distance++) {
    const near = [...graph].filter(
      ([other, paths]) =>
        !distances.has(other) && [...paths].some((path) => distances.get(path) === distance - 1),
    )
    for (const [other] of near) distances.set(other, distance)
  }
  const rank = (test: string) => (isMirrored(file, test) ? 0 : (distances.get(test) ?? 0))
  return [...distances.keys()]
    .filter((path) => path.endsWith('.test.ts'))
    .sort((a, b) => rank(a) - rank(b) || a.localeCompare(b))
}
