/** Checks the signatures that evidence relies on. */
import type { SignatureReport, ValidationReport } from '../../pades/index.ts'
import { broken } from './work.ts'

/** Returns the end of the part of the file that the signature covers. */
export function endOf({ integrity }: SignatureReport): number {
  const [, , start = 0, length = 0] = integrity.byteRange
  return start + length
}

/**
 * Checks that the signature and its time-stamp are valid and chain to the root.
 *
 * @returns `time`: time of the time-stamp, ISO 8601
 * @throws BrokenLink
 */
export function assertPassed(signature: SignatureReport): { time: string } {
  const { fieldName, indication, subIndication, errors, timestamps } = signature
  if (indication !== 'TOTAL_PASSED') {
    const why = errors.map(({ text }) => text).join('; ')
    const what = [indication, subIndication].filter((word) => word !== undefined).join(', ')
    return broken(`signature ${fieldName}: ${why || 'not valid'} (${what})`)
  }
  const stamp = timestamps.find(
    ({ type, indication: judged }) => type === 'signature' && judged === 'TOTAL_PASSED',
  )
  const time = stamp?.productionTime
  return time === undefined ? broken(`signature ${fieldName} has no valid time-stamp`) : { time }
}

/**
 * Checks that later revisions contain only revocation data and time-stamps.
 *
 * @throws BrokenLink
 */
export function assertLeftAlone(last: SignatureReport, { document }: ValidationReport): void {
  const { level } = last.modifications
  if (level !== 'NONE' && level !== 'LTA_UPDATES') {
    broken(`the file was changed after ${last.fieldName} (${level})`)
  }
  if (document.unsignedTailBytes > 0) {
    broken(`${document.unsignedTailBytes} unsigned bytes follow`)
  }
}
