/** Receives what a strict scan of PDF syntax finds (ISO 32000-2, 7.3). */
import type { FaultCode } from './faults.ts'

/** Receives what a scan finds, in the order of the source. */
export interface ScanListener {
  /** A fault that every reader takes alike; ambiguous ones end the scan. */
  tolerated(code: FaultCode, offset: number): void
  reference(number: number, generation: number): void
  /** A string, from its opening delimiter to behind its closing one. */
  string?(start: number, end: number): void
  /** An entry of a dictionary that is a whole number with a decimal point. */
  wholeReal?(key: string): void
  /** Bytes were inflated to find where a stream ends. */
  inflated?(bytes: number): void
}

/** Ignores everything. */
export const SILENT: ScanListener = { tolerated: () => undefined, reference: () => undefined }
