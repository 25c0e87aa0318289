/** Errors that name the file that cannot be read, as those of OpenSSL and of parsers do not. */

/** The content of a file cannot be used; the message names the file and the reason. */
export class DamagedFileError extends Error {
  override readonly name = 'DamagedFileError'
}

/** Returns the error of a file with content that cannot be used. */
export const damaged = (path: string, reason: string | undefined, cause: unknown) =>
  new DamagedFileError(`${path} cannot be read (${reason})`, { cause })

/**
 * Reads a file, and names it in the error of its content.
 *
 * @throws DamagedFileError when the file is missing, or `read` cannot use its content
 */
export async function readWhole<T>(path: string, read: (path: string) => Promise<T>): Promise<T> {
  try {
    return await read(path)
  } catch (cause) {
    const { message, code, syscall } = cause as NodeJS.ErrnoException
    // Missing rights, for example: the file is whole, and the error names it.
    if (syscall !== undefined && code !== 'ENOENT') throw cause
    throw damaged(path, message, cause)
  }
}
