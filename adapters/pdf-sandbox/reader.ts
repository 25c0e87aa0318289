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
  /**
   * Who uploaded the document: its process may have read other documents of the same owner. Absent
   * when the process must be fresh.
   */
  owner?: string
}

export interface DocumentReader {
  /**
   * Reads one document in a separate process.
   *
   * @throws Error when no process can be started or reached
   */
  read(task: SandboxTask, document: Uint8Array, limits: ReadingLimits): Promise<Ending>
  close(): Promise<void>
}
