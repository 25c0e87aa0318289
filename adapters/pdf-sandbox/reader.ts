/**
 * The interface of what reads documents in a separate process: a child, or the reader beside a
 * worker.
 */
import type { SandboxTask } from './frames.ts'

/** How one reading ended. */
export interface Ending {
  /** What the child wrote to its standard output. */
  answer: string
  /** The beginning of what it wrote to its standard error. */
  complaint: string
  /** Whether it was ended because its wall-clock limit passed. */
  timedOut: boolean
  signal: string | null
  code: number | null
}

/** What one reading may take. */
export interface ReadingLimits {
  /** Wall-clock time after which the process is ended. */
  wallMs: number
  /** Whether CPU time and memory are those for a document that this service has signed. */
  isAmple?: boolean
}

export interface DocumentReader {
  /**
   * Reads one document in a process of its own.
   *
   * @throws Error when no process can be started or reached
   */
  read(task: SandboxTask, document: Uint8Array, limits: ReadingLimits): Promise<Ending>
  close(): Promise<void>
}
