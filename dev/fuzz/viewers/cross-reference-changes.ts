/** Changes of cross-reference sections of all forms (ISO 32000-2, 7.5.4, 7.5.8). */
import type { Random } from '../../../test/fixtures/mutations.ts'
import { add, attacked, pick, pickTarget, wishFor } from './attacker.ts'
import type { Base } from './base.ts'
import { addSomething, decoy } from './decoys.ts'
import { type Change, rewrite } from './object-changes.ts'
import { type Plan, streamOf } from './revision.ts'

/** A row for the signed object with an offset near it, to a decoy, or to nothing. */
function rowElsewhere(plan: Plan, base: Base, random: Random): void {
  const target = pickTarget(base, random)
  decoy(plan, base, target, random)
  addSomething(plan, base)
  const { number, generation } = target
  const shift = pick([0, 0, -10, -4, -2, -1, 1, 2, 4, 10], random)
  const original = base.bytes.lastIndexOf(`\n${number} ${generation} obj`) + 1
  const isOriginal = random(2) === 0
  plan.editRows.push((rows, offsets) => {
    const second = (isOriginal ? original : (offsets.get(number) ?? 0)) + shift
    const others = rows.filter((row) => row.number !== number)
    const row = { number, type: 1, second, third: pick([generation, 1, 65_535], random) }
    return [...others, row].sort((a, b) => a.number - b.number)
  })
}

/** The same number in two rows: of one subsection or of two (7.5.4). */
function rowTwice(plan: Plan, base: Base, random: Random): void {
  const target = pickTarget(base, random)
  decoy(plan, base, target, random)
  const { number, generation } = target
  const original = base.bytes.lastIndexOf(`\n${number} ${generation} obj`) + 1
  plan.editRows.push((rows, offsets) => {
    const honest = { number, type: 1, second: original, third: generation }
    const evil = { number, type: 1, second: offsets.get(number) ?? 0, third: generation }
    const free = { number, type: 0, second: 0, third: generation + 1 }
    const pairs = [
      [honest, evil],
      [evil, honest],
      [free, evil],
      [evil, free],
      [free, honest],
      [honest, free],
    ]
    return [...rows, ...pick(pairs, random)].sort((a, b) =>
      random(4) === 0 ? b.number - a.number : a.number - b.number,
    )
  })
}

/** Hybrid-reference files: the table and the stream contradict each other (7.5.8.4). */
function hybrid(plan: Plan, base: Base, random: Random): void {
  plan.form = 'table'
  const target = pickTarget(base, random, 'page', 'pages', 'catalog', 'stream', 'font', 'resources')
  const { number, generation } = target
  decoy(plan, base, target, random)
  add(plan, base, '(nothing)')
  const streamNumber = base.size + 50
  const original = base.bytes.lastIndexOf(`\n${number} ${generation} obj`) + 1
  const way = random(5)
  plan.editRows.push((rows, offsets) => {
    const evilAt = offsets.get(number) ?? 0
    const others = rows.filter((row) => row.number !== number && row.number !== streamNumber)
    const row = { number, type: way % 2, second: way === 0 ? 0 : original, third: generation }
    const row2 = way === 3 ? { ...row, type: 1, second: evilAt } : row
    return (way === 4 ? others : [...others, row2]).sort((a, b) => a.number - b.number)
  })
  const source = (at: number) => {
    const bytes = [1, at >>> 24, (at >>> 16) & 255, (at >>> 8) & 255, at & 255, 0, generation]
    const data = String.fromCharCode(...(way === 3 ? [0, 0, 0, 0, 0, 0, 1] : bytes))
    return streamOf(data, `/Type /XRef /W [1 4 2] /Index [${number} 1] /Size ${base.size}`)
  }
  // The offset of the decoy is known: it is written first of all.
  const decoyAt = base.bytes.length + decoyOffset(plan, number)
  const hidden = { number: streamNumber, generation: 0, body: source(decoyAt) }
  plan.objects.push(hidden)
  let at = 0
  plan.editRows.push((rows, offsets) => {
    at = offsets.get(streamNumber) ?? 0
    return rows
  })
  plan.editTrailer.push((entries) => `${entries} /XRefStm ${at}`)
}

/** Offset, from the start of the revision, of the last object with the number. */
function decoyOffset(plan: Plan, number: number): number {
  let at = 0
  let found = 0
  for (const object of plan.objects.filter(({ isPacked }) => !isPacked)) {
    if (object.number === number) found = at
    const header = object.header ?? `${object.number} ${object.generation} obj\n`
    at += header.length + object.body.length + (object.footer ?? '\nendobj\n').length
  }
  return found
}

/** Rows of tables in other spellings. */
function rowSpelling(plan: Plan, base: Base, random: Random): void {
  plan.form = 'table'
  const target = pickTarget(base, random)
  rewrite(plan, target, attacked(target, wishFor(plan, base, target, random)))
  const { number } = target
  plan.editRows.push((rows) =>
    rows.map((row) => {
      if (row.number !== number) return row
      const [a, b] = [String(row.second).padStart(10, '0'), String(row.third).padStart(5, '0')]
      const text = pick(
        [
          `${a} ${b} n\n`,
          `${a} ${b} n  \n`,
          `${a} ${b} n`,
          `${a} ${b} N \n`,
          `${a} ${b} f \n`,
          `${a} ${b} F \n`,
          `${a} ${b} x \n`,
          `${a} ${b}   \n`,
          `${a}  ${b} n\n`,
          `${row.second} ${row.third} n \n`,
          `${a} ${b} n\r\n`,
          `${a} ${b} n\r`,
          `${a} ${b} n%\n`,
          `+${a.slice(1)} ${b} n \n`,
          `-${a.slice(1)} ${b} n \n`,
          `${a.slice(0, 9)}x ${b} n \n`,
          `${a} ${b} nf\n`,
          `${a}.${b} n \n`,
          `\n${a} ${b} n \n`,
        ],
        random,
      )
      return { ...row, text }
    }),
  )
}

/** Subsections with other heads and counts. */
function subsections(plan: Plan, base: Base, random: Random): void {
  plan.form = 'table'
  const target = pickTarget(base, random)
  const evil = attacked(target, wishFor(plan, base, target, random))
  if (random(2) === 0) rewrite(plan, target, evil)
  else {
    decoy(plan, base, target, random)
    addSomething(plan, base)
  }
  const edits: readonly ((text: string) => string)[] = [
    (text) => text.replace(/\n(\d+) (\d+)\n/, (_, a, b) => `\n${a} ${Number(b) + 1}\n`),
    (text) => text.replace(/\n(\d+) (\d+)\n/, (_, a, b) => `\n${Number(a) + 1} ${b}\n`),
    (text) => text.replace(/\n(\d+) (\d+)\n/, (_, a, b) => `\n${Number(a) - 1} ${b}\n`),
    (text) => text.replace(/\n(\d+) (\d+)\n/, '\n$1 0\n'),
    (text) => text.replace(/\n(\d+) (\d+)\n/, '\n$1 $2 '),
    (text) => text.replace(/\n(\d+) (\d+)\n/, '\n$1 $2 0\n'),
    (text) => text.replace('xref\n', 'xref\n0 0\n'),
    (text) => text.replace('xref\n', 'xref '),
    (text) => text.replace('xref\n', 'xref\n%\n'),
    (text) => text.replace('xref\n', 'xref\n\n\n'),
    (text) => text.replace('xref\n', ' xref\n'),
    (text) => text.replace('xref\n', 'xref\n0 1\n0000000000 65535 f \n'),
    (text) => `${text}${text.replace('xref\n', '')}`,
    (text) => `${text}0 1\n`,
    (text) => text.replace(/\n(\d+) (\d+)\n/, '\n+$1 $2\n'),
  ]
  plan.editTable.push(pick(edits, random))
}

/** Frees objects that are in use. */
function freed(plan: Plan, base: Base, random: Random): void {
  const target = pickTarget(base, random)
  addSomething(plan, base)
  const third = pick([0, 1, 65_535], random)
  plan.editRows.push((rows) =>
    [...rows, { number: target.number, type: 0, second: 0, third }].sort(
      (a, b) => a.number - b.number,
    ),
  )
}

/** Cross-reference types that no reader knows, and fields of odd widths (7.5.8.3). */
function rowType(plan: Plan, base: Base, random: Random): void {
  plan.form = 'stream'
  const target = pickTarget(base, random)
  rewrite(plan, target, attacked(target, wishFor(plan, base, target, random)))
  const type = pick([0, 2, 3, 4, 255], random)
  if (random(2) === 0) {
    plan.editRows.push((rows) =>
      rows.map((row) => (row.number === target.number ? { ...row, type } : row)),
    )
    return
  }
  const edits: readonly ((text: string) => string)[] = [
    (text) => `${text} /W [1 4 2 0]`,
    (text) => `${text} /W [0 5 2]`,
    (text) => `${text} /W [1 4 1]`,
    (text) => `${text} /Index [0 ${base.size}]`,
    (text) => `${text} /Filter null`,
    (text) => `${text} /DecodeParms << /Predictor 12 /Columns 7 >>`,
    (text) => text.replace(/\/Index \[(\d+)/, (_, a) => `/Index [${Number(a) + 1}`),
    (text) => text.replace(/\/Index \[/, '/Index [0 0 '),
  ]
  plan.editTrailer.push(pick(edits, random))
}

/** Changes by class name. */
export const CROSS_REFERENCE_CHANGES: Readonly<Record<string, Change>> = {
  'cross-reference/elsewhere': rowElsewhere,
  'cross-reference/number-twice': rowTwice,
  'cross-reference/hybrid': hybrid,
  'cross-reference/row-spelling': rowSpelling,
  'cross-reference/subsections': subsections,
  'cross-reference/freed': freed,
  'cross-reference/row-type': rowType,
}
