/** The documents that are attacked, each made when it is first picked. */
import type { Random } from '../../../test/fixtures/mutations.ts'
import { pick } from './attacker.ts'
import type { Base } from './base.ts'

/** A document that is made when it is first needed. */
export interface LazyBase {
  readonly name: string
  /** Undefined when the document cannot be signed. */
  readonly open: () => Promise<Base | undefined>
}

/** Maximum attempts to pick a document that can be signed. */
const MAXIMUM_PICKS = 100
/** One in this many documents is a real one. */
const REAL_ONES = 3

/** Documents, each made at most once. */
export class BaseShelf {
  readonly #own: readonly LazyBase[]
  readonly #real: readonly LazyBase[]
  readonly #opened = new Map<LazyBase, Promise<Base | undefined>>()

  constructor(own: readonly LazyBase[], real: readonly LazyBase[] = []) {
    this.#own = own
    this.#real = real
  }

  /** One that can be signed; real documents may not be. */
  async pick(random: Random): Promise<Base> {
    for (let left = MAXIMUM_PICKS; left > 0; left--) {
      const isReal = this.#own.length === 0 || (this.#real.length > 0 && random(REAL_ONES) === 0)
      const lazy = pick(isReal ? this.#real : this.#own, random)
      const opening = this.#opened.get(lazy) ?? lazy.open()
      this.#opened.set(lazy, opening)
      const base = await opening
      if (base) return base
    }
    throw new Error('none of the documents can be signed')
  }
}
