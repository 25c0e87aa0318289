/**
 * Sources of dictionaries and values that readers understand differently (ISO 32000-2, 7.2, 7.3):
 * one reader sees what was signed, another one what the attacker wants.
 */
import type { Random } from '../../../test/fixtures/mutations.ts'
import { pick, type Wish } from './attacker.ts'

/** A dictionary's source in parts, and the entry that the attacker puts in. */
export interface Dictionary extends Wish {
  /** Between the outermost `<<` and `>>`. */
  body: string
  /** Text after the dictionary: the data of a stream, or empty. */
  rest: string
  /** Position of the key in the body, with the text before and after it. */
  honest: string | undefined
}

/** Takes a source apart; undefined when it is not a dictionary or a stream. */
export function takeApart(source: string, wish: Wish): Dictionary | undefined {
  if (!source.startsWith('<<')) return undefined
  const streamAt = source.search(/>>\s*stream\r?\n/)
  const end = streamAt === -1 ? source.lastIndexOf('>>') : streamAt
  const body = source.slice(2, end)
  const honest = new RegExp(`/${wish.key}\\s*(\\[[^\\]]*\\]|\\d+ \\d+ R|[^/<>\\[\\]]+)`).exec(body)
  return { ...wish, body, rest: source.slice(end + 2), honest: honest?.[1]?.trim() }
}

/** Tokens that have no place between two entries. */
const STRAY = [
  ...['>', '<<', '>>', '[', ']', '{', '}', '(', ')', '<', 'obj', 'endobj', 'stream', 'endstream'],
  ...['R', '0 R', '1 0 R', 'null', 'true', 'foo', '/', '//', '/X', '7', '<>', '()', '[]', '>>>'],
  ...[
    'xref',
    'trailer',
    'startxref',
    '%',
    '%\n',
    '\\',
    '#',
    '\0',
    '<<>>',
    ']]',
    '))',
    '> >',
    '< <',
  ],
  ...[
    '1 0 obj',
    'endobj\n',
    'BI',
    'ID',
    'def',
    '@',
    '-',
    '+',
    '.',
    "'",
    '"',
    '{}',
    '\u0080',
    '\xff',
  ],
]

/** The first character, or another one, in hexadecimal (7.3.5). */
function escaped(key: string, random: Random): string {
  const at = random(key.length)
  const code = key.charCodeAt(at).toString(16)
  return `${key.slice(0, at)}#${random(2) === 0 ? code : code.toUpperCase()}${key.slice(at + 1)}`
}

const SPACES = ['\0', '\f', '\t', '\r', '\v', '\u0085', '\u00a0', '\b', '', '\r\n', '%x\r', '%x\n']

/** White space and comments where readers may not expect them. */
function spaced({ body, key, evil }: Dictionary, random: Random): string {
  const space = pick(SPACES, random)
  switch (random(5)) {
    case 0:
      return `<<${body} /${key}${space}${evil} >>`
    case 1:
      return `<<${space}/${key} ${evil}${space}${body}>>`
    case 2:
      return `<<${body} %${space}/${key} ${evil}\n>>`
    case 3:
      return `<<${body.replace(/ /g, () => (random(4) === 0 ? space : ' '))}>>`
    default:
      return `<<${body} /${key.slice(0, 3)}${space}${key.slice(3)} ${evil} >>`
  }
}

const OPENED = [
  ...['(a\\', '(a(b', '(a\\)', '(\\', '(a\\\r)', '(\\101\\7', '(a\r\n', '(\0', '(()'],
  ...['<4', '<4 >', '<zz>', '<41', '<4>1>', '<4%\n>', '</X>', '<41 >>', '<41>>', '<(>', '<<<41>'],
]

/** Strings whose end readers find at different places (7.3.4). */
function inString({ body, key, evil }: Dictionary, random: Random): string {
  const opened = pick(OPENED, random)
  const close = pick([')', '>', '>>', ' )', '\\)', ''], random)
  const entry = `/${key} ${evil}`
  switch (random(4)) {
    case 0:
      return `<<${body} /Zz ${opened} ${entry} ${close} >>`
    case 1:
      return `<< /Zz ${opened} ${entry} ${close}${body}>>`
    case 2:
      return `<<${body} /Zz ${opened} ${close} ${entry} >>`
    default:
      return `<< /Zz ${opened}${body}${entry} /Zy ${close} >>`
  }
}

const VALUES = ['null', 'foo', 'true', '[]', '<<>>', '0 0 R', '()', 'nullfoo', 'R', '1', '/', '-']

function withoutMeaning({ body, key, evil }: Dictionary, random: Random): string {
  const value = pick(VALUES, random)
  switch (random(3)) {
    case 0:
      return `<<${body} /${key} ${value} >>`
    case 1:
      return `<<${body} /${key} ${value} ${evil} >>`
    default:
      return `<< /${key} ${value}${body} >>`
  }
}

const SPELLINGS: readonly ((number: number) => string)[] = [
  (number) => `${number}.0`,
  (number) => `+${number}`,
  (number) => `--${number}`,
  (number) => `-${number}`,
  (number) => `0${number}`,
  (number) => `000000000000${number}`,
  (number) => `${number}.0.0`,
  (number) => `${number}-`,
  (number) => `${number}-5`,
  (number) => `${number}e0`,
  (number) => `${number}E1`,
  (number) => `.${number}`,
  (number) => `${number}.`,
  (number) => `${4_294_967_296 + number}`,
  (number) => `${2 ** 31 + number}`,
  (number) => `1${'0'.repeat(25)}${number}`,
  (number) => `16#${number.toString(16)}`,
  (number) => `0x${number.toString(16)}`,
  (number) => `${number}\0`,
  (number) => `${number}/`,
]

/** References and numbers that readers convert differently (7.3.3, 7.3.10). */
function spelt({ body, key, evil, honest }: Dictionary, random: Random): string {
  const leads = /^(\d+) 0 R$/.exec(evil)
  const spell = pick(SPELLINGS, random)
  if (!leads) return `<<${body} /${key} ${evil.replace(/\d+/, (text) => spell(Number(text)))} >>`
  const number = Number(leads[1])
  const own = honest ?? 'null'
  const spelling = pick(
    [
      `${spell(number)} 0 R`,
      `${number} ${spell(0)} R`,
      `${own} ${number} 0 R`,
      `${number} 0 R ${own}`,
      `${number} 1 R`,
      `${number} 0 r`,
      `${number} 0R`,
      `${number} 0 R${own}`,
      `${own.replace(/ R$/, '')} ${number} 0 R`,
      `${number} 65536 R`,
      `[${own} ${number} 0 R`,
      `[${own} ] ${number} 0 R ]`,
      `${number} 0 %\nR`,
      `${number} 0 obj R`,
    ],
    random,
  )
  const replaced = body.replace(new RegExp(`/${key}\\s*(\\d+ 0 R|\\[[^\\]]*\\])`), '')
  return random(2) === 0
    ? `<<${body} /${key} ${spelling} >>`
    : `<<${replaced}/${key} ${spelling} >>`
}

function twice({ body, key, evil }: Dictionary, random: Random): string {
  const entry = `/${random(2) === 0 ? key : escaped(key, random)} ${evil}`
  return random(2) === 0 ? `<< ${entry} ${body}>>` : `<<${body} ${entry} >>`
}

function misnamed({ body, key, evil }: Dictionary, random: Random): string {
  const name = pick(
    [
      `${key}#`,
      `${key}#0`,
      `${key}#zz`,
      `${key}#00`,
      `${key}\0`,
      `#2f${key}`,
      `${key.slice(0, 1)}#${key.slice(1)}`,
      key.toLowerCase(),
      `${key}#20`,
      `/${key}`,
      escaped(escaped(key, random), random),
    ],
    random,
  )
  const renamed = body.replace(new RegExp(`/${key}\\b`), `/${name}`)
  const entry = `/${name} ${evil}`
  return pick(
    [`<<${renamed} /${key} ${evil} >>`, `<<${body} ${entry} >>`, `<< ${entry} ${body}>>`],
    random,
  )
}

function stray({ body, key, evil }: Dictionary, random: Random): string {
  const token = pick(STRAY, random)
  const entry = `/${key} ${evil}`
  const half = body.indexOf('/', 1 + random(Math.max(1, body.length - 1)))
  const at = half === -1 ? body.length : half
  switch (random(6)) {
    case 0:
      return `<< ${entry} ${token}${body}>>`
    case 1:
      return `<<${body} ${entry} ${token} >>`
    case 2:
      return `<<${body.slice(0, at)} ${token} ${body.slice(at)}>>`
    case 3:
      return `<<${body.slice(0, at)} ${token} ${entry} ${body.slice(at)}>>`
    default:
      return `<<${body} ${token} ${entry} >>`
  }
}

/** Keys and values out of step: a reader that skips one token sees other entries. */
function shifted({ body, key, evil }: Dictionary, random: Random): string {
  const entry = `/${key} ${evil}`
  return pick(
    [
      `<<${body} /Zz ${entry} >>`,
      `<< /Zz ${entry} ${body}>>`,
      `<<${body} 1 ${entry} >>`,
      `<<${body} /Zz /Zz ${entry} >>`,
      `<<${body} /Zz << ${entry} >>`,
      `<<${body} /Zz [ ${entry} >>`,
      `<<${body} /Zz >> ${entry} >>`,
      `<<${body} >> ${entry} >>`,
      `<<${body} /Zz [ << ${entry} >> >>`,
      `<< <<${body}>> ${entry} >>`,
      `<<${body} /Zz << /Zy >> ${entry} >>`,
      `<<${body} (Zz) ${entry} >>`,
      `<<${body} ${entry}`,
      `<${body} ${entry} >>`,
      `<<${body}>`,
      `[ <<${body}>> ${entry} ]`,
    ],
    random,
  )
}

/** Keys of other lengths and depths than readers expect. */
function excessive({ body, key, evil }: Dictionary, random: Random): string {
  const entry = `/${key} ${evil}`
  const depth = pick([50, 120, 600], random)
  return pick(
    [
      `<<${body} /Zz ${'['.repeat(depth)}${']'.repeat(depth)} ${entry} >>`,
      `<<${body} /Zz ${'<<'.repeat(depth)}${'>>'.repeat(depth)} ${entry} >>`,
      `<<${body} /${'Z'.repeat(300)} 1 ${entry} >>`,
      `<<${body} /Zz (${'z'.repeat(40_000)}) ${entry} >>`,
      `<<${body} /Zz ${'('.repeat(depth)}${')'.repeat(depth)} ${entry} >>`,
      `<<${body} /${key}${'\0'.repeat(130)} ${evil} >>`,
      `<<${body} /Zz ${'9'.repeat(depth)} ${entry} >>`,
    ],
    random,
  )
}

/** Every way to write a dictionary ambiguously, by the name of its class. */
export const DICTIONARY_TRICKS: Readonly<
  Record<string, (dictionary: Dictionary, random: Random) => string>
> = {
  'stray-token': stray,
  'key-twice': twice,
  'value-without-meaning': withoutMeaning,
  'name-spelling': misnamed,
  'number-spelling': spelt,
  'white-space': spaced,
  'string-end': inString,
  'shifted-entries': shifted,
  excessive,
}

/** Ambiguous sources of objects that are not dictionaries: arrays and numbers. */
export function trickValue(source: string, evil: string, random: Random): string {
  const token = pick(STRAY, random)
  const opened = source.replace(/\]$/, '')
  const inner = evil.replace(/^\[|\]$/g, '')
  const spell = pick(SPELLINGS, random)
  const isArray = source.startsWith('[')
  return pick(
    [
      `${source} ${evil}`,
      `${evil} ${source}`,
      `${source} ${token} ${evil}`,
      isArray ? `${opened} ${token} ${inner}]` : spell(Number(source)),
      isArray ? `${opened} ${inner}` : `${source} ${token}`,
      isArray ? `${opened}] ${inner}]` : `${source} 0 R`,
      isArray ? `${opened} % ]\r${inner} ]` : `${source}%\r${evil}`,
      isArray ? source.replace(/\d+/, (text) => spell(Number(text))) : `${source}${token}`,
      isArray ? `[${token} ${source.slice(1)}` : `${token} ${source}`,
    ],
    random,
  )
}
