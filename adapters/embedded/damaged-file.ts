/**
 * Errors that name the file of the data directory that cannot be read. Those of SQLite and OpenSSL
 * do not name it.
 */

/** A database or key cannot be read; the message names the file and the reason. */
export class DamagedFileError extends Error {
  override readonly name = 'DamagedFileError'
}

/** Primary result codes: the file is damaged, or is not a database. */
const DAMAGED: ReadonlySet<number> = new Set([11, 26])
const PRIMARY_CODE = 0xff

/** Returns a {@link DamagedFileError} in place of what SQLite says about a damaged database. */
export function nameDatabase(path: string, error: unknown): unknown {
  const { errcode = 0, message } = error as { errcode?: number; message?: string }
  return DAMAGED.has(errcode & PRIMARY_CODE) ? damaged(path, message, error) : error
}

/** Returns the error of a file with content that cannot be used. */
export const damaged = (path: string, reason: string | undefined, cause: unknown) =>
  new DamagedFileError(`${path} cannot be read (${reason})`, { cause })
