/**
 * Changes of the file structure: object streams, cross-reference sections, trailers, ends of
 * revisions (ISO 32000-2, 7.5).
 */
import type { Random } from '../../../test/fixtures/mutations.ts'
import { add, attacked, pick, pickTarget, wishFor } from './attacker.ts'
import type { Base, BaseObject } from './base.ts'
import { type Change, rewrite } from './object-changes.ts'
import { type Plan, type Row, streamOf } from './revision.ts'

/** Writes the attacker's object as a decoy, which the honest cross-reference does not list. */
function decoy(plan: Plan, base: Base, target: BaseObject, random: Random): void {
  const body = attacked(target, wishFor(plan, base, target, random))
  const { number, generation } = target
  plan.objects.push({ number, generation, body, isUnlisted: true })
}

/** Makes sure that the revision lists something. */
function addSomething(plan: Plan, base: Base): void {
  if (plan.objects.every(({ isUnlisted }) => isUnlisted)) add(plan, base, '(nothing)')
}

/** Object streams that readers index differently (7.5.7). */
function objectStream(plan: Plan, base: Base, random: Random): void {
  plan.form = 'stream'
  const target = pickTarget(base, random, 'page', 'pages', 'catalog', 'resources', 'font', 'form')
  const evil = attacked(target, wishFor(plan, base, target, random))
  const { number, source } = target
  const honest = { number, generation: 0, body: source, isPacked: true }
  const wicked = { ...honest, body: evil }
  const [first, second] = random(2) === 0 ? [honest, wicked] : [wicked, honest]
  switch (random(8)) {
    case 0:
      plan.objects.push(first, second)
      break
    case 1: {
      // The rows name the other index.
      plan.objects.push(first, { ...second, number: base.size + 60 })
      plan.editRows.push((rows) =>
        rows.map((row) => (row.number === number && row.type === 2 ? { ...row, third: 1 } : row)),
      )
      break
    }
    case 2:
      plan.objects.push(first, { ...second, number: base.size + 60 })
      plan.editPacked.push((packed) => {
        const pairs = packed.head.trim().split(' ')
        return { ...packed, head: `${[pairs[2], pairs[1], pairs[0], pairs[3]].join(' ')}\n` }
      })
      break
    case 3:
      plan.objects.push(honest)
      plan.editPacked.push((packed) => ({
        ...packed,
        head: packed.head,
        data: packed.data + evil,
        entries: packed.entries.replace(/\/First (\d+)/, (_, text) => {
          return `/First ${Number(text) + pick([-1, 1, source.length + 1], random)}`
        }),
      }))
      break
    case 4:
      plan.objects.push(wicked)
      plan.editPacked.push((packed) => ({
        ...packed,
        entries: `${packed.entries} ${pick(['/Extends 2 0 R', '/N 0', '/First 0', '/N 99'], random)}`,
      }))
      break
    case 5:
      plan.objects.push(honest)
      plan.editPacked.push((packed) => ({
        ...packed,
        data: `${source}\n${evil}`,
        head: packed.head.replace(/ 0\n/, ` ${pick([1, 2, source.length + 1], random)}\n`),
      }))
      break
    case 6:
      // Listed as plain in a revision where the container holds it too.
      plan.objects.push(first, { number, generation: 0, body: second.body })
      plan.editRows.push((rows) => onlyFirst(rows, random))
      break
    default:
      plan.objects.push(first)
      plan.editRows.push((rows) =>
        rows.map((row) =>
          row.number === number ? { ...row, third: pick([1, 7, 65_535], random) } : row,
        ),
      )
  }
}

/** One row for each number: the first or the last one. */
function onlyFirst(rows: Row[], random: Random): Row[] {
  const ordered = random(2) === 0 ? rows : [...rows].reverse()
  const seen = new Map<number, Row>()
  for (const row of ordered) if (!seen.has(row.number)) seen.set(row.number, row)
  return [...seen.values()].sort((a, b) => a.number - b.number)
}

/** A row for the signed object which leads near it, to a decoy, or nowhere. */
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

/** Hybrid-reference files: the table and the stream tell different stories (7.5.8.4). */
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

/** How far behind the start of the revision the last object with a number is written. */
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

/** Trailers and dictionaries of cross-reference streams with ambiguous entries. */
function trailer(plan: Plan, base: Base, random: Random): void {
  const root = base.objects.find(({ number }) => number === base.rootNumber) as BaseObject
  const evilRoot = add(plan, base, attacked(root, wishFor(plan, base, root, random)))
  const extra = pick(
    [
      `/Root ${evilRoot} 0 R`,
      `/R#6fot ${evilRoot} 0 R`,
      `> /Root ${evilRoot} 0 R`,
      `<< /Root ${evilRoot} 0 R`,
      `[ /Root ${evilRoot} 0 R`,
      `/Zz /Root ${evilRoot} 0 R`,
      `null /Root ${evilRoot} 0 R`,
      `/Root null`,
      `/Root ${base.rootNumber} 1 R`,
      `/Prev 0`,
      `/Prev ${base.startXref}.0`,
      `/Prev null`,
      `/Prev -1`,
      `/Size 3`,
      `/Size 0`,
      `/Size 99999999`,
      `/XRefStm 0`,
      `/XRefStm ${base.startXref}`,
      `/Encrypt << /Filter /Standard /V 1 /R 2 /O () /U () /P -4 >>`,
      `/Type /Nothing`,
      `/W [1 4 1]`,
      `/Index [0 1]`,
      '/Length 0',
      '/Info null',
      '/ID [() ()]',
    ],
    random,
  )
  plan.editTrailer.push((entries) =>
    random(2) === 0 ? `${extra} ${entries}` : `${entries} ${extra}`,
  )
}

/** The value of an entry of the trailer is replaced. */
function trailerValue(plan: Plan, base: Base, random: Random): void {
  const root = base.objects.find(({ number }) => number === base.rootNumber) as BaseObject
  const evilRoot = add(plan, base, attacked(root, wishFor(plan, base, root, random)))
  const own = base.startXref ?? 0
  const edits: readonly ((text: string) => string)[] = [
    (text) => text.replace(/\/Root \d+ 0 R/, `/Root ${evilRoot} 0 R`),
    (text) => text.replace(/\/Root (\d+) 0 R/, `/Root $1 0 R ${evilRoot} 0 R`),
    (text) => text.replace(/\/Root (\d+) 0 R/, '/Root $1 1 R'),
    (text) => text.replace(/\/Root (\d+) 0 R/, '/Root << /Type /Catalog >>'),
    (text) => text.replace(/\/Root (\d+) 0 R/, ''),
    (text) => text.replace(/\/Prev \d+/, ''),
    (text) => text.replace(/\/Prev \d+/, `/Prev ${own + pick([-2, -1, 1, 2], random)}`),
    (text) => text.replace(/\/Prev \d+/, `/Prev ${own} 0 R`),
    (text) => text.replace(/\/Prev \d+/, `/Prev ${base.bytes.length + 10}`),
    (text) => text.replace(/\/Prev \d+/, `/Prev +${own}`),
    (text) => text.replace(/\/Prev \d+/, `/Prev ${own + 4_294_967_296}`),
    (text) => text.replace(/\/Prev \d+/, `/Prev ${firstXref(base)}`),
    (text) => text.replace(/\/Size \d+/, `/Size ${pick([0, 1, 5, base.size], random)}`),
    (text) => text.replace(/\/Size \d+/, '/Size -1'),
    (text) => text.replace(/\/Info \d+ 0 R/, `/Info ${evilRoot} 0 R`),
    (text) => text.replace('/ID', '/ID#'),
  ]
  plan.editTrailer.push(pick(edits, random))
}

/** Offset of the oldest cross-reference section. */
function firstXref(base: Base): number {
  const at = base.bytes.indexOf('startxref')
  return Number.parseInt(base.bytes.toString('latin1', at + 10, at + 30), 10)
}

/** What follows the trailer: `startxref` and the end of the file. */
function fileEnd(plan: Plan, base: Base, random: Random): void {
  const target = pickTarget(base, random)
  rewrite(plan, target, attacked(target, wishFor(plan, base, target, random)))
  const old = base.startXref ?? 0
  const edits: readonly ((text: string, at: number) => string)[] = [
    () => `startxref\n${old}\n%%EOF\n`,
    (text) => `startxref\n${old}\n%%EOF\n${text}`,
    (text) => `${text}startxref\n${old}\n%%EOF\n`,
    (text) => `${text}startxref\n${old}\n`,
    (_, at) => `startxref\n${at}\n`,
    () => '',
    (_, at) => `startxref\n${at + pick([-3, -1, 1, 3], random)}\n%%EOF\n`,
    (_, at) => `startxref ${at} %%EOF`,
    (_, at) => `startxref\n${at}\n%%EOF\n%PDF-1.7\n`,
    (_, at) => `startxref\n${at}\n%%EOF${'\n'.repeat(1100)}`,
    (_, at) => `startxref\n${at}\n%%EOF\n${'x'.repeat(2000)}`,
    (text) => `${text}${text}`,
    (_, at) => `startxref\n%${old}\n${at}\n%%EOF\n`,
    (_, at) => `startxref\n0${at}\n%% EOF\n`,
    (_, at) => `startxref\n${at}.5\n%%EOF\n`,
    (_, at) => `startxref\n${at} ${old}\n%%EOF\n`,
    (_, at) => `startxref\n-${at}\n%%EOF\n`,
    () => `startxref\n0\n%%EOF\n`,
    (text) => `trailer\n<< /Root 1 0 R /Size 9 >>\n${text}`,
    (text) => `${text}trailer\n<< /Root 1 0 R /Size 9 >>\n`,
  ]
  plan.editEnd.push(pick(edits, random))
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

/** By the name of their class. */
export const FILE_CHANGES: Readonly<Record<string, Change>> = {
  'object-stream/index': objectStream,
  'object-stream/other-kind': otherKind,
  'cross-reference/elsewhere': rowElsewhere,
  'cross-reference/number-twice': rowTwice,
  'cross-reference/hybrid': hybrid,
  'cross-reference/row-spelling': rowSpelling,
  'cross-reference/subsections': subsections,
  'cross-reference/freed': freed,
  'cross-reference/row-type': rowType,
  'trailer/added-entry': trailer,
  'trailer/value': trailerValue,
  'trailer/end-of-file': fileEnd,
}
