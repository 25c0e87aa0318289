/**
 * Judges optional content (ISO 32000-2, 8.11). Readers evaluate layers, their memberships and their
 * usages differently: only content that is visible by every rule is shown by all.
 */
import type { PdfDocument } from '../../pdf/document.ts'
import { MAX_DEPTH } from '../../pdf/limits.ts'
import { isArray, isDictionary, type PdfDictionary, type PdfValue } from '../../pdf/values.ts'
import type { Fault } from '../faults.ts'

/** States of a layer by the use of the document; some readers take one, some another (8.11.4.4). */
const USAGES = [
  ['View', 'ViewState'],
  ['Print', 'PrintState'],
  ['Export', 'ExportState'],
] as const
/** Usages that depend on the reader and its user. */
const PERSONAL_USAGES = ['Zoom', 'Language', 'User'] as const
/** Policies that hide nothing when every layer is on; they differ when one is off. */
const SHOWING_POLICIES: ReadonlySet<string | undefined> = new Set(['AnyOn', 'AllOn'])
const SHOWING_OPERATORS: ReadonlySet<string | undefined> = new Set(['And', 'Or'])

/**
 * Finds a layer that is off, or that can be by its usage.
 *
 * @returns undefined when every layer is on for every reader, on the screen and printed
 */
export function findLayerFault(document: PdfDocument): Fault | undefined {
  const properties = document.dictionary(document.catalog.get('OCProperties'))
  if (!properties) return undefined
  // MuPDF begins with the first of the other configurations.
  const others = document.array(properties.get('Configs')) ?? []
  const configurations = [properties.get('D'), ...others].map((one) => document.dictionary(one))
  const isOn = configurations.every((one) => !one || hidesNothing(document, one))
  if (!isOn) return { code: 'LAYER_HIDDEN', offset: 0 }
  const groups = document.array(properties.get('OCGs')) ?? []
  const areOn = groups.every((group) => isAlwaysOn(document, document.dictionary(group)))
  return areOn ? undefined : { code: 'LAYER_HIDDEN', offset: 0 }
}

const VIEWED: ReadonlySet<string | undefined> = new Set(['All', 'View'])

/** MuPDF hides layers that are not made to be viewed (table 96). */
function isViewed(document: PdfDocument, entries: PdfDictionary | undefined): boolean {
  const intent = document.resolve(entries?.get('Intent'))
  const intents = isArray(intent) ? intent : [intent]
  return intent === null || intents.some((one) => VIEWED.has(document.name(one)))
}

function hidesNothing(document: PdfDocument, configuration: PdfDictionary): boolean {
  const off = document.array(configuration.get('OFF')) ?? []
  if (!isViewed(document, configuration)) return false
  return document.name(configuration.get('BaseState')) !== 'OFF' && off.length === 0
}

function isAlwaysOn(document: PdfDocument, group: PdfDictionary | undefined): boolean {
  if (!isViewed(document, group)) return false
  const usage = document.dictionary(group?.get('Usage'))
  if (!usage) return true
  const stateOf = (kind: string, key: string) =>
    document.name(document.dictionary(usage.get(kind))?.get(key))
  return (
    USAGES.every(([kind, key]) => stateOf(kind, key) !== 'OFF') &&
    PERSONAL_USAGES.every((kind) => document.resolve(usage.get(kind)) === null)
  )
}

/**
 * Judges a membership of layers that are all on.
 *
 * @param entries any dictionary
 * @returns whether every reader shows what belongs to it
 */
export function isShownMembership(document: PdfDocument, entries: PdfDictionary): boolean {
  if (document.name(entries.get('Type')) !== 'OCMD') return true
  const policy = document.resolve(entries.get('P'))
  if (policy !== null && !SHOWING_POLICIES.has(document.name(policy))) return false
  const expression = document.resolve(entries.get('VE'))
  return (
    hasGroups(document, document.resolve(entries.get('OCGs'))) &&
    (expression === null || isShownExpression(document, expression))
  )
}

/** PDFium shows what belongs to an empty list of layers; other readers hide it. */
function hasGroups(document: PdfDocument, groups: PdfValue): boolean {
  if (groups === null) return true
  const list = isArray(groups) ? groups : [groups]
  return list.length > 0 && list.every((group) => isGroup(document, group))
}

function isGroup(document: PdfDocument, value: PdfValue): boolean {
  const group = document.resolve(value)
  return isDictionary(group) && document.name(group.get('Type')) === 'OCG'
}

/** Layers joined by And and Or, at least one; MuPDF and Ghostscript ignore expressions. */
function isShownExpression(document: PdfDocument, value: PdfValue, depth = 0): boolean {
  if (depth > MAX_DEPTH) return false
  const expression = document.resolve(value)
  if (!isArray(expression)) return isGroup(document, expression)
  const [operator, ...operands] = expression
  return (
    SHOWING_OPERATORS.has(document.name(operator)) &&
    operands.length > 0 &&
    operands.every((operand) => isShownExpression(document, operand, depth + 1))
  )
}
