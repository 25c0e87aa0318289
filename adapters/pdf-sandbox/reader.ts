/** What reads documents apart from the service: a child of this process, or a reader beside it. */
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

export interface DocumentReader {
  /**
   * Reads one document in a process of its own.
   *
   * @param wallMs after so long the process is ended, however little it did
   * @throws Error when no process can be started or reached
   */
  read(task: SandboxTask, document: Uint8Array, wallMs: number): Promise<Ending>
  close(): Promise<void>
}
