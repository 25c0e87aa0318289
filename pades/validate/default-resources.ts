/**
 * Judges whether the default resources and the default appearance of a form may change after a
 * signature (ISO 32000-2, 12.7.3, 12.7.4.3): only where nothing is drawn with what changed.
 */

import { Buffer } from 'node:buffer'
import { readFields } from '../pdf/acro-form.ts'
import type { PdfDocument } from '../pdf/document.ts'
import { MAX_DEPTH } from '../pdf/limits.ts'
import { readPages } from '../pdf/page-tree.ts'
import { PdfString } from '../pdf/values.ts'
import type { PdfDictionary, PdfValue } from '../pdf/values.ts'
import { sameValue } from './compare-values.ts'

/** How text fields look by default: nothing shows it in a form of signatures alone. */
export function hasIdleDefaults(before: PdfDocument): boolean {
  return (
    readFields(before).every(({ type }) => type === 'Sig') &&
    annotationsOf(before).every((one) => !isDrawnByDefaults(before, one))
  )
}

/**
 * Whether a later default appearance changes nothing: every field has one of its own, and an
 * appearance stream that is drawn.
 *
 * @param form as it was signed
 */
export function hasUnusedAppearance(before: PdfDocument, form: PdfDictionary): boolean {
  return (
    drawsOwnAppearances(before, form) &&
    textsOf(before).every((one) => defaultsAlong(before, one).length > 0)
  )
}

/** Categories of resources to which names may be added. */
const GROWING: ReadonlySet<string> = new Set(['Font', 'Encoding'])

/**
 * Whether default resources only got further fonts, whose names no default appearance has, in a
 * form whose fields all have an appearance stream.
 *
 * @param form as it was signed
 * @param current the later resources
 */
export function resourcesOnlyGrew(
  before: PdfDocument,
  form: PdfDictionary,
  after: PdfDocument,
  current: PdfValue | undefined,
): boolean {
  const old: PdfDictionary = before.dictionary(form.get('DR')) ?? new Map()
  const resources = after.dictionary(current)
  if (!resources || !drawsOwnAppearances(before, form)) return false
  const used = usedNames(before, form)
  return [...new Set([...old.keys(), ...resources.keys()])].every((category) => {
    const [oldValue, value] = [old.get(category), resources.get(category)]
    if (sameValue(oldValue, value)) return true
    const oldNames: PdfDictionary = before.dictionary(oldValue) ?? new Map()
    const names = after.dictionary(value)
    if (!GROWING.has(category) || !names) return false
    if (oldValue !== undefined && !before.dictionary(oldValue)) return false
    return (
      [...oldNames].every(([name, one]) => sameValue(one, names.get(name))) &&
      [...names.keys()].every((name) => oldNames.has(name) || used?.has(name) === false)
    )
  })
}

function annotationsOf(document: PdfDocument): PdfDictionary[] {
  return readPages(document).flatMap(({ dictionary }) =>
    (document.array(dictionary.get('Annots')) ?? []).flatMap(
      (one) => document.dictionary(one) ?? [],
    ),
  )
}

/** Readers draw widgets that no form lists, and texts without appearance, with the defaults. */
function isDrawnByDefaults(document: PdfDocument, annotation: PdfDictionary): boolean {
  const subtype = document.name(annotation.get('Subtype'))
  if (subtype === 'FreeText') return !annotation.has('AP')
  const parent = document.dictionary(annotation.get('Parent'))
  const type = document.name(annotation.get('FT') ?? parent?.get('FT'))
  return subtype === 'Widget' && type !== 'Sig'
}

/** Widgets and free texts that a reader may draw with defaults, on a page or not. */
function textsOf(document: PdfDocument): PdfDictionary[] {
  const widgets = readFields(document).flatMap(({ type, dictionary }) => {
    if (type === 'Sig') return []
    const kids = document.array(dictionary.get('Kids'))
    return kids ? kids.flatMap((kid) => document.dictionary(kid) ?? []) : [dictionary]
  })
  const shown = annotationsOf(document).filter((one) => isDrawnByDefaults(document, one))
  return [...new Set([...widgets, ...shown])]
}

/** Without NeedAppearances, a reader draws the appearance stream of a widget that has one. */
function drawsOwnAppearances(before: PdfDocument, form: PdfDictionary): boolean {
  return (
    before.resolve(form.get('NeedAppearances') ?? false) === false &&
    textsOf(before).every((one) => before.dictionary(one.get('AP'))?.has('N'))
  )
}

/** Default appearances of an annotation, its field, and the fields above it. */
function defaultsAlong(document: PdfDocument, annotation: PdfDictionary): PdfValue[] {
  const found: PdfValue[] = []
  let node: PdfDictionary | undefined = annotation
  for (let depth = 0; node && depth < MAX_DEPTH; depth++) {
    const value = node.get('DA')
    if (value !== undefined) found.push(value)
    node = document.dictionary(node.get('Parent'))
  }
  return found
}

/** Names in all default appearances; undefined when one of them cannot be read. */
function usedNames(document: PdfDocument, form: PdfDictionary): Set<string> | undefined {
  const names = new Set<string>()
  const values = textsOf(document).flatMap((one) => defaultsAlong(document, one))
  for (const value of [form.get('DA') ?? [], ...values].flat()) {
    const text = document.resolve(value)
    if (!(text instanceof PdfString)) return undefined
    const source = Buffer.from(text.bytes).toString('latin1')
    // A text in UTF-16 has octets between the letters of a name.
    if (/[^\t\n\r -~]/.test(source)) return undefined
    for (const [, name = ''] of source.matchAll(/\/([^\s/()<>[\]{}%]+)/g)) {
      names.add(
        name.replace(/#([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(+`0x${hex}`)),
      )
    }
  }
  return names
}
