/** The console says everything in both languages, and nothing in vain (S13). */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { AUDIT_EVENT_TYPES } from '../../../domain/audit/entry.ts'
import { FAILURE_CODES } from '../../../domain/cases/failure-codes.ts'
import { REJECT_CODES } from '../../../domain/cases/reject-codes.ts'
import { PHASES } from '../../../domain/cases/status.ts'
import { CONSOLE_ENGLISH, type ConsoleTexts } from '../../../web/texts/console-en.ts'
import { CONSOLE_SLOVAK } from '../../../web/texts/console-sk.ts'

const WEB = join(import.meta.dirname, '../../../web')
const KEYS = Object.keys(CONSOLE_ENGLISH) as (keyof ConsoleTexts)[]
const SLOVAK_LETTERS = /[áäčďéíĺľňóôŕšťúýž]/i
/** The same in both languages. */
const SAME = new Set(['pageWebhooks'])

/** All sentences of a member, with numbers from 1 to 5. */
function said(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  if (typeof value === 'object') return Object.values(value as object).flatMap(said)
  const sentence = value as (...values: unknown[]) => string
  return [1, 2, 5].map((count) => sentence(count, count, count))
}

t.test('both languages have every sentence, each in its own words', async (t) => {
  t.strictSame(Object.keys(CONSOLE_SLOVAK).sort(), [...KEYS].sort())
  for (const key of KEYS) {
    const [english, slovak] = [said(CONSOLE_ENGLISH[key]), said(CONSOLE_SLOVAK[key])]
    t.equal(english.length, slovak.length, key)
    if (!SAME.has(key)) t.notSame(slovak, english, `${key} is translated`)
    t.notMatch(english.join(), SLOVAK_LETTERS, `${key} is English`)
    t.notMatch(slovak.join(), /, alebo | [aikosuvz] (?=\S)|e-mail/i, `${key}: Slovak typography`)
  }
  t.same(Object.keys(CONSOLE_ENGLISH.events), [...AUDIT_EVENT_TYPES])
  t.same(Object.keys(CONSOLE_ENGLISH.statuses), [...PHASES])
  t.same(Object.keys(CONSOLE_ENGLISH.rejections), [...REJECT_CODES])
  t.same(Object.keys(CONSOLE_ENGLISH.failures), [...FAILURE_CODES])
})

t.test('advice to print a document says that its signatures are lost', async (t) => {
  // A damaged document that carries signatures has a code of its own.
  const { DAMAGED: _english, ...english } = CONSOLE_ENGLISH.rejections
  const { DAMAGED: _slovak, ...slovak } = CONSOLE_SLOVAK.rejections
  const printed = said([english, CONSOLE_ENGLISH.failures]).filter((text) => /print/i.test(text))
  const printedSlovak = said([slovak, CONSOLE_SLOVAK.failures]).filter((text) =>
    /vytlač/i.test(text),
  )
  t.equal(printed.length, printedSlovak.length)
  for (const text of printed) t.match(text, /signatures/)
  for (const text of printedSlovak) t.match(text, /podpisy sa tým stratia/)
})

t.test('every sentence is used', async (t) => {
  const views = globSync('{console,fields}/**/*.{ts,tsx}', { cwd: WEB })
  const all = views.map((path) => readFileSync(join(WEB, path), 'utf8')).join('\n')
  const silent = KEYS.filter((key) => !new RegExp(`\\b${key}\\b`).test(all))
  t.strictSame(silent, [])
})
