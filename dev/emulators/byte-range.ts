/** Byte ranges of requests, for the emulators of object stores. */

/**
 * Parses the header `Range` with a single byte range (RFC 9110, 14.1.2).
 *
 * @param size of the object in bytes
 * @returns the first and the last offset; `whole` for any other header; `none` when the range is
 *   outside of the object
 */
export function rangeOf(
  text: string | undefined,
  size: number,
): [number, number] | 'whole' | 'none' {
  const parts = /^bytes=(\d*)-(\d*)$/.exec(text ?? '')
  if (!parts) return 'whole'
  const [, first = '', last = ''] = parts
  const from = first === '' ? Math.max(size - Number(last), 0) : Number(first)
  const to = first === '' || last === '' ? size - 1 : Math.min(Number(last), size - 1)
  return from <= to ? [from, to] : 'none'
}
