/** The contents of one page, tagged or as artifacts (ISO 32000-2, 14.6 and 14.8.2.2). */
import type { StructureElement } from './structure.ts'

/** The element that an operator draws, or the kind of artifact, which screen readers skip. */
export type Purpose = StructureElement | 'decoration' | 'pagination'

const ARTIFACTS = {
  decoration: '/Artifact BMC',
  pagination: '/Artifact <</Type /Pagination>> BDC',
} as const

/** The contents of one page, with the purpose of the last of them. */
export class PageContents {
  readonly operators: string[] = []
  #last: Purpose | undefined
  #marked = 0

  /** Adds operators; what follows of the same purpose goes into the same marked content. */
  add(operators: string, purpose: Purpose, page: number): void {
    if (this.#last === purpose) {
      this.operators.splice(-1, 0, operators)
      return
    }
    this.#last = purpose
    this.operators.push(this.#begin(purpose, page), operators, 'EMC')
  }

  #begin(purpose: Purpose, page: number): string {
    if (typeof purpose === 'string') return ARTIFACTS[purpose]
    const id = this.#marked++
    purpose.parts.push({ page, id })
    return `/${purpose.type} <</MCID ${id}>> BDC`
  }
}
