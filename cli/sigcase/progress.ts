/** A progress bar on the terminal for uploads. */
import process from 'node:process'
import type { UploadOptions } from '../../clients/typescript/src/index.ts'

const BAR_CHARACTERS = 30
/** A smaller document is uploaded before a person reads the bar. */
const LEAST_BYTES = 1_000_000

/**
 * Returns the options of an upload that draws its progress. Draws nothing when standard error is
 * not a terminal, so that logs stay readable.
 */
export function trackUpload(stream = process.stderr): UploadOptions {
  if (!stream.isTTY) return {}
  return {
    onProgress: ({ sentBytes, totalBytes }) => {
      if (totalBytes < LEAST_BYTES) return
      const share = totalBytes === 0 ? 1 : sentBytes / totalBytes
      const bar = '#'.repeat(Math.round(share * BAR_CHARACTERS)).padEnd(BAR_CHARACTERS, '.')
      stream.write(`\r[${bar}] ${Math.round(share * 100)} %${share === 1 ? '\n' : ''}`)
    },
  }
}
