/** Attacks signed documents with later revisions. */
import { type Random, randomFrom } from '../../../test/fixtures/mutations.ts'
import { pick } from './attacker.ts'
import type { Base } from './base.ts'
import type { LazyBase } from './documents.ts'
import {
  compareDrawn,
  type Drawn,
  type DrawingTable,
  isApprovedAsSigned,
  REFUSED,
} from './judge.ts'
import type { Verdict } from './judge.ts'
import { REVISION_CLASSES, type Mutant } from './mutations.ts'

/** Documents are picked so often until one can be signed. */
const MAXIMUM_PICKS = 100

/** One mutation, made and judged. */
export interface Attempt {
  /** Class and document. */
  name: string
  bytes: Mutant['bytes']
  /** Judges; `onValidated` is called when the service has said what it thinks. */
  judge(onValidated: () => void): Promise<Verdict>
}

/** Signed documents that are attacked, with what viewers draw of them. */
export class SignedTargets {
  readonly #lazy: readonly LazyBase[]
  readonly #table: DrawingTable
  readonly #opened = new Map<LazyBase, Promise<Base | undefined>>()
  readonly #drawn = new Map<Base, Drawn>()

  constructor(bases: readonly LazyBase[], table: DrawingTable) {
    this.#lazy = bases
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
    const base = await this.#pick(random)
    const make = REVISION_CLASSES[className]
    if (!make) throw new Error(`there is no class ${className}`)
    const mutant = await make(base, random)
    return {
      name: `${className.replace('/', '-')}-${base.name}`,
      bytes: mutant.bytes,
      judge: (onValidated) => this.#judge(base, mutant, onValidated),
    }
  }

  /** One that can be signed; real documents may not be. */
  async #pick(random: Random): Promise<Base> {
    for (let left = MAXIMUM_PICKS; left > 0; left--) {
      const lazy = pick(this.#lazy, random)
      const opened = this.#opened.get(lazy) ?? lazy.open()
      this.#opened.set(lazy, opened)
      const base = await opened
      if (base) return base
    }
    throw new Error('none of the documents can be signed')
  }

  async #judge(base: Base, mutant: Mutant, onValidated: () => void): Promise<Verdict> {
    const isApproved = await isApprovedAsSigned(mutant.bytes)
    onValidated()
    if (!isApproved) return REFUSED
    const before = await this.#before(base)
    const after = await this.#table.draw(mutant.bytes)
    const ignored = { allowed: mutant.allowed ?? [], signatures: base.signatureAreas }
    return { passed: true, ...compareDrawn(before, after, ignored) }
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
