/**
 * Writes DER: tag, length and content of the types that signatures need (ITU-T X.690, 8 and 10).
 */

/** Tags of X.680, with the constructed bit where the type is constructed. */
export const TAG = {
  boolean: 0x01,
  integer: 0x02,
  bitString: 0x03,
  octetString: 0x04,
  null: 0x05,
  objectIdentifier: 0x06,
  enumerated: 0x0a,
  utf8String: 0x0c,
  printableString: 0x13,
  teletexString: 0x14,
  ia5String: 0x16,
  utcTime: 0x17,
  generalizedTime: 0x18,
  visibleString: 0x1a,
  bmpString: 0x1e,
  sequence: 0x30,
  set: 0x31,
  /** Context-specific and primitive, number 0. */
  context: 0x80,
  /** Context-specific and constructed, number 0. */
  contextConstructed: 0xa0,
} as const

const encoder = new TextEncoder()

function lengthOctets(length: number): number {
  if (length < 0x80) return 1
  if (length < 0x100) return 2
  if (length < 0x10000) return 3
  return length < 0x1000000 ? 4 : 5
}

/** One element: `tag`, the length of `parts`, and `parts` one after another. */
export function tlv(tag: number, ...parts: readonly Uint8Array[]): Uint8Array {
  let length = 0
  for (const part of parts) length += part.length
  const header = 1 + lengthOctets(length)
  const out = new Uint8Array(header + length)
  out[0] = tag
  if (header === 2) {
    out[1] = length
  } else {
    out[1] = 0x80 | (header - 2)
    for (let i = header - 1, rest = length; i > 1; i--, rest >>>= 8) out[i] = rest & 0xff
  }
  let at = header
  for (const part of parts) {
    out.set(part, at)
    at += part.length
  }
  return out
}

export const sequence = (...parts: readonly Uint8Array[]) => tlv(TAG.sequence, ...parts)
export const octetString = (content: Uint8Array) => tlv(TAG.octetString, content)
export const utf8String = (text: string) => tlv(TAG.utf8String, encoder.encode(text))
export const printableString = (text: string) => tlv(TAG.printableString, encoder.encode(text))
export const NULL = tlv(TAG.null)
export const TRUE = tlv(TAG.boolean, Uint8Array.of(0xff))

/** `[number] EXPLICIT`, or `[number] IMPLICIT` of a constructed type when given its content. */
export const contextConstructed = (number: number, ...parts: readonly Uint8Array[]) =>
  tlv(TAG.contextConstructed | number, ...parts)

/** `[number] IMPLICIT` of a primitive type. */
export const contextPrimitive = (number: number, content: Uint8Array) =>
  tlv(TAG.context | number, content)

/** Order of SET OF: by octets, a prefix before what it begins (X.690, 11.6). */
export function compareOctets(a: Uint8Array, b: Uint8Array): number {
  const common = Math.min(a.length, b.length)
  for (let i = 0; i < common; i++) {
    if (a[i] !== b[i]) return a[i] - b[i]
  }
  return a.length - b.length
}

/** Elements in the order that DER demands of a SET OF. */
export const sortedSet = (elements: readonly Uint8Array[]) => [...elements].sort(compareOctets)

/** SET OF, sorted. */
export const setOf = (...elements: readonly Uint8Array[]) => tlv(TAG.set, ...sortedSet(elements))

/** INTEGER of a non-negative number, or of unsigned big-endian octets. */
export function integer(value: number | Uint8Array): Uint8Array {
  const octets = typeof value === 'number' ? octetsOf(value) : withoutLeadingZeros(value)
  return octets[0] >= 0x80 ? tlv(TAG.integer, Uint8Array.of(0), octets) : tlv(TAG.integer, octets)
}

function octetsOf(value: number): Uint8Array {
  const octets: number[] = []
  for (let rest = value; rest > 0; rest = Math.floor(rest / 256)) octets.unshift(rest % 256)
  return Uint8Array.from(octets.length === 0 ? [0] : octets)
}

/** Unsigned octets in their shortest form; zero is one octet. */
export function withoutLeadingZeros(octets: Uint8Array): Uint8Array {
  let start = 0
  while (start < octets.length - 1 && octets[start] === 0) start++
  return octets.length === 0 ? Uint8Array.of(0) : octets.subarray(start)
}

/** BIT STRING of whole octets, or with `unusedBits` at its end. */
export const bitString = (content: Uint8Array, unusedBits = 0) =>
  tlv(TAG.bitString, Uint8Array.of(unusedBits), content)

/** OBJECT IDENTIFIER of dotted decimals. */
export function objectIdentifier(dotted: string): Uint8Array {
  // Arcs below 2.25 are UUIDs: 128 bits (ITU-T X.667).
  const [first = 0n, second = 0n, ...rest] = dotted.split('.').map(BigInt)
  const octets: number[] = []
  for (const arc of [first * 40n + second, ...rest]) {
    const base128 = [Number(arc % 128n)]
    for (let high = arc / 128n; high > 0n; high /= 128n) {
      base128.unshift(Number(high % 128n) | 0x80)
    }
    octets.push(...base128)
  }
  return tlv(TAG.objectIdentifier, Uint8Array.from(octets))
}

/** GeneralizedTime in UTC, milliseconds only when there are some (X.690, 11.7). */
export function generalizedTime(time: Date): Uint8Array {
  const [seconds = '', fraction = ''] = time
    .toISOString()
    .replace(/[-:TZ]/g, '')
    .split('.')
  const digits = fraction.replace(/0+$/, '')
  return tlv(TAG.generalizedTime, encoder.encode(`${seconds}${digits && `.${digits}`}Z`))
}

/** Time of X.509: UTCTime until 2049, then GeneralizedTime, whole seconds (RFC 5280, 4.1.2.5). */
export function certificateTime(time: Date): Uint8Array {
  const whole = new Date(Math.floor(time.getTime() / 1000) * 1000)
  const year = whole.getUTCFullYear()
  if (year < 1950 || year > 2049) return generalizedTime(whole)
  const digits = whole.toISOString().slice(2, 19).replace(/[-:T]/g, '')
  return tlv(TAG.utcTime, encoder.encode(`${digits}Z`))
}
