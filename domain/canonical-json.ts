/** Canonical JSON (RFC 8785): equal values have equal octets. */
import canonicalize from 'canonicalize'

/**
 * @throws Error for a value that JSON cannot represent: undefined, a function, NaN, infinity, a
 *   circular reference, a lone surrogate
 */
export function canonicalJson(value: unknown): string {
  const text = canonicalize(value)
  if (text === undefined) throw new TypeError('the value cannot be represented in JSON')
  return text
}
