/**
 * Judges PostScript calculators (ISO 32000-2, 7.10.5): readers continue in different ways when an
 * operator lacks its operands, when results are missing or too many, and beyond the range of
 * numbers.
 */

/** A number whose value may be known, or a truth value. */
type Item = number | 'number' | 'truth'
/** A procedure: tokens and further procedures. */
type Procedure = readonly (string | Procedure)[]
type Stack = readonly Item[] | undefined

/** White space of PDF (7.2.3): a vertical tab, for one, is a part of a token. */
const TOKEN = /[{}]|[^\0\t\n\f\r {}]+/g
const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)$/
/** Readers have room for 100 (annex C). */
const MAX_STACK = 100
const MAX_TOKENS = 100_000
const MAX_DEPTH = 32

const UNARY = 'abs ceiling cos cvr floor neg sin truncate'
const BINARY = 'add mul sub'
const COMPARISONS = 'eq ge gt le lt ne'
const LOGIC = 'and or xor'

/** Kinds of operands, and the result. */
type Kinds = readonly [takes: readonly string[], gives: Item]
const all = (names: string, ...kinds: Kinds): [string, Kinds][] =>
  names.split(' ').map((name) => [name, kinds])

const KINDS: ReadonlyMap<string, Kinds> = new Map([
  ...all(UNARY, ['number'], 'number'),
  ...all(BINARY, ['number', 'number'], 'number'),
  ...all(COMPARISONS, ['number', 'number'], 'truth'),
  ...all(LOGIC, ['truth', 'truth'], 'truth'),
  ...all('not', ['truth'], 'truth'),
  ...all('true false', [], 'truth'),
])

const kindOf = (item: Item): string => (item === 'truth' ? 'truth' : 'number')

/**
 * Whether a calculator gives as many numbers as it must, whatever its arguments.
 *
 * @param code its source
 */
export function isKnownCalculator(code: string, inputs: number, outputs: number): boolean {
  const tokens = code.match(TOKEN) ?? []
  const procedure = tokens.length <= MAX_TOKENS ? parse(tokens) : undefined
  const stack = procedure && run(procedure, Array<Item>(inputs).fill('number'))
  return stack?.length === outputs && stack.every((item) => kindOf(item) === 'number')
}

/** @returns undefined when braces do not match */
function parse(tokens: readonly string[]): Procedure | undefined {
  const open: (string | Procedure)[][] = [[]]
  for (const token of tokens) {
    if (token === '{') open.push([])
    else if (token === '}') {
      const closed = open.pop()
      if (!closed || open.length === 0) return undefined
      open.at(-1)?.push(closed)
    } else open.at(-1)?.push(token)
    if (open.length > MAX_DEPTH) return undefined
  }
  const [all] = open
  const [body] = all ?? []
  return open.length === 1 && all?.length === 1 && typeof body !== 'string' ? body : undefined
}

function run(procedure: Procedure, first: readonly Item[]): Stack {
  let stack: Stack = first
  for (let at = 0; stack && at < procedure.length; at++) {
    const step = procedure[at]
    if (typeof step === 'string') stack = operate(step, stack)
    else {
      const [branches, next] = branchesAt(procedure, at)
      stack = branch(branches, stack)
      at = next
    }
    if (stack && stack.length > MAX_STACK) return undefined
  }
  return stack
}

/** One procedure before `if`, or two before `ifelse`; and the index of the operator. */
function branchesAt(procedure: Procedure, at: number): [Procedure[], number] {
  const [first, second, third] = procedure.slice(at, at + 3)
  if (typeof first === 'string') return [[], at]
  if (second === 'if') return [[first, []], at + 1]
  const isBoth = second !== undefined && typeof second !== 'string' && third === 'ifelse'
  return isBoth ? [[first, second], at + 2] : [[], at]
}

function branch(branches: readonly Procedure[], stack: readonly Item[]): Stack {
  const [first, second] = branches
  if (!first || !second || stack.at(-1) !== 'truth') return undefined
  const [one, other] = [run(first, stack.slice(0, -1)), run(second, stack.slice(0, -1))]
  if (!one || !other || one.length !== other.length) return undefined
  const isAlike = one.every((item, index) => kindOf(item) === kindOf(other[index] as Item))
  if (!isAlike) return undefined
  return one.map((item, index) => (item === other[index] ? item : kindOf(item))) as Item[]
}

function operate(token: string, stack: readonly Item[]): Stack {
  if (NUMBER.test(token)) return [...stack, Number(token)]
  const kinds = KINDS.get(token)
  if (!kinds) return rearrange(token, stack)
  const [takes, gives] = kinds
  const operands = stack.slice(stack.length - takes.length)
  const isRight =
    stack.length >= takes.length && operands.every((item, index) => kindOf(item) === takes[index])
  return isRight ? [...stack.slice(0, stack.length - takes.length), gives] : undefined
}

/** Operators that move items, and a division by a number that is known. */
function rearrange(token: string, stack: readonly Item[]): Stack {
  const top = stack.at(-1)
  const rest = stack.slice(0, -1)
  if (top === undefined) return undefined
  switch (token) {
    case 'dup':
      return [...stack, top]
    case 'pop':
      return rest
    case 'exch':
      return rest.length === 0 ? undefined : [...rest.slice(0, -1), top, rest.at(-1) as Item]
    case 'div':
      return typeof top === 'number' && top !== 0 && kindOf(rest.at(-1) ?? 'truth') === 'number'
        ? [...rest.slice(0, -1), 'number']
        : undefined
    case 'index':
      return isCount(top) && top < rest.length ? [...rest, rest.at(-1 - top) as Item] : undefined
    case 'copy':
      return isCount(top) && top <= rest.length
        ? [...rest, ...rest.slice(rest.length - top)]
        : undefined
    case 'roll':
      return roll(rest.slice(0, -1), rest.at(-1), top)
    default:
      return undefined
  }
}

const isCount = (item: Item | undefined): item is number =>
  typeof item === 'number' && Number.isInteger(item) && item >= 0

function roll(stack: readonly Item[], count: Item | undefined, by: Item): Stack {
  if (!isCount(count) || typeof by !== 'number' || !Number.isInteger(by)) return undefined
  if (count > stack.length) return undefined
  if (count === 0) return stack
  const [below, rolled] = [stack.slice(0, stack.length - count), stack.slice(stack.length - count)]
  const shift = ((by % count) + count) % count
  return [...below, ...rolled.slice(count - shift), ...rolled.slice(0, count - shift)]
}
