/** All classes of later revisions, and how a mutation is made of a class, a document and a seed. */
import { Buffer } from 'node:buffer'
import type { Random } from '../../../test/fixtures/mutations.ts'
import { pick } from './attacker.ts'
import type { Base } from './base.ts'
import { changeBytes, splice } from './byte-changes.ts'
import { ENCRYPTION_CHANGES } from './encryption-changes.ts'
import { FEATURE_CHANGES } from './feature-changes.ts'
import { FILE_CHANGES } from './file-changes.ts'
import { type Change, OBJECT_CHANGES } from './object-changes.ts'
import { emptyPlan, writeRevision } from './revision.ts'
import { BENIGN_CHANGES, type MakeMutant, type Mutant, SIGNED_CHANGES } from './signed-changes.ts'

/** Changes of a plan for one revision, by the name of their class. */
export const PLAN_CHANGES: Readonly<Record<string, Change>> = {
  ...OBJECT_CHANGES,
  ...FILE_CHANGES,
  ...FEATURE_CHANGES,
  ...ENCRYPTION_CHANGES,
}

/** One in this many revisions uses the cross-reference form that the document does not use. */
const OTHER_FORM = 6

function planned(base: Base, random: Random, ...changes: readonly (Change | undefined)[]): Buffer {
  const other = base.form === 'table' ? 'stream' : 'table'
  const plan = emptyPlan(random(OTHER_FORM) === 0 ? other : base.form)
  for (const change of changes) change?.(plan, base, random)
  return writeRevision(base, plan)
}

const anyChange = (random: Random) => PLAN_CHANGES[pick(Object.keys(PLAN_CHANGES), random)]

/** Two changes in one revision. */
const combined: MakeMutant = (base, random) => ({
  bytes: planned(base, random, anyChange(random), anyChange(random)),
})

/** Two revisions, of which the second one may hide or use the first one. */
const twoRevisions: MakeMutant = (base, random) => {
  const first = planned(base, random, anyChange(random))
  const at = first.lastIndexOf('startxref')
  const startXref = Number.parseInt(first.toString('latin1', at + 10, at + 30), 10) || 0
  const between = { ...base, bytes: first, startXref, size: base.size + 100 }
  return { bytes: planned(between, random, anyChange(random)) }
}

const bytesChanged: MakeMutant = async (base, random) => {
  const benign = Object.values(BENIGN_CHANGES)
  const isBenign = random(2) === 0
  const whole = isBenign
    ? (await pick(benign, random)(base, random)).bytes
    : planned(base, random, anyChange(random))
  const tail = whole.toString('latin1', base.bytes.length)
  return { bytes: Buffer.concat([base.bytes, Buffer.from(changeBytes(tail, random), 'latin1')]) }
}

const spliced: MakeMutant = (base, random) => {
  const tails = [0, 1].map(() =>
    planned(base, random, anyChange(random)).subarray(base.bytes.length),
  )
  const tail = splice(tails[0] as Buffer, tails[1] as Buffer, random)
  return { bytes: Buffer.concat([base.bytes, tail]) }
}

/** Every class of later revisions, by its name. */
export const REVISION_CLASSES: Readonly<Record<string, MakeMutant>> = {
  ...Object.fromEntries(
    Object.entries(PLAN_CHANGES).map(([name, change]): [string, MakeMutant] => [
      name,
      (base, random) => ({ bytes: planned(base, random, change) }),
    ]),
  ),
  ...SIGNED_CHANGES,
  'combined/two-changes': combined,
  'combined/two-revisions': twoRevisions,
  'bytes/changed': bytesChanged,
  'bytes/spliced': spliced,
  ...BENIGN_CHANGES,
}

export type { Mutant }
