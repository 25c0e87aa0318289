/** SQLite does not name the database that it cannot read. */
import { damaged } from '../shared/damaged-file.ts'

/** Primary result codes: the file is damaged, or is not a database. */
const DAMAGED: ReadonlySet<number> = new Set([11, 26])
const PRIMARY_CODE = 0xff

/** Returns a `DamagedFileError` in place of what SQLite says about a damaged database. */
export function nameDatabase(path: string, error: unknown): unknown {
  const { errcode = 0, message } = error as { errcode?: number; message?: string }
  return DAMAGED.has(errcode & PRIMARY_CODE) ? damaged(path, message, error) : error
}
