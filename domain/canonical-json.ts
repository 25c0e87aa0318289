/** Canonical JSON (RFC 8785): equal values have equal octets. */
import canonicalize from 'canonicalize'

/** @throws TypeError for a value that JSON cannot carry */
export function canonicalJson(value: unknown): string {
  const text = canonicalize(value)
  if (text === undefined) throw new TypeError('the value has no JSON form')
  return text
}
