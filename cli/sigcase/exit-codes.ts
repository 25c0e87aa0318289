/** Exit codes of `sigcase`, beside 0 for success. `docs/reference/command-line.md` lists them. */
import { UsageError } from '../usage.ts'

/** The service refused the request or did not answer. */
export const FAILED_EXIT_CODE = 1
/** Wrong arguments, or a file that cannot be read or written. */
export const USAGE_EXIT_CODE = 2
/** `cases wait`: the case ended without being DONE, or did not end in time. */
export const NOT_DONE_EXIT_CODE = 3
/** `doctor`: a check failed. */
export const FINDINGS_EXIT_CODE = 4

/** A case that `cases wait` did not see DONE. */
export class NotDoneError extends Error {
  override readonly name = 'NotDoneError'
}

/** `doctor` found something that does not work. */
export class FindingsError extends Error {
  override readonly name = 'FindingsError'
}

/** Chooses the exit code for an error of a command. */
export function chooseExitCode(error: unknown): number {
  if (error instanceof UsageError) return USAGE_EXIT_CODE
  if (error instanceof FindingsError) return FINDINGS_EXIT_CODE
  return error instanceof NotDoneError ? NOT_DONE_EXIT_CODE : FAILED_EXIT_CODE
}
