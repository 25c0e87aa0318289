/** Changes of single objects: their syntax, their headers, their streams (ISO 32000-2, 7.3). */
import type { Random } from '../../../test/fixtures/mutations.ts'
import { attacked, BLACK, pick, pickTarget, wishFor } from './attacker.ts'
import type { Base, BaseObject } from './base.ts'
import { type Plan, type PlannedObject, streamOf } from './revision.ts'
import { DICTIONARY_TRICKS, takeApart, trickValue } from './syntax.ts'

/** Changes a plan for a revision of the base. */
export type Change = (plan: Plan, base: Base, random: Random) => void

/** Puts an object into the plan, first of all, in place of the existing object with its number. */
export function rewrite(plan: Plan, target: BaseObject, body: string): PlannedObject {
  const { number, generation } = target
  const object: PlannedObject = { number, generation, body }
  plan.objects = [object, ...plan.objects.filter((other) => other.number !== number)]
  return object
}

/** A change of an object's source by a trick with its dictionary. */
function dictionaryChange(name: string): Change {
  return (plan, base, random) => {
    const target = pickTarget(base, random)
    const wish = wishFor(plan, base, target, random)
    const parts = takeApart(target.source, wish)
    const trick = DICTIONARY_TRICKS[name]
    const changed =
      parts && trick
        ? trick(parts, random) + parts.rest
        : trickValue(target.source, wish.evil, random)
    rewrite(plan, target, changed)
  }
}

/** The attacker's object behind, before or inside the one that was signed. */
function secondValue(plan: Plan, base: Base, random: Random): void {
  const target = pickTarget(base, random)
  const evil = attacked(target, wishFor(plan, base, target, random))
  const { source, number, generation } = target
  const header = `${number} ${generation} obj`
  const body = pick(
    [
      `${source}\n${evil}`,
      `${evil}\n${source}`,
      `${source}\nendobj\n${header}\n${evil}`,
      `${evil}\nendobj\n${header}\n${source}`,
      `${source}\n${header}\n${evil}`,
      `${header}\n${evil}\n${source}`,
      `${source} endobj ${evil}`,
      `${source}\n%${evil.replaceAll('\n', ' ')}`,
      `%\r${evil}\n${source}`,
      `${source}\n1 0 R`,
      `null ${evil}`,
      `${source}\nendstream\nendobj\n${header}\n${evil}`,
      `${source}\nxref\n0 1\n${evil}`,
    ],
    random,
  )
  rewrite(plan, target, body)
}

/** Headers that do not say what the cross-reference says. */
function header(plan: Plan, base: Base, random: Random): void {
  const target = pickTarget(base, random)
  const isEvil = random(4) > 0
  const wish = wishFor(plan, base, target, random)
  const object = rewrite(plan, target, isEvil ? attacked(target, wish) : target.source)
  const { number, generation } = target
  object.header = pick(
    [
      `${number} ${generation + 1} obj\n`,
      `${number + 1} ${generation} obj\n`,
      `${number}  ${generation} obj\n`,
      `${number} ${generation} obj`,
      `0${number} ${generation} obj\n`,
      `${number} 00 obj\n`,
      `${number}.0 ${generation} obj\n`,
      `+${number} ${generation} obj\n`,
      `${number}\0${generation}\0obj\n`,
      `${number} ${generation}%\nobj\n`,
      `${number} ${generation} Obj\n`,
      `${number} ${generation} objx\n`,
      `${number} ${generation} obj obj\n`,
      `${number} ${generation}obj\n`,
      `${number} 65535 obj\n`,
      `${number + 4_294_967_296} ${generation} obj\n`,
      `${number} ${generation} R\n`,
      '',
      `%${number} ${generation} obj\n`,
      `1${number} ${generation} obj\n`,
      `x${number} ${generation} obj\n`,
      `9 ${number} ${generation} obj\n`,
      `${number} ${generation} 0 obj\n`,
      `${base.size + 5} 0 obj\n`,
    ],
    random,
  )
  if (random(3) === 0) shiftRow(plan, number, random)
}

/** Bumps the generation in the header, in the cross-reference, or in both. */
function generation(plan: Plan, base: Base, random: Random): void {
  const target = pickTarget(base, random)
  const wish = wishFor(plan, base, target, random)
  const object = rewrite(plan, target, random(3) > 0 ? attacked(target, wish) : target.source)
  const bumped = pick([1, 2, 255, 256, 65_535, 65_536], random)
  const way = random(3)
  if (way !== 1) object.header = `${target.number} ${bumped} obj\n`
  if (way === 0) return
  plan.editRows.push((rows) =>
    rows.map((row) => (row.number === target.number ? { ...row, third: bumped } : row)),
  )
}

/** Moves the offset of an object by a few octets. */
function shiftRow(plan: Plan, number: number, random: Random): void {
  const shift = pick([-10, -5, -3, -2, -1, 1, 2, 3, 5, 10], random)
  plan.editRows.push((rows) =>
    rows.map((row) => (row.number === number ? { ...row, second: row.second + shift } : row)),
  )
}

function footer(plan: Plan, base: Base, random: Random): void {
  const target = pickTarget(base, random)
  const wish = wishFor(plan, base, target, random)
  const object = rewrite(plan, target, random(2) === 0 ? target.source : attacked(target, wish))
  const evil = attacked(target, wish)
  object.footer = pick(
    [
      '\n',
      '',
      'endobj',
      '\nendob\n',
      '\nendobjx\n',
      ' endobj endobj\n',
      `\n${evil}\nendobj\n`,
      `\nendobj\n${evil}\nendobj\n`,
      '\nENDOBJ\n',
      '\0endobj\n',
      '\n%endobj\n',
      '\nendstream\nendobj\n',
      `\n${target.number} ${target.generation} obj\n${evil}\nendobj\n`,
    ],
    random,
  )
}

/** A dictionary becomes a stream and the reverse. */
function kind(plan: Plan, base: Base, random: Random): void {
  const target = pickTarget(base, random)
  const wish = wishFor(plan, base, target, random)
  const parts = takeApart(target.source, wish)
  if (!parts) return void rewrite(plan, target, `<< >>\nstream\n${target.source}\nendstream`)
  const { body } = parts
  const bodies = [
    `<<${body} /Length ${BLACK.length} >>\nstream\n${BLACK}\nendstream`,
    `<<${body}>>\nstream\n${BLACK}\nendstream`,
    `<<${body}>> stream`,
    `<<${body}>>\nendstream`,
    `<<${body}>>`,
    `[<<${body}>>]`,
    `<<${body}>>\nstream\r\n<< /${wish.key} ${wish.evil} >>\nendstream`,
  ]
  rewrite(plan, target, pick(bodies, random))
}

/** Streams whose data readers find to begin, end or decode differently (7.3.8). */
function streamData(plan: Plan, base: Base, random: Random): void {
  const target = pickTarget(base, random, 'stream', 'x-object')
  const found = /^(<<[^]*?)>>\s*stream\r?\n([^]*?)\r?\n?endstream$/.exec(target.source)
  if (!found) return
  const [, head = '', data = ''] = found
  const bare = head.replace(/\/Length \d+( 0 R)?/, '')
  const length = (value: string | number) => `${bare} /Length ${value} >>`
  const number = base.size + 40
  const exact = length(data.length)
  const both = `${data}\nendstream\n${BLACK}`
  const longer = data.length + BLACK.length + 1
  const bodies = [
    `${length(data.length + BLACK.length + 11)}\nstream\n${both}\nendstream`,
    `${exact}\nstream\n${both}\nendstream`,
    `${exact}\nstream\n${data}\n${BLACK}\nendstream`,
    `${length(0)}\nstream\n${data}\nendstream`,
    `${length(-1)}\nstream\n${data}\nendstream`,
    `${length(`${data.length}.0`)}\nstream\n${data}\nendstream`,
    `${length(99_999_999)}\nstream\n${both}\nendstream`,
    `${length('null')}\nstream\n${both}\nendstream`,
    `${length(`${number} 0 R`)}\nstream\n${both}\nendstream`,
    `${bare}>>\nstream\n${both}\nendstream`,
    `${exact}\nstream\r${data}\nendstream`,
    `${exact}\nstream ${data}\nendstream`,
    `${exact}\nstream  \n${data}\nendstream`,
    `${exact}\nstream\n\n${data}\nendstream`,
    `${exact}\nstream${data}\nendstream`,
    `${exact}\nstream\n${data}endstream`,
    `${exact}\nstream\n${data}\nendstreamendobj`,
    `${exact}\nstream\n${data}\nendobj`,
    `${exact}\nstream\n${data}`,
    `${bare} /Length ${data.length} /Length ${longer} >>\nstream\n${data}\n${BLACK}\nendstream`,
    `${bare} /Length 1 /L#65ngth ${data.length} >>\nstream\n${data}\nendstream`,
    `${bare} /DL 3 /Length ${data.length} >>\nstream\n${data}\nendstream`,
    `${bare} /Filter [] /Length ${data.length} >>\nstream\n${data}\nendstream`,
    `${bare} /Filter /Crypt /Length ${data.length} >>\nstream\n${data}\nendstream`,
    `${bare} /F (other.pdf) /Length ${data.length} >>\nstream\n${data}\nendstream`,
    `${bare} /Filter [/ASCIIHexDecode null] /Length ${data.length} >>\nstream\n${data}\nendstream`,
    `${exact}\n%\nstream\n${data}\nendstream`,
    `${exact}%stream\nstream\n${data}\nendstream`,
    `${exact}\nSTREAM\n${data}\nendstream`,
    streamOf(BLACK),
    streamOf(`${data}\n${BLACK}`),
  ]
  rewrite(plan, target, pick(bodies, random))
  if (random(3) === 0) {
    plan.objects.push({ number, generation: 0, body: String(pick([1, data.length], random)) })
  }
}

/** The attacker's object without any trick, under the number of the signed one. */
function plain(plan: Plan, base: Base, random: Random): void {
  const target = pickTarget(base, random)
  rewrite(plan, target, attacked(target, wishFor(plan, base, target, random)))
}

/** The attacker's objects, which other objects may refer to. */
function removed(plan: Plan, base: Base, random: Random): void {
  const target = pickTarget(base, random)
  rewrite(plan, target, pick(['null', '', 'null null', '<< >>', '[]', '0', 'foo', '()'], random))
}

/** Changes by class name. */
export const OBJECT_CHANGES: Readonly<Record<string, Change>> = {
  ...Object.fromEntries(
    Object.keys(DICTIONARY_TRICKS).map((name) => [`syntax/${name}`, dictionaryChange(name)]),
  ),
  'object/second-value': secondValue,
  'object/header': header,
  'object/generation': generation,
  'object/end': footer,
  'object/kind': kind,
  'object/plain': plain,
  'object/removed': removed,
  'object/stream-data': streamData,
}
