/**
 * Judges the page tree: readers reach a page by Kids, by Count or by Parent, and must arrive at the
 * same (ISO 32000-2, 7.7.3).
 */
import type { PdfDocument } from '../pdf/document.ts'
import { MAX_DEPTH, MAX_PAGE_NODES } from '../pdf/limits.ts'
import { readPages } from '../pdf/page-tree.ts'
import {
  isArray,
  isDictionary,
  type PdfDictionary,
  PdfReference,
  PdfStream,
  type PdfValue,
} from '../pdf/values.ts'
import type { Fault } from './faults.ts'

interface OpenNode {
  readonly reference: PdfReference
  readonly dictionary: PdfDictionary
  readonly kids: readonly PdfValue[]
  readonly promised: number
  next: number
  pages: number
}

/** @returns the first node on which readers may differ; undefined when there is none */
export function findPageTreeFault(document: PdfDocument): Fault | undefined {
  const root = document.catalog.get('Pages')
  const fault = ({ number }: PdfReference): Fault => ({
    code: 'PAGE_TREE_ODD',
    object: number,
    offset: 0,
  })
  if (!(root instanceof PdfReference)) return { code: 'PAGE_TREE_ODD', offset: 0 }
  const first = openNode(document, root)
  // MuPDF looks for what pages inherit above the root, and finds no end of a loop.
  if (!first || first.dictionary.has('Parent')) return fault(root)
  const open: OpenNode[] = [first]
  const inTree = new Set<number>([root.number])
  for (let node = open.at(-1); node; node = open.at(-1)) {
    if (node.next === node.kids.length) {
      if (node.pages !== node.promised) return fault(node.reference)
      open.pop()
      const parent = open.at(-1)
      if (parent) parent.pages += node.pages
      continue
    }
    const kid = node.kids[node.next]
    node.next += 1
    if (!(kid instanceof PdfReference)) return fault(node.reference)
    const dictionary = document.dictionary(kid)
    const parent = dictionary?.get('Parent')
    const isChild = parent instanceof PdfReference && parent.number === node.reference.number
    const isAlike = dictionary && isTurnedAlike(document, dictionary)
    if (!isAlike || !isChild || inTree.has(kid.number)) return fault(kid)
    inTree.add(kid.number)
    if (inTree.size > MAX_PAGE_NODES || open.length > MAX_DEPTH) return fault(kid)
    const type = document.name(dictionary.get('Type'))
    if (type === 'Page' && !dictionary.has('Kids')) {
      if (!hasKnownKinds(document, dictionary)) return fault(kid)
      node.pages += 1
      continue
    }
    const below = type === 'Pages' ? openNode(document, kid) : undefined
    if (!below) return fault(kid)
    open.push(below)
  }
  return undefined
}

/** Poppler, for one, does not show a page whose annotations are not an array. */
function hasKnownKinds(document: PdfDocument, page: PdfDictionary): boolean {
  const [annotations, contents, resources] = ['Annots', 'Contents', 'Resources'].map((key) =>
    document.resolve(page.get(key)),
  )
  // Poppler and Ghostscript draw nothing of a page with an empty part.
  const parts = isArray(contents) ? contents.map((part) => document.resolve(part)) : []
  const isKnownContents = contents === null || contents instanceof PdfStream || isArray(contents)
  return (
    isKnownContents &&
    (annotations === null || isArray(annotations)) &&
    parts.every((part) => part instanceof PdfStream) &&
    (resources === null || isDictionary(resources))
  )
}

/**
 * Finds a page whose size readers may take differently (14.11.2).
 *
 * @throws PadesError as `readPages`
 */
export function findPageSizeFault(document: PdfDocument): Fault | undefined {
  const page = readPages(document).find(({ hasOddSize }) => hasOddSize)
  return page && { code: 'PAGE_SIZE_ODD', object: page.reference?.number ?? 0, offset: 0 }
}

/** Colour spaces of a group that keep colours apart (ISO 32000-2, 11.4.7). */
const COLOUR_SPACES: ReadonlySet<string> = new Set(['DeviceRGB', 'DeviceCMYK', 'CalRGB'])
const COLOUR_COMPONENTS: ReadonlySet<number | undefined> = new Set([3, 4])

/**
 * Finds a page whose group blends in grey. MuPDF shows such a page in grey, pdf.js in colours;
 * Ghostscript shows it in colours until something on it is transparent, such as a signature.
 *
 * @throws PadesError as `readPages`
 */
export function findPageGroupFault(document: PdfDocument): Fault | undefined {
  const page = readPages(document).find(({ dictionary }) => {
    const group = document.resolve(dictionary.get('Group'))
    return isDictionary(group) && !keepsColours(document, document.resolve(group.get('CS')))
  })
  return page && { code: 'PAGE_GROUP_ODD', object: page.reference?.number ?? 0, offset: 0 }
}

function keepsColours(document: PdfDocument, space: PdfValue): boolean {
  if (space === null) return true
  const [family, profile] = isArray(space) ? space : [space]
  const name = document.name(family)
  if (name !== 'ICCBased') return name !== undefined && COLOUR_SPACES.has(name)
  const stream = document.resolve(profile)
  return (
    stream instanceof PdfStream &&
    COLOUR_COMPONENTS.has(document.integer(stream.dictionary.get('N')))
  )
}

const RIGHT_ANGLE_DEGREES = 90

/** Readers round another angle in different ways, or ignore it. */
function isTurnedAlike(document: PdfDocument, dictionary: PdfDictionary): boolean {
  if (!dictionary.has('Rotate')) return true
  const angle = document.integer(dictionary.get('Rotate'))
  return angle !== undefined && angle % RIGHT_ANGLE_DEGREES === 0
}

function openNode(document: PdfDocument, reference: PdfReference): OpenNode | undefined {
  const dictionary = document.dictionary(reference)
  const kids = document.array(dictionary?.get('Kids'))
  const promised = document.integer(dictionary?.get('Count'))
  const isNode = document.name(dictionary?.get('Type')) === 'Pages'
  if (!dictionary || !kids || promised === undefined || !isNode) return undefined
  return { reference, dictionary, kids, promised, next: 0, pages: 0 }
}
