/**
 * Finds actions that start without a person who asks for them (ISO 32000-2, 12.6.3 and 12.6.4):
 * scripts, layers and other files can show something else than signers saw.
 */
import { readFields } from '../pdf/acro-form.ts'
import type { PdfDocument } from '../pdf/document.ts'
import { readPages } from '../pdf/page-tree.ts'
import { readPermissions } from '../pdf/permissions.ts'
import { isArray, type PdfDictionary, type PdfValue } from '../pdf/values.ts'
import type { Fault } from './faults.ts'

/** Triggers of a page and of its annotations that showing the page fires (tables 197 and 198). */
const PAGE_TRIGGERS = ['O', 'C'] as const
const ANNOTATION_TRIGGERS = ['PO', 'PC', 'PV', 'PI'] as const

/** What the catalog has that starts by itself, or that hides the pages. */
export interface OpeningParts {
  /** Keys of the catalog. */
  readonly keys: readonly ('AA' | 'Collection' | 'OpenAction')[]
  /** Whether the names of the document have scripts. */
  readonly hasScripts: boolean
}

/** Finds what runs when the document is opened, or what some readers show in place of its pages. */
export function findOpeningParts(document: PdfDocument): OpeningParts {
  const { catalog } = document
  const keys = (['AA', 'Collection', 'OpenAction'] as const).filter((key) => {
    const value = document.resolve(catalog.get(key))
    return value !== null && !(key === 'OpenAction' && isDestination(document, value))
  })
  const names = document.dictionary(catalog.get('Names'))
  return { keys, hasScripts: document.resolve(names?.get('JavaScript')) !== null }
}

/** Whether opening leads to a place in the document and does nothing else. */
function isDestination(document: PdfDocument, value: PdfValue): boolean {
  if (isArray(value)) return true
  const action = document.dictionary(value)
  return (
    document.name(action?.get('S')) === 'GoTo' && document.resolve(action?.get('Next')) === null
  )
}

/**
 * Finds an action that showing a page starts. What opening the document starts counts only in a
 * document that is signed already: before the first signature, signing leaves it out.
 *
 * @throws PadesError as `readPages`
 */
export function findActionFault(document: PdfDocument): Fault | undefined {
  for (const { reference, dictionary } of readPages(document)) {
    if (!startsOnPage(document, dictionary)) continue
    return { code: 'ACTION_AUTOMATIC', object: reference?.number ?? 0, offset: 0 }
  }
  const { keys, hasScripts } = findOpeningParts(document)
  if (keys.length === 0 && !hasScripts) return undefined
  const { signatures } = readPermissions(document, readFields(document))
  return signatures > 0 ? { code: 'ACTION_AUTOMATIC', offset: 0 } : undefined
}

function startsOnPage(document: PdfDocument, page: PdfDictionary): boolean {
  const annotations = document.array(page.get('Annots')) ?? []
  return (
    hasTrigger(document, page, PAGE_TRIGGERS) ||
    annotations.some((annotation) =>
      hasTrigger(document, document.dictionary(annotation), ANNOTATION_TRIGGERS),
    )
  )
}

function hasTrigger(
  document: PdfDocument,
  owner: PdfDictionary | undefined,
  triggers: readonly string[],
): boolean {
  const actions = document.dictionary(owner?.get('AA'))
  return triggers.some((trigger) => document.resolve(actions?.get(trigger)) !== null)
}
