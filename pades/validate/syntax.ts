/**
 * Whether every reader must understand the signed revisions, and what was appended to them, alike
 * (ISO 32000-2, clause 7). Where they need not, nothing can be said about changes.
 */
import type { PdfDocument } from '../pdf/document.ts'
import { judgeAppended } from '../syntax/appended.ts'
import type { Fault } from '../syntax/faults.ts'
import { SyntaxJudge } from '../syntax/judge.ts'
import { ObjectVersions } from '../syntax/versions.ts'
import { entriesOf, type Revision } from './revisions.ts'

/** Verdicts on the syntax of a document, by the number of sections that came after a revision. */
export interface SyntaxVerdicts {
  readonly versions: ObjectVersions
  /**
   * Numbers of the objects that the judged revisions show; undefined when readers may differ in
   * that.
   */
  readonly shown: ReadonlySet<number> | undefined
  /** Why readers may see different things in the revision; undefined when all see the same. */
  ambiguityOf(revision: Revision): Fault | undefined
  /** What is odd in the revisions that follow; undefined when nothing is. */
  appendedFaultOf(revision: Revision): Fault | undefined
}

/**
 * Judges signed revisions that are not the last of the document, and all that follows the first of
 * them. A revision that is the last shows what was signed, however it is read.
 *
 * @param revisions that signatures close
 * @throws PadesError `LIMIT_EXCEEDED`, `TOO_MANY_OBJECTS`
 */
export function judgeSyntax(document: PdfDocument, revisions: readonly Revision[]): SyntaxVerdicts {
  const versions = new ObjectVersions(document)
  const followed = revisions
    .filter(({ newer }) => newer.length > 0)
    .sort((a, b) => b.newer.length - a.newer.length)
  const ambiguities = new Map<number, Fault | undefined>()
  const judge = new SyntaxJudge(document, { versions })
  let judgedTo = document.sections.length
  for (const { document: state, newer } of followed) {
    const count = newer.length
    if (ambiguities.has(count)) continue
    const between = entriesOf(document.sections.slice(count, judgedTo))
    const named = judgedTo === document.sections.length ? [] : between.keys()
    ambiguities.set(count, judge.judge(state, named))
    judgedTo = count
  }
  const [oldest] = followed
  const appended = oldest
    ? judgeAppended(document, oldest.document, oldest.newer.length, versions)
    : []
  const isAmbiguous = [...ambiguities.values()].some(Boolean)
  return {
    versions,
    shown: isAmbiguous ? undefined : new Set([...judge.judged].map(({ number }) => number)),
    ambiguityOf: ({ newer }) => ambiguities.get(newer.length),
    appendedFaultOf: ({ newer }) => appended.slice(0, newer.length).find(Boolean),
  }
}
