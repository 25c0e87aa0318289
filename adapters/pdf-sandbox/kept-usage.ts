/** Decides whether a process that judged a document to be good waits for another one. */

/** Processes that have read documents of the corpus have 183 MB. */
const MAXIMUM_BYTES = 200 * 1024 * 1024
/** Half of the limit of a process: what is left suffices for usual documents. */
const MAXIMUM_CPU_MICROSECONDS = 5_000_000

/** What a process has used since its start. */
export interface ProcessUsage {
  /** Resident memory. */
  residentBytes: number
  /** User and system time, in microseconds. */
  cpu: { user: number; system: number }
}

/** Processes that wait must leave room for those that read, and have CPU time left. */
export function mayReadAnother({ residentBytes, cpu }: ProcessUsage): boolean {
  return residentBytes <= MAXIMUM_BYTES && cpu.user + cpu.system <= MAXIMUM_CPU_MICROSECONDS
}
