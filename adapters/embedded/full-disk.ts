/** Errors of a full disk: what was to be written is not, and succeeds once there is room again. */
import { ServiceError } from '../../domain/errors.ts'

/** Primary result code: the disk is full. */
const SQLITE_FULL = 13
const PRIMARY_CODE = 0xff
/** The disk, or the quota of the user, is full. */
const FULL: ReadonlySet<unknown> = new Set(['ENOSPC', 'EDQUOT'])

/** Whether a write of a file or of SQLite failed because there is no room. */
export function isDiskFull(error: unknown): boolean {
  const { code, errcode = 0 } = error as { code?: unknown; errcode?: number }
  return FULL.has(code) || (errcode & PRIMARY_CODE) === SQLITE_FULL
}

/** Returns ServiceError TIMEOUT, after which callers try again, in place of a full disk. */
export const nameFullDisk = (error: unknown): unknown =>
  isDiskFull(error) ? new ServiceError('TIMEOUT', {}, { cause: error }) : error
