/**
 * Judges what later revisions changed after a signature, failing closed: what is not known to be
 * harmless is not permitted (ISO 32000-2, 12.8.2.2 and 12.8.4; EN 319 142-1, 5.4).
 */

import type { SignatureRules } from '../pdf/signature-rules.ts'
import { findDifferences } from './differences.ts'
import type { Differences, ModificationContext } from './differences.ts'
import type { History } from './history.ts'
import type { ModificationsReport } from './report.ts'
import type { Revision } from './revisions.ts'
import type { SyntaxVerdicts } from './syntax.ts'
import { judgeCatalog } from './catalog-changes.ts'
import { levelOf, listChanges, MAX_CHANGES } from './list-changes.ts'
import { findShownAnnotations, judgePages } from './page-changes.ts'
import { judgeTrailer } from './trailer-changes.ts'

/**
 * What later revisions did to the revision that a signature closes.
 *
 * First every object that differs is found; then each judge below permits those that it knows to be
 * harmless, or refuses a place that is not an object of its own. What none of them
 * permits is a change. A second signer, for example, writes five objects:
 *
 * | object | differs | permitted by |
 * |---|---|---|
 * | catalog | `AcroForm.Fields` has one more item | `judgeCatalog`, `judgeForm` |
 * | page | `Annots` has one more item | `judgePages`: it is the new field's widget |
 * | field with its widget, signature, appearance | are new | reached only through the field |
 *
 * The level is then `FORM_FILLING`. If the page had another `Contents` too, no judge would permit
 * it, and the level would be `OTHER`.
 */
export function judgeModifications(
  revision: Revision,
  context: ModificationContext,
): ModificationsReport {
  const { docMdp } = context.rules
  const base = docMdp === undefined ? {} : { docMdp }
  const isNewest = revision.newer.length === 0 && context.history.straddling.length === 0
  if (isNewest) return { ...base, level: 'NONE', changes: [] }
  const { syntax, history } = context
  const differences = findDifferences(revision, context.document, syntax.versions)
  judgeAppendedSyntax(differences, revision, syntax)
  findShownAnnotations(differences, history)
  judgeTrailer(differences, history)
  judgeCatalog(differences, context)
  judgePages(differences, history)
  judgeNumbers(differences)
  judgeOpenEnds(differences, revision, history)
  judgeRules(differences, context.rules)
  const changes = listChanges(differences, context.permitsFormFilling)
  const level = levelOf(differences, changes)
  const filledFields = [...new Set(differences.filled.values())].slice(0, MAX_CHANGES)
  const isFilled = level === 'FORM_FILLING' && filledFields.length > 0
  return { ...base, level, changes, ...(isFilled && { filledFields }) }
}

/** What the signature itself forbids (12.8.2.2.2, table 257; 12.8.2.4). */
function judgeRules({ verdicts, refused }: Differences, { docMdp, locks }: SignatureRules): void {
  for (const { isDocumentTimeStamp, isNew, fieldName, widgets } of verdicts) {
    if (isDocumentTimeStamp) continue
    if (locks(fieldName)) refused.push(`${widgets[0]}.FieldMDP`)
    if (docMdp === 1 || (docMdp === 2 && isNew)) refused.push(`${widgets[0]}.DocMDP`)
  }
}

/** What was appended is written by the letter, also where nothing that was signed changed. */
function judgeAppendedSyntax(
  { after, added, refused, versions }: Differences,
  revision: Revision,
  syntax: SyntaxVerdicts,
): void {
  const fault = syntax.appendedFaultOf(revision)
  if (fault) refused.push(`${fault.object ?? 0}.syntax.${fault.code}`)
  for (const number of added) {
    const odd = versions.versionIn(after, number)?.fault
    if (odd) refused.push(`${number}.syntax.${odd.code}`)
  }
}

/** `90` and `90.0` are one number to this library; some readers ignore the second. */
function judgeNumbers({ before, after, versions, permitted, refused }: Differences): void {
  for (const number of permitted) {
    const old = versions.versionIn(before, number)?.wholeReals ?? []
    const current = versions.versionIn(after, number)?.wholeReals ?? []
    if (old.toSorted().join(' ') !== current.toSorted().join(' ')) refused.push(`${number}.number`)
  }
}

/** References of the signed revision into what came later, and objects that reach beyond it. */
function judgeOpenEnds(
  { added, formerReferrers, refused }: Differences,
  { newer }: Revision,
  history: History,
): void {
  for (const { source, sourceSection, path, target } of history.forwardReferences) {
    const isSigned = sourceSection >= newer.length
    if (isSigned && added.has(target)) refused.push(`${source}.${path}`)
  }
  for (const target of added) {
    for (const { source, path } of formerReferrers.get(target) ?? []) {
      refused.push(`${source}.${path}`)
    }
  }
  for (const number of history.straddling) refused.push(String(number))
}
