/** Fails a test file that ran no assertion: it proves nothing, and may not have run at all. */
import type { FileResult } from '../run-test-file.ts'

/** @returns the result, as a failure if the file neither ran nor skipped an assertion */
export function failEmptyFile(result: FileResult): FileResult {
  if (result.failed > 0 || result.passed + result.skipped > 0) return result
  return { ...result, passed: 0, failed: 1, fault: 'ran no assertion' }
}
