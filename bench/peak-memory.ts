/** Reads the peak memory of this process in bytes. */
import { existsSync, readFileSync } from 'node:fs'
import process from 'node:process'

const KIBIBYTE = 1024
const STATUS = '/proc/self/status'

/**
 * On Linux, `getrusage` includes the memory of the parent process at the fork, and so of earlier
 * rows. Therefore this function reads the kernel's value for this program.
 */
export function peakMemoryBytes(): number {
  if (!existsSync(STATUS)) return process.resourceUsage().maxRSS * KIBIBYTE
  const [, kibibytes] = /^VmHWM:\s*(\d+) kB$/m.exec(readFileSync(STATUS, 'utf8')) ?? []
  return Number(kibibytes) * KIBIBYTE
}
