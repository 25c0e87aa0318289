/**
 * Judges what later revisions added to the structure tree of a tagged document (ISO 32000-2, 14.7).
 *
 * A program that signs a tagged document gives each new widget a structure element. The tree paints
 * nothing, but screen readers and copied text follow it: only elements of new widgets may come, and
 * they say nothing of their own.
 */
import type { PdfDocument } from '../pdf/document.ts'
import { isArray, isDictionary, isInteger, PdfReference } from '../pdf/values.ts'
import type { PdfArray, PdfDictionary, PdfValue } from '../pdf/values.ts'
import { differingKeys, sameValue } from './compare-values.ts'
import { appendedTo, referrersOf, valueOf } from './differences.ts'
import type { Differences, Referrer } from './differences.ts'
import type { History } from './history.ts'

/** Nodes of one tree; a book has some ten thousand. */
const MAX_NODES = 200_000

/** Keys that lead from one node of the tree to another: also to arrays that are objects. */
const WAYS_DOWN = ['K', 'ParentTree', 'Kids', 'Nums'] as const
const STRUCTURE_PATH = /^(?:(?:StructTreeRoot|K|P|ParentTree|Kids|Nums)(?:\.|$))*$/

/** Entries of an element for a widget; it has no text of its own (14.9). */
const ELEMENT_KEYS: ReadonlySet<string> = new Set(['Type', 'S', 'P', 'Pg', 'K'])
const OBJECT_REFERENCE_KEYS: ReadonlySet<string> = new Set(['Type', 'Obj', 'Pg'])

/** Object numbers of the tree as it was signed; undefined when it is too large. */
function nodesOf(document: PdfDocument): Set<number> | undefined {
  const nodes = new Set<number>()
  const open: PdfValue[] = [document.catalog.get('StructTreeRoot') ?? null]
  for (let value = open.pop(); value !== undefined; value = open.pop()) {
    if (nodes.size + open.length > MAX_NODES) return undefined
    if (value instanceof PdfReference) {
      if (nodes.has(value.number)) continue
      nodes.add(value.number)
      open.push(document.resolve(value))
    } else if (isArray(value)) {
      open.push(...value)
    } else if (isDictionary(value) && document.name(value.get('Type')) !== 'OBJR') {
      open.push(...WAYS_DOWN.flatMap((key) => value.get(key) ?? []))
    }
  }
  return nodes
}

/** Permits changed nodes of the tree to which only elements of new widgets were added. */
export function judgeStructure(differences: Differences, history: History): void {
  const { before, after, changed, permitted, newWidgets } = differences
  const root = after.trailer.get('Root')
  const hasTree = before.catalog.has('StructTreeRoot') && root instanceof PdfReference
  if (!hasTree || newWidgets.size === 0 || changed.size === 0) return
  const nodes = nodesOf(before)
  if (!nodes) return
  const judge = new StructureJudge(differences, nodes)
  const isOwner = ({ source, path }: Referrer) =>
    STRUCTURE_PATH.test(path) &&
    (nodes.has(source) || (source === root.number && path.startsWith('StructTreeRoot')))
  for (const number of changed) {
    if (permitted.has(number) || !nodes.has(number)) continue
    const isOnlyNode = referrersOf(differences, history, number).every(isOwner)
    if (isOnlyNode && judge.grew(valueOf(before, number), valueOf(after, number))) {
      permitted.add(number)
    }
  }
}

class StructureJudge {
  readonly #differences: Differences
  readonly #nodes: ReadonlySet<number>

  constructor(differences: Differences, nodes: ReadonlySet<number>) {
    this.#differences = differences
    this.#nodes = nodes
  }

  /** Whether a node is what it was, apart from new elements below it. */
  grew(old: PdfValue, current: PdfValue): boolean {
    if (isArray(old) && isArray(current)) {
      return this.#kidsGrew(old, current) || this.#numbersGrew(old, current)
    }
    if (!isDictionary(old) || !isDictionary(current)) return false
    return differingKeys(old, current).every((key) => this.#entryGrew(key, old, current))
  }

  #entryGrew(key: string, old: PdfDictionary, current: PdfDictionary): boolean {
    const [before, after] = [old.get(key) ?? null, current.get(key) ?? null]
    if (key === 'K') return this.#kidsGrew(before, after)
    if (key === 'Nums') return isArray(before) && isArray(after) && this.#numbersGrew(before, after)
    if (key === 'ParentTree') return isDictionary(before) && this.grew(before, after)
    if (key === 'ParentTreeNextKey') {
      return isInteger(before) && isInteger(after) && after > before
    }
    return key === 'Limits' && limitsGrew(before, after)
  }

  /** One kid, or an array of kids, to which new elements were added (table 355). */
  #kidsGrew(old: PdfValue, current: PdfValue): boolean {
    if (!isArray(current)) return false
    const onlyKid = old === null ? [] : [old]
    const kids = isArray(old) ? old : onlyKid
    const added = appendedTo(kids, current)
    return added?.every((kid) => this.#isNewElement(kid)) ?? false
  }

  /** Pairs of a number and an element, ascending (7.9.7). */
  #numbersGrew(old: PdfArray, current: PdfArray): boolean {
    const added = appendedTo(old, current)
    if (!added || added.length % 2 !== 0 || old.length % 2 !== 0) return false
    let last = old.at(-2) ?? -1
    for (let at = 0; at < added.length; at += 2) {
      const number = added[at]
      if (!isInteger(number) || !isInteger(last) || number <= last) return false
      if (!this.#isNewElement(added[at + 1])) return false
      last = number
    }
    return true
  }

  /** An element `Form` with nothing but the reference to a new widget (14.7.5.3, 14.8.4.8.3). */
  #isNewElement(value: PdfValue): boolean {
    const { after, added } = this.#differences
    if (!(value instanceof PdfReference) || !added.has(value.number)) return false
    const element = after.resolve(value)
    if (!isDictionary(element)) return false
    const parent = element.get('P')
    return (
      [...element.keys()].every((key) => ELEMENT_KEYS.has(key)) &&
      after.name(element.get('S')) === 'Form' &&
      parent instanceof PdfReference &&
      this.#nodes.has(parent.number) &&
      this.#isWidget(after.resolve(element.get('K')))
    )
  }

  #isWidget(kid: PdfValue): boolean {
    const { after, newWidgets } = this.#differences
    const kids = isArray(kid) ? kid.map((one) => after.resolve(one)) : [kid]
    const [reference] = kids
    if (kids.length !== 1 || !isDictionary(reference)) return false
    const widget = reference.get('Obj')
    return (
      [...reference.keys()].every((key) => OBJECT_REFERENCE_KEYS.has(key)) &&
      after.name(reference.get('Type')) === 'OBJR' &&
      widget instanceof PdfReference &&
      newWidgets.has(widget.number)
    )
  }
}

/** The least and the greatest number of a node: more may be above, none below. */
function limitsGrew(old: PdfValue, current: PdfValue): boolean {
  if (!isArray(old) || !isArray(current) || current.length !== 2) return false
  const [low, high] = [old[1], current[1]]
  return sameValue(old[0], current[0]) && isInteger(low) && isInteger(high) && high >= low
}
