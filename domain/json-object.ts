/** Encodes JSON values as objects of the store. */
const encoder = new TextEncoder()
const decoder = new TextDecoder()

/** Encodes a value as UTF-8 JSON. */
export function encodeJson(value: unknown): Uint8Array {
  return encoder.encode(JSON.stringify(value))
}

/** Decodes a JSON object; undefined for any other content, which this service did not write. */
export function decodeObject<T extends object>(object: { bytes: Uint8Array }): T | undefined {
  try {
    const value = decodeJson<unknown>(object)
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
    return isObject ? (value as T) : undefined
  } catch {
    return undefined
  }
}

/**
 * Decodes an object that this service wrote.
 *
 * @throws SyntaxError
 */
export function decodeJson<T>(object: { bytes: Uint8Array }): T {
  return JSON.parse(decoder.decode(object.bytes)) as T
}
