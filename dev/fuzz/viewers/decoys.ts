/** Objects that a revision writes and its cross-reference does not list. */
import type { Random } from '../../../test/fixtures/mutations.ts'
import { add, attacked, wishFor } from './attacker.ts'
import type { Base, BaseObject } from './base.ts'
import type { Plan } from './revision.ts'

/** Writes the attacker's object as a decoy, which the honest cross-reference does not list. */
export function decoy(plan: Plan, base: Base, target: BaseObject, random: Random): void {
  const body = attacked(target, wishFor(plan, base, target, random))
  const { number, generation } = target
  plan.objects.push({ number, generation, body, isUnlisted: true })
}

/** Makes sure that the revision lists something. */
export function addSomething(plan: Plan, base: Base): void {
  if (plan.objects.every(({ isUnlisted }) => isUnlisted)) add(plan, base, '(nothing)')
}
