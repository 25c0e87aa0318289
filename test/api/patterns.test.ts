/** No text makes a rule on texts take longer than one pass: each pattern meets pumped strings. */
import { fullFormats } from 'ajv-formats/dist/formats.js'
import t from 'tap'
import { duplicateName } from '../../api/duplicate-names.ts'
import { findInexactNumber } from '../../api/inexact-numbers.ts'
import { addressFaults } from '../../domain/contract/callback-rules.ts'
import { documentNames } from '../../domain/cases/document-names.ts'
import { describeError } from '../../domain/describe-error.ts'
import { deviceOfToken } from '../../domain/devices/token.ts'
import { inSentence, plainAddress } from '../../domain/mail/safe-text.ts'
import { maskContact } from '../../domain/mask.ts'
import { visibleTextFaults } from '../../domain/visible-text.ts'
import { input, testApi } from '../fixtures/api.ts'
import { cpuMs } from '../fixtures/cpu-time.ts'

t.setTimeout(120_000)

const LENGTH = 20_000
/** One pass takes a millisecond; the square of the length, minutes. */
const LIMIT_MS = 1_000
const UNITS = [
  ...['a', 'A', '0', '-', '.', '@', '/', ':', '%', '%41', ' ', '\t', '\u00a0', '\ufeff', '\u0001'],
  ...[
    'a.',
    'a-',
    '-a',
    'a@',
    '::',
    '[::',
    'xn--',
    '0-',
    'aA0',
    '😀',
    '€',
    '\u202e',
    "'",
    '"',
    '{a',
  ],
]
const PREFIXES = ['', 'a@', 'http://', 'http://a@', 'http://[', '2026-01-01T00:00:00.', 'kiosk.']
const SUFFIXES = ['', '!', '\n', '\u0001', '@']
const TEXTS = PREFIXES.flatMap((prefix) =>
  UNITS.flatMap((unit) =>
    SUFFIXES.map((suffix) => prefix + unit.repeat(LENGTH / unit.length) + suffix),
  ),
)

/** Every pattern and format that a schema of the documentation names. */
function rulesOf(node: unknown, name: 'pattern' | 'format'): string[] {
  if (typeof node !== 'object' || node === null) return []
  const own = (node as Record<string, unknown>)[name]
  return [
    ...(typeof own === 'string' ? [own] : []),
    ...Object.values(node).flatMap((inner) => rulesOf(inner, name)),
  ]
}

const asJson = (text: string) => JSON.stringify({ [text]: text, list: [text] })
const OWN_RULES: Readonly<Record<string, (text: string) => unknown>> = {
  addressFaults: (text) => addressFaults(text, ['https:']),
  describeError: (text) => describeError(new Error(text)),
  deviceOfToken,
  documentNames,
  // With no value to compare, the names are always looked at.
  duplicateName: (text) => duplicateName(asJson(text), undefined),
  findInexactNumber: (text) => findInexactNumber(asJson(text), []),
  inSentence,
  maskContact,
  plainAddress,
  visibleTextFaults,
}

t.test('every pattern, format and rule of ours judges a pumped text in one pass', async (t) => {
  const { app } = await testApi(t)
  await app.ready()
  const documented = app.swagger()
  const judges = new Map<string, (text: string) => unknown>(Object.entries(OWN_RULES))
  for (const source of rulesOf(documented, 'pattern')) {
    const pattern = new RegExp(source, 'u')
    judges.set(source, (text) => pattern.test(text))
  }
  for (const name of rulesOf(documented, 'format')) {
    const format = fullFormats[name as keyof typeof fullFormats]
    if (format instanceof RegExp) judges.set(name, (text) => format.test(text))
    else if (typeof format === 'function') judges.set(name, format as (text: string) => boolean)
  }
  t.ok(judges.size >= 16, `${judges.size} rules`)
  for (const [name, judge] of judges) {
    let worstMs = 0
    for (const text of TEXTS) {
      const startedMs = cpuMs()
      judge(text)
      worstMs = Math.max(worstMs, cpuMs() - startedMs)
    }
    t.ok(worstMs < LIMIT_MS, `${name}: ${Math.round(worstMs)} ms`)
  }
})

t.test('an address that only one of two readers takes is a problem of the body', async (t) => {
  const api = await testApi(t)
  for (const url of [
    `http://${'A'.repeat(30_000)}!`,
    `https://a${'A'.repeat(30_000)}!`,
    `http://${'a'.repeat(30_000)}\u00e9`,
    'http://[::1',
    'http://1.2.3.4.5.6:99999/',
    'http://\u00ad/',
    'https://%00/',
  ]) {
    const callback = { url, authType: 'NONE', tokenUrl: url }
    const { statusCode, body } = await api.ask('POST', '/cases', { body: input({ callback }) })
    t.equal(statusCode, 400, url.slice(0, 30))
    t.match(body, '/callback/url')
  }
})
