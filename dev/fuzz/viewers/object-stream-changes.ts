/** Changes of object streams (ISO 32000-2, 7.5.7). */
import type { Random } from '../../../test/fixtures/mutations.ts'
import { attacked, pick, pickTarget, wishFor } from './attacker.ts'
import type { Base } from './base.ts'
import { decoy } from './decoys.ts'
import { type Change, rewrite } from './object-changes.ts'
import type { Plan, PlannedObject, Row } from './revision.ts'

/** One row for each number: the first or the last one. */
function onlyFirst(rows: Row[], random: Random): Row[] {
  const ordered = random(2) === 0 ? rows : [...rows].reverse()
  const seen = new Map<number, Row>()
  for (const row of ordered) if (!seen.has(row.number)) seen.set(row.number, row)
  return [...seen.values()].sort((a, b) => a.number - b.number)
}

/** An object as it was signed and as the attacker wants it, both for an object stream. */
interface Pair {
  honest: PlannedObject
  wicked: PlannedObject
  /** One of the two. */
  first: PlannedObject
  /** The other one. */
  second: PlannedObject
  /** A number that is not used. */
  spare: number
}

type IndexTrick = (plan: Plan, pair: Pair, random: Random) => void

/** Edits the rows that name an object. */
const editRowsOf = (plan: Plan, number: number, edit: (row: Row) => Row): void => {
  plan.editRows.push((rows) => rows.map((row) => (row.number === number ? edit(row) : row)))
}

/** Object streams that readers index differently. */
const INDEX_TRICKS: readonly IndexTrick[] = [
  (plan, { first, second }) => plan.objects.push(first, second),
  (plan, { first, second, spare }) => {
    // The row names the other index.
    plan.objects.push(first, { ...second, number: spare })
    editRowsOf(plan, first.number, (row) => (row.type === 2 ? { ...row, third: 1 } : row))
  },
  (plan, { first, second, spare }) => {
    plan.objects.push(first, { ...second, number: spare })
    plan.editPacked.push((packed) => {
      const [a, atA, b, atB] = packed.head.trim().split(' ')
      return { ...packed, head: `${b} ${atA} ${a} ${atB}\n` }
    })
  },
  (plan, { honest, wicked }, random) => {
    plan.objects.push(honest)
    const shift = pick([-1, 1, honest.body.length + 1], random)
    plan.editPacked.push((packed) => ({
      head: packed.head,
      data: packed.data + wicked.body,
      entries: packed.entries.replace(/\/First (\d+)/, (_, at) => `/First ${Number(at) + shift}`),
    }))
  },
  (plan, { wicked }, random) => {
    plan.objects.push(wicked)
    const entry = pick(['/Extends 2 0 R', '/N 0', '/First 0', '/N 99'], random)
    plan.editPacked.push((packed) => ({ ...packed, entries: `${packed.entries} ${entry}` }))
  },
  (plan, { honest, wicked }, random) => {
    plan.objects.push(honest)
    const at = pick([1, 2, honest.body.length + 1], random)
    plan.editPacked.push((packed) => ({
      ...packed,
      data: `${honest.body}\n${wicked.body}`,
      head: packed.head.replace(/ 0\n/, ` ${at}\n`),
    }))
  },
  (plan, { first, second }, random) => {
    // Listed as plain in a revision where the container holds it too.
    plan.objects.push(first, { ...second, isPacked: false })
    plan.editRows.push((rows) => onlyFirst(rows, random))
  },
  (plan, { first }, random) => {
    plan.objects.push(first)
    const third = pick([1, 7, 65_535], random)
    editRowsOf(plan, first.number, (row) => ({ ...row, third }))
  },
]

/** An object stream that two readers index differently. */
function objectStream(plan: Plan, base: Base, random: Random): void {
  plan.form = 'stream'
  const target = pickTarget(base, random, 'page', 'pages', 'catalog', 'resources', 'font', 'form')
  const evil = attacked(target, wishFor(plan, base, target, random))
  const honest = { number: target.number, generation: 0, body: target.source, isPacked: true }
  const wicked = { ...honest, body: evil }
  const isHonestFirst = random(2) === 0
  const pair = {
    honest,
    wicked,
    first: isHonestFirst ? honest : wicked,
    second: isHonestFirst ? wicked : honest,
    spare: base.size + 60,
  }
  pick(INDEX_TRICKS, random)(plan, pair, random)
}

/** A compressed object in place of a plain one, and the reverse. */
function otherKind(plan: Plan, base: Base, random: Random): void {
  plan.form = 'stream'
  const target = pickTarget(base, random, 'page', 'pages', 'catalog', 'font', 'resources', 'form')
  const isEvil = random(2) === 0
  const evil = attacked(target, wishFor(plan, base, target, random))
  const object = rewrite(plan, target, isEvil ? evil : target.source)
  object.isPacked = random(3) > 0
  if (isEvil && random(2) === 0) return
  decoy(plan, base, target, random)
}

/** Changes by class name. */
export const OBJECT_STREAM_CHANGES: Readonly<Record<string, Change>> = {
  'object-stream/index': objectStream,
  'object-stream/other-kind': otherKind,
}
