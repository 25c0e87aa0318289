/** JSON values as literals of TypeScript and Python. */

const LINE_LIMIT_CHARACTERS = 72
const IDENTIFIER = /^[A-Za-z_]\w*$/

interface Language {
  indent: string
  /** A space inside the braces of an object on one line. */
  padding: string
  writeKey: (key: string) => string
  writeValue: (value: unknown) => string
}

const quoteSingle = (text: string) =>
  `'${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`

const TYPESCRIPT: Language = {
  indent: '  ',
  padding: ' ',
  writeKey: (key) => (IDENTIFIER.test(key) ? key : quoteSingle(key)),
  writeValue: (value) => (typeof value === 'string' ? quoteSingle(value) : JSON.stringify(value)),
}

const PYTHON_CONSTANTS = new Map<unknown, string>([
  [true, 'True'],
  [false, 'False'],
  [null, 'None'],
])

const PYTHON: Language = {
  indent: '    ',
  padding: '',
  writeKey: (key) => JSON.stringify(key),
  writeValue: (value) => PYTHON_CONSTANTS.get(value) ?? JSON.stringify(value),
}

/** Writes a collection on one line if it is short, else one member a line. */
function writeMembers(
  members: readonly string[],
  [open, close]: readonly [string, string],
  { indent, padding }: Language,
): string {
  if (members.length === 0) return `${open}${close}`
  const inner = open === '{' ? padding : ''
  const line = `${open}${inner}${members.join(', ')}${inner}${close}`
  if (line.length <= LINE_LIMIT_CHARACTERS && !line.includes('\n')) return line
  const lines = members.map((member) => `${indent}${member.replaceAll('\n', `\n${indent}`)},`)
  return [open, ...lines, close].join('\n')
}

function write(value: unknown, language: Language): string {
  if (Array.isArray(value)) {
    const members = value.map((one) => write(one, language))
    return writeMembers(members, ['[', ']'], language)
  }
  if (typeof value !== 'object' || value === null) return language.writeValue(value)
  const members = Object.entries(value).map(
    ([key, one]) => `${language.writeKey(key)}: ${write(one, language)}`,
  )
  return writeMembers(members, ['{', '}'], language)
}

/** Writes a JSON value in TypeScript. */
export const typescriptLiteral = (value: unknown): string => write(value, TYPESCRIPT)

/** Writes a JSON value in Python. */
export const pythonLiteral = (value: unknown): string => write(value, PYTHON)
