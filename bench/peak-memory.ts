/** How much memory this process has held at most, in octets. */
import { existsSync, readFileSync } from 'node:fs'
import process from 'node:process'

const KIBIBYTE = 1024
const STATUS = '/proc/self/status'

/**
 * On Linux `getrusage` begins with what the process that started this one held at that moment, so
 * that the rows before would count: the kernel's figure about this program alone is read instead.
 */
export function peakMemoryBytes(): number {
  if (!existsSync(STATUS)) return process.resourceUsage().maxRSS * KIBIBYTE
  const [, kibibytes] = /^VmHWM:\s*(\d+) kB$/m.exec(readFileSync(STATUS, 'utf8')) ?? []
  return Number(kibibytes) * KIBIBYTE
}
