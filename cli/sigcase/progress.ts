/** Progress of long commands on the terminal: a bar, or a number while the total is not known. */
import process from 'node:process'
import type { UploadOptions } from '../../clients/typescript/src/index.ts'

const BAR_CHARACTERS = 30
/** A smaller document is uploaded before a person reads the bar. */
const LEAST_BYTES = 1_000_000

type Terminal = Pick<typeof process.stderr, 'isTTY' | 'write'>

/** @param share from 0 to 1 */
function drawBar(stream: Terminal, share: number): void {
  const bar = '#'.repeat(Math.round(share * BAR_CHARACTERS)).padEnd(BAR_CHARACTERS, '.')
  stream.write(`\r[${bar}] ${Math.round(share * 100)} %${share === 1 ? '\n' : ''}`)
}

/**
 * Returns the options of an upload that draws its progress. Draws nothing when standard error is
 * not a terminal, so that logs stay readable.
 */
export function trackUpload(stream: Terminal = process.stderr): UploadOptions {
  if (!stream.isTTY) return {}
  return {
    onProgress: ({ sentBytes, totalBytes }) => {
      if (totalBytes < LEAST_BYTES) return
      drawBar(stream, sentBytes / totalBytes)
    },
  }
}

/** Progress of a command that works on one case after the other. */
export interface CaseProgress {
  /** @param total of the cases, when it is known and not less than `done` */
  show(done: number, total?: number): void
  /** Ends the line. */
  end(): void
}

const HIDDEN: CaseProgress = { show: () => undefined, end: () => undefined }

/**
 * Draws how many cases are done: a bar when the total is known, and otherwise their number. Draws
 * nothing when standard error is not a terminal, or when a program reads the result.
 */
export function trackCases(isForProgram: boolean, stream: Terminal = process.stderr): CaseProgress {
  if (!stream.isTTY || isForProgram) return HIDDEN
  let isLineOpen = false
  return {
    show(done, total) {
      if (total === undefined) stream.write(`\r${done} cases`)
      else if (total > 0) drawBar(stream, Math.min(done / total, 1))
      isLineOpen = total === undefined || (total > 0 && done < total)
    },
    end() {
      if (isLineOpen) stream.write('\n')
      isLineOpen = false
    },
  }
}
