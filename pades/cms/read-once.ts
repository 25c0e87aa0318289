/**
 * Keeps what was read of octets that come with one document after another: certificates of
 * authorities, and what they say of revocations.
 */
import { hash } from 'node:crypto'

/** Maximum number of kept values of each kind. */
const MAX_KEPT = 300
/** What is larger, such as an authority's list of thousands, is kept only with its own octets. */
const MAX_OCTETS = 16_384

/**
 * The same reader, but that equal octets give the same object; so that what is learnt of it, such
 * as whether a signature is right, can be kept with it.
 *
 * @param read its result must not be changed by callers, nor the octets; an error is not kept
 */
export function readOnce<T>(read: (der: Uint8Array) => T): (der: Uint8Array) => T {
  const kept = new Map<string, T>()
  const large = new WeakMap<Uint8Array, { readonly value: T }>()
  const readLarge = (der: Uint8Array): T => {
    const known = large.get(der) ?? { value: read(der) }
    large.set(der, known)
    return known.value
  }
  return (der) => {
    if (der.length > MAX_OCTETS) return readLarge(der)
    const sha256 = hash('sha256', der)
    const known = kept.get(sha256)
    if (known !== undefined) return known
    // A copy: the octets may be part of a file that must not be kept.
    const value = read(new Uint8Array(der))
    const [oldest] = kept.keys()
    if (kept.size >= MAX_KEPT && oldest !== undefined) kept.delete(oldest)
    kept.set(sha256, value)
    return value
  }
}
