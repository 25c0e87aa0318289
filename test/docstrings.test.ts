/** What others can call says what it is for, directly above, and names no parameter it lacks. */
import t from 'tap'
import { code } from './fixtures/source-tree.ts'

const FUNCTION = /^export (?:async )?function\*? (\w+)/
const ARROW = /^export const (\w+)(?:: [^=]+)? =(?: (?:async )?(?:<.*>)?\(|$)/
const CLASS = /^export (?:abstract )?class (\w+)/
const METHOD = /^ {2}(?:(?:async|static|override|get|set) )*\*?(\w+)(?:<.*>)?\(/

interface Callable {
  line: number
  name: string
  /** Whether a port declares the method; then the port has the docstring. */
  isPort: boolean
  /** Up to the end of the parameters. */
  signature: string
  docstring: string | undefined
}

/** The lines of a docstring that ends directly above. */
function docstringAbove(lines: readonly string[], line: number): string | undefined {
  if (!lines[line - 1]?.trimEnd().endsWith('*/')) return undefined
  const start = lines.slice(0, line).findLastIndex((one) => one.trimStart().startsWith('/**'))
  return lines.slice(start, line).join('\n')
}

/** Up to the end of the parameters; of what has none on lines of their own, all of it. */
function signatureAt(lines: readonly string[], line: number): string {
  const first = lines[line] as string
  const indent = /^ */.exec(first)?.[0] ?? ''
  if (/\{$|=>/.test(first)) return first
  const rest = lines.slice(line + 1)
  const past = rest.findIndex(
    (one) => !one.startsWith(`${indent} `) && !one.startsWith(`${indent})`),
  )
  const own = past < 0 ? rest : rest.slice(0, past)
  const end = own.findIndex((one) => one.startsWith(`${indent})`))
  return [first, ...(end < 0 ? own : own.slice(0, end + 1))].join('\n')
}

/** Whether a constant is a function of more than its line. */
function isLongArrow(lines: readonly string[], line: number): boolean {
  const signature = signatureAt(lines, line)
  return signature.includes('=>') && !/=> [^{]*$/.test(lines[line] as string)
}

/** Exported functions, and public methods of exported classes; the sources are formatted. */
function callables(text: string): Callable[] {
  const lines = text.split('\n')
  let owner: { name: string; isPort: boolean } | undefined
  return lines.flatMap((text, line): Callable[] => {
    const at = (name: string, isPort = false) => ({
      line: line + 1,
      name,
      isPort,
      signature: signatureAt(lines, line),
      docstring: docstringAbove(lines, line),
    })
    const [, className] = CLASS.exec(text) ?? []
    if (className !== undefined) {
      const isPort = `${text}${lines[line + 1]}`.includes(' implements ')
      owner = { name: className, isPort }
      return []
    }
    if (text.startsWith('}')) owner = undefined
    const [, method] = (owner && METHOD.exec(text)) ?? []
    if (owner && method !== undefined && method !== 'constructor') {
      return [at(`${owner.name}.${method}`, owner.isPort)]
    }
    const name = FUNCTION.exec(text)?.[1] ?? (isLongArrow(lines, line) ? ARROW.exec(text)?.[1] : '')
    return name ? [at(name)] : []
  })
}

const silent = (text: string) =>
  callables(text)
    .filter(({ docstring, isPort }) => docstring === undefined && !isPort)
    .map(({ name }) => name)

/** Parameters in the docstring that the function lacks; a destructured one has no name. */
const stale = (text: string) =>
  callables(text).flatMap(({ name, signature, docstring = '' }) =>
    [...docstring.matchAll(/@param (\w+)/g)]
      .map(([, parameter]) => parameter as string)
      .filter((parameter) => !new RegExp(`\\b${parameter}\\b`).test(signature))
      .filter(() => !/[(,]\s*\{/.test(signature))
      .map((parameter) => `${name}: ${parameter}`),
  )

/** What the service is made of, and the tools. */
const sources = code.filter(({ path }) => !/^(bench|test)\//.test(path))

t.test('what has no docstring, or an old one, is found', async (t) => {
  const sample = [
    'export function bare() {',
    '}',
    '',
    '/** Has one. */',
    'export async function named(',
    '  first: string,',
    ') {',
    '}',
    'export const short = (a: string) => a',
    'export const long = (a: string) =>',
    '  a',
    'export const table = (1)',
    '/** @param old was renamed */',
    'export const renamed = (now: string) => {',
    '}',
    'export class Own {',
    '  constructor() {',
    '  }',
    '',
    '  get size(): number {',
    '  }',
    '',
    '  /** @param key of the case */',
    '  async read(key: string) {',
    '  }',
    '}',
    'export class Adapter implements Port {',
    '  read() {',
    '  }',
    '}',
    'export const routes =',
    '  (deps: Deps) =>',
    '  async (app) => {',
    '  }',
  ].join('\n')
  t.strictSame(silent(sample), ['bare', 'long', 'Own.size', 'routes'])
  t.strictSame(stale(sample), ['renamed: old'])
})

t.test('every function that is exported says what it is for', async (t) => {
  t.ok(sources.flatMap(({ text }) => callables(text)).length > 1000, 'the sources are read')
  t.strictSame(
    sources.flatMap(({ path, text }) => silent(text).map((name) => `${path}: ${name}`)),
    [],
  )
})

t.test('no docstring names a parameter that does not exist', async (t) => {
  t.strictSame(
    sources.flatMap(({ path, text }) => stale(text).map((fault) => `${path}: ${fault}`)),
    [],
  )
})
