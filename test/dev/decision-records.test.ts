import { join } from 'node:path'
import t from 'tap'
import { decisionsPage, readDecision, readDecisions } from '../../dev/decision-records.ts'
import { files } from '../fixtures/source-tree.ts'

const ROOT = join(import.meta.dirname, '..', '..')
const records = readDecisions(ROOT)

/** Numbers that a text cites, as in "decision 5" or "decisions 5, 7 and 9". */
function citedNumbers(text: string): number[] {
  const list = /\bdecisions?[\s*'+]+(\d{1,4}(?:(?:, and |, | and )\d{1,4})*)\b(?! of)/gi
  return [...text.matchAll(list)].flatMap(([, numbers = '']) =>
    [...numbers.matchAll(/\d+/g)].map(([number]) => Number(number)),
  )
}

/** Numbers in brackets, as the changelog cites; from 400 on they are statuses of HTTP. */
function numbersInBrackets(text: string): number[] {
  return [...text.matchAll(/\(([1-3]?\d{1,2}(?:, [1-3]?\d{1,2})*)\)/g)].flatMap(
    ([, numbers = '']) => numbers.split(', ').map(Number),
  )
}

t.test('the numbers of citations are found', async (t) => {
  t.strictSame(
    citedNumbers('(decision 5) decisions 7, 9 and 11; Decision\n * 12'),
    [5, 7, 9, 11, 12],
  )
  t.strictSame(numbersInBrackets('changed (5). Added (7, 12). Answers 409 (409).'), [5, 7, 12])
})

t.test('every record has a heading, a date and a status', async (t) => {
  const text = '# 7. A title\n\nDate: 2026-11-23. Status: accepted. Takes over: 1, 5.\n'
  t.strictSame(readDecision('0007-a-title.md', text), {
    number: 7,
    file: '0007-a-title.md',
    title: 'A title',
    date: '2026-11-23',
    status: 'accepted',
    takesOver: [1, 5],
  })
  t.throws(() => readDecision('0008-a-title.md', text), /needs "# 8. Title"/)
  t.throws(() => readDecision('0007-a-title.md', '# 7. A title\n'), /needs a line "Date:/)
  t.match(decisionsPage([readDecision('0007-a-title.md', text)]), '[A title](0007-a-title.md)')
})

t.test('a number belongs to one record', async (t) => {
  const numbers = records.flatMap(({ number, takesOver }) => [number, ...takesOver])
  t.strictSame(
    numbers.filter((number, index) => numbers.indexOf(number) !== index),
    [],
  )
})

t.test('every cited record exists', async (t) => {
  t.ok(records.length > 10)
  const existing = new Set(records.map(({ number }) => number))
  const heirOf = (number: number) =>
    records.find(({ takesOver }) => takesOver.includes(number))?.number ?? 'no record'
  const faults = files
    .filter(({ path }) => path !== 'test/dev/decision-records.test.ts')
    .flatMap(({ path, text }) =>
      (path === 'CHANGELOG.md' ? numbersInBrackets : citedNumbers)(text)
        .filter((number) => !existing.has(number))
        .map((number) => `${path} cites decision ${number}, which ${heirOf(number)} took over`),
    )
  t.strictSame(faults, [])
})
