/** Decides whether an element has the form that DER requires (ITU-T X.690, 10 and 11). */

import { compareOctets, TAG } from './der.ts'
import type { DerElement } from './der-reader.ts'

/**
 * Whether an element is DER and not just BER: shortest definite lengths, primitive strings, sorted
 * SETs, `TRUE` as 0xFF, shortest integers.
 *
 * @throws DerError when something in it is not even BER
 */
export function isDer(element: DerElement): boolean {
  const { tag, content } = element
  const contentLength = content.length
  const headerLength = element.contentStart - element.start
  if (element.end !== element.contentEnd) return false
  if (headerLength !== shortestHeader(contentLength)) return false
  if ((tag & 0xc0) === 0 && (tag & 0x20) !== 0 && tag !== TAG.sequence && tag !== TAG.set) {
    return false
  }
  if (tag === TAG.boolean) return contentLength === 1 && (content[0] === 0 || content[0] === 255)
  if (tag === TAG.integer) return contentLength > 0 && isShortestInteger(content)
  if ((tag & 0x20) === 0) return true
  const { children } = element
  for (let i = 0; i < children.length; i++) {
    if (!isDer(children[i])) return false
    if (tag !== TAG.set || i === 0) continue
    if (compareOctets(children[i - 1].encoded, children[i].encoded) > 0) return false
  }
  return true
}

function shortestHeader(length: number): number {
  if (length < 0x80) return 2
  let octets = 0
  for (let rest = length; rest > 0; rest = Math.floor(rest / 256)) octets++
  return 2 + octets
}

function isShortestInteger(content: Uint8Array): boolean {
  if (content.length === 1) return true
  const signs = ((content[0] << 1) | (content[1] >> 7)) & 0x1ff
  return signs !== 0 && signs !== 0x1ff
}
