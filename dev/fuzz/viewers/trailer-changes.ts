/** Changes of trailers and of the ends of revisions (ISO 32000-2, 7.5.5, 7.5.6). */
import type { Random } from '../../../test/fixtures/mutations.ts'
import { add, attacked, pick, pickTarget, wishFor } from './attacker.ts'
import type { Base, BaseObject } from './base.ts'
import { type Change, rewrite } from './object-changes.ts'
import type { Plan } from './revision.ts'

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

/** Changes of the part after the trailer: `startxref` and the end of the file. */
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

/** Changes by class name. */
export const TRAILER_CHANGES: Readonly<Record<string, Change>> = {
  'trailer/added-entry': trailer,
  'trailer/value': trailerValue,
  'trailer/end-of-file': fileEnd,
}
