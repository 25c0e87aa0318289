/** Reads DER, and BER where real files use it, with bounds on depth and size (ITU-T X.690). */

const MAX_DEPTH = 40
/** Elements read at one level; the largest real CMS has a few hundred. */
const MAX_CHILDREN = 20_000

/** The bytes are not the ASN.1 that was expected; callers turn it into a result or a PadesError. */
export class DerError extends Error {
  override name = 'DerError'
}

interface Extent {
  contentStart: number
  contentEnd: number
  end: number
}

function extentOf(source: Uint8Array, start: number, limit: number, depth: number): Extent {
  if (depth > MAX_DEPTH) throw new DerError('nested too deeply')
  if (start + 2 > limit) throw new DerError('ends too early')
  if ((source[start] & 0x1f) === 0x1f) throw new DerError('tag number above 30')
  const first = source[start + 1]
  if (first === 0x80) return indefiniteExtent(source, start, limit, depth)
  let contentStart = start + 2
  let length = first
  if (first > 0x80) {
    const octets = first & 0x7f
    if (octets > 6) throw new DerError('length too large')
    if (contentStart + octets > limit) throw new DerError('ends too early')
    length = 0
    for (let i = 0; i < octets; i++) length = length * 256 + source[contentStart++]
  }
  const end = contentStart + length
  if (end > limit) throw new DerError('longer than what holds it')
  return { contentStart, contentEnd: end, end }
}

function indefiniteExtent(source: Uint8Array, start: number, limit: number, depth: number): Extent {
  if ((source[start] & 0x20) === 0) throw new DerError('primitive of indefinite length')
  let at = start + 2
  for (let count = 0; count < MAX_CHILDREN; count++) {
    if (at + 2 > limit) throw new DerError('ends too early')
    if (source[at] === 0 && source[at + 1] === 0) {
      return { contentStart: start + 2, contentEnd: at, end: at + 2 }
    }
    at = extentOf(source, at, limit, depth + 1).end
  }
  throw new DerError('too many elements')
}

/** One element of ASN.1 in the bytes that hold it; what is inside is read when asked for. */
export class DerElement {
  readonly source: Uint8Array
  readonly start: number
  readonly contentStart: number
  readonly contentEnd: number
  readonly end: number
  readonly depth: number
  #children: DerElement[] | undefined

  constructor(source: Uint8Array, start: number, limit: number, depth: number) {
    const extent = extentOf(source, start, limit, depth)
    this.source = source
    this.start = start
    this.contentStart = extent.contentStart
    this.contentEnd = extent.contentEnd
    this.end = extent.end
    this.depth = depth
  }

  /** The identifier octet. */
  get tag(): number {
    return this.source[this.start]
  }

  /** Tag, length and content. */
  get encoded(): Uint8Array {
    return this.source.subarray(this.start, this.end)
  }

  /** The content octets, not copied. */
  get content(): Uint8Array {
    return this.source.subarray(this.contentStart, this.contentEnd)
  }

  /** @throws DerError when the content is not a series of elements */
  get children(): readonly DerElement[] {
    if (this.#children) return this.#children
    if ((this.tag & 0x20) === 0) throw new DerError('a primitive has no elements')
    const children: DerElement[] = []
    for (let at = this.contentStart; at < this.contentEnd;) {
      if (children.length >= MAX_CHILDREN) throw new DerError('too many elements')
      const child = new DerElement(this.source, at, this.contentEnd, this.depth + 1)
      children.push(child)
      at = child.end
    }
    this.#children = children
    return children
  }

  /** @throws DerError when there is no such element */
  child(index: number): DerElement {
    const child = this.children[index]
    if (!child) throw new DerError(`element ${index} is missing`)
    return child
  }

  /** This element, when its tag is the expected one. @throws DerError */
  as(tag: number): DerElement {
    if (this.tag !== tag) throw new DerError(`tag ${this.tag} where ${tag} was expected`)
    return this
  }
}

/** Reads the element that `bytes` begins with, whatever follows it. @throws DerError */
export const readFirstElement = (bytes: Uint8Array) => new DerElement(bytes, 0, bytes.length, 0)

/** Reads one element that fills `bytes`. @throws DerError */
export function readDer(bytes: Uint8Array): DerElement {
  const element = readFirstElement(bytes)
  if (element.end < bytes.length) throw new DerError('bytes after the end')
  return element
}

/**
 * Reads one element that only zero octets follow, as in the `/Contents` of a PDF signature.
 *
 * @throws DerError
 */
export function readPaddedDer(bytes: Uint8Array): DerElement {
  const element = readFirstElement(bytes)
  if (bytes.subarray(element.end).some((octet) => octet !== 0)) {
    throw new DerError('bytes after the end')
  }
  return element
}
