/** Every rule for what people see is named by a test: `(S9)` in its title or in an assertion. */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'

const TESTS = join(import.meta.dirname, '..')
const numbered = (letter: string, count: number) =>
  Array.from({ length: count }, (_, index) => `${letter}${index + 1}`)

/** Rules of the signing page and mails, of the kiosk, of the verification page. */
const RULES = [...numbered('S', 15), ...numbered('K', 10), ...numbered('V', 3)]
/** At the end of a sentence in quotes: `… (S9)'`, `… (K1, K10)'`. */
const NAMED = /\(((?:[SKV]\d+)(?:, [SKV]\d+)*)\)['"`]/g
const COMMENT = /^\s*(?:\/\/|\/?\*).*$/gm

function named(text: string): string[] {
  const code = text.replaceAll(COMMENT, '')
  return [...code.matchAll(NAMED)].flatMap(([, rules = '']) => rules.split(', '))
}

t.test('a rule counts as named in a sentence of a test, not beside it', async (t) => {
  t.same(named("t.ok(a, 'it is there (S9)')"), ['S9'])
  t.same(named('t.ok(a, `${b} is there (K1, K10)`)'), ['K1', 'K10'])
  t.same(named("// as it was (S9)'\n * (S9)'\nstepsOf('M0 0 S7 8 9 9')"), [])
})

t.test('every rule is named by a test, and no other is', async (t) => {
  const paths = globSync('**/*.ts', { cwd: TESTS, exclude: ['web/rules.test.ts'] })
  t.ok(paths.length > 100, 'the tests are found')
  const found = new Set(paths.flatMap((path) => named(readFileSync(join(TESTS, path), 'utf8'))))
  t.strictSame(
    RULES.filter((rule) => !found.has(rule)),
    [],
    'rules without a test',
  )
  t.strictSame(
    [...found].filter((rule) => !RULES.includes(rule)),
    [],
    'rules that do not exist',
  )
})
