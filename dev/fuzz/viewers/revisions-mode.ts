/** Attacks signed documents with later revisions. */
import { randomFrom } from '../../../test/fixtures/mutations.ts'
import type { Base } from './base.ts'
import {
  compareConfirmed,
  type Drawn,
  type DrawingTable,
  isApprovedAsSigned,
  REFUSED,
} from './judge.ts'
import type { Verdict } from './judge.ts'
import { REVISION_CLASSES, type Mutant } from './mutations.ts'
import type { BaseShelf } from './shelf.ts'

/** One mutation, made and judged. */
export interface Attempt {
  /** Class and document. */
  name: string
  bytes: Mutant['bytes']
  /** Judges the mutation; calls `onValidated` after the validation by the service. */
  judge(onValidated: () => void): Promise<Verdict>
}

/** Signed documents that are attacked, with what viewers draw of them. */
export class SignedTargets {
  readonly #shelf: BaseShelf
  readonly #table: DrawingTable
  readonly #drawn = new Map<Base, Drawn>()

  constructor(shelf: BaseShelf, table: DrawingTable) {
    this.#shelf = shelf
    this.#table = table
  }

  /**
   * Makes a mutation.
   *
   * @param className one of {@link REVISION_CLASSES}
   * @param seed of all that is random in it
   */
  async attempt(className: string, seed: number): Promise<Attempt> {
    const random = randomFrom(seed)
    const base = await this.#shelf.pick(random)
    const make = REVISION_CLASSES[className]
    if (!make) throw new Error(`there is no class ${className}`)
    const mutant = await make(base, random)
    return {
      name: `${className.replace('/', '-')}-${base.name}`,
      bytes: mutant.bytes,
      judge: (onValidated) => this.#judge(base, mutant, onValidated),
    }
  }

  async #judge(base: Base, mutant: Mutant, onValidated: () => void): Promise<Verdict> {
    const isApproved = await isApprovedAsSigned(mutant.bytes)
    onValidated()
    if (!isApproved) return REFUSED
    const before = await this.#before(base)
    const ignored = { allowed: mutant.allowed ?? [], signatures: base.signatureAreas }
    const documents = { before: base.bytes, after: mutant.bytes }
    return { passed: true, ...(await compareConfirmed(this.#table, documents, before, ignored)) }
  }

  async #before(base: Base): Promise<Drawn> {
    const known = this.#drawn.get(base)
    if (known) return known
    if (!(await isApprovedAsSigned(base.bytes))) {
      throw new Error(`${base.name} is not valid before it is attacked`)
    }
    const drawn = await this.#table.draw(base.bytes)
    this.#drawn.set(base, drawn)
    return drawn
  }
}
