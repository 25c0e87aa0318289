/**
 * A part of `npm run fuzz -- viewers`: what the service approves looks the same in five viewers.
 */
import { Buffer } from 'node:buffer'
import { mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import { tmpdir } from 'node:os'
import process from 'node:process'
import t from 'tap'
import { randomFrom } from '../../fixtures/mutations.ts'
import { attacked, type Wish } from '../../../dev/fuzz/viewers/attacker.ts'
import { openBase } from '../../../dev/fuzz/viewers/base.ts'
import { encryptedShapes } from '../../../dev/fuzz/viewers/encrypted-shapes.ts'
import { SIGNATURE_AREAS, signAsPeople } from '../../../dev/fuzz/viewers/documents.ts'
import { compareDrawn, DrawingTable } from '../../../dev/fuzz/viewers/judge.ts'
import { REVISION_CLASSES } from '../../../dev/fuzz/viewers/mutations.ts'
import { rewrite } from '../../../dev/fuzz/viewers/object-changes.ts'
import { movesTowards, type Raster } from '../../../dev/fuzz/viewers/raster.ts'
import { missingPrograms, Viewers, VIEWERS } from '../../../dev/fuzz/viewers/renderers.ts'
import { emptyPlan, streamOf, writeRevision } from '../../../dev/fuzz/viewers/revision.ts'
import { fuzzViewers, type ViewersTask } from '../../../dev/fuzz/viewers/run.ts'
import { buildShape, SHAPES, type ShapeOptions } from '../../../dev/fuzz/viewers/shapes.ts'
import { PART, PARTS } from '../../fixtures/part-of-day.ts'
import { runTool } from '../../fixtures/run-tool.ts'

const SEED = 20_261_122
/** In three days each class of revisions and uploads once. */
const REVISIONS = 58
const UPLOADS = 50
const EVIDENCE = 60
/** Each class of changed encryption once. */
const ENCRYPTED = 6
const ONLY_SMALL = SHAPES['table'] as ShapeOptions

/** A machine that does other things too may need several times as long. */
const LIMIT_MS = 10 * 60_000
t.setTimeout(LIMIT_MS)

const missing = missingPrograms()
const isRequired = process.env.CI === 'true'
const skip = missing.length > 0 && !isRequired ? `not installed: ${missing.join(', ')}` : false

t.test(
  'a viewer that shows more of what signers saw is distinguished from one that does not',
  async (t) => {
    const SIDE = 80
    const page = (isDark: (x: number, y: number) => boolean): Raster => ({
      width: SIDE,
      height: SIDE,
      gray: Buffer.from(
        Array.from({ length: SIDE * SIDE }, (_, at) =>
          isDark(at % SIDE, Math.floor(at / SIDE)) ? 0 : 255,
        ),
      ),
    })
    const blank = page(() => false)
    const text = page((x, y) => y >= 8 && y < 16 && x % 2 === 0)
    const other = page((x, y) => y >= 40 && y < 48 && x % 2 === 0)
    t.ok(movesTowards([text], [blank], [text], []), 'a missing text appears')
    t.ok(movesTowards([text, blank], [blank], [text, blank], []), 'a missing page appears')
    const unread: Raster = { width: 0, height: 0, gray: Buffer.alloc(0) }
    t.ok(movesTowards([text], [unread], [text], []), 'a page that could not be read appears')
    t.notOk(movesTowards([text], [unread], [other], []), 'it appears with another text')
    t.notOk(movesTowards([text], [text], [blank], []), 'a text disappears')
    t.notOk(movesTowards([text], [text], [other], []), 'another text appears')
    t.notOk(movesTowards([text], [blank], [other], []), 'another text appears on a blank page')
    t.notOk(movesTowards([text], [text], [text], []), 'nothing changes')
    const below = { page: 0, x: 0, y: 0.5, width: 1, height: 0.1 }
    const signed = page((x, y) => x % 2 === 0 && ((y >= 8 && y < 16) || (y >= 40 && y < 48)))
    t.ok(movesTowards([text], [blank], [signed], [below]), 'a signature does not count')
  },
)

t.test('the programs that draw are installed', { skip }, async (t) => {
  t.same(missing, [])
})

t.test(
  'every viewer shows a planted difference, and none where there is none',
  { skip },
  async (t) => {
    const viewers = new Viewers()
    t.teardown(() => viewers.close())
    const table = new DrawingTable(viewers, mkdtempSync(join(tmpdir(), 'sigcase-test-viewers-')))
    const bytes = await signAsPeople(buildShape(ONLY_SMALL), false)
    const base = openBase('table', bytes, SIGNATURE_AREAS)
    const before = await table.draw(bytes)
    t.same([...before.keys()].sort(), [...VIEWERS].sort())
    t.ok(
      [...before.values()].every((pages) => pages?.length === 1),
      'all of them draw one page',
    )

    const content = base.objects.find(({ role }) => role === 'stream')
    if (!content) throw new Error('the page has a content stream')
    const other = emptyPlan(base.form)
    const price = content.source.replace('PRICE 100', 'PRICE 900')
    rewrite(other, content, price)
    const changed = await table.draw(writeRevision(base, other))
    t.same(compareDrawn(before, changed).differences, [...VIEWERS], 'one digit is enough')

    const same = emptyPlan(base.form)
    rewrite(same, content, content.source)
    const unchanged = compareDrawn(before, await table.draw(writeRevision(base, same)))
    t.same(unchanged, { differences: [], changedSignatures: [], refusals: [] })

    const broken = await table.draw(Buffer.from('%PDF-1.7\nnothing'))
    t.ok(
      [...broken.values()].every((pages) => pages === undefined),
      'a refusal is a result',
    )
  },
)

t.test('what covers a signature alone is counted apart', { skip }, async (t) => {
  const viewers = new Viewers()
  t.teardown(() => viewers.close())
  const table = new DrawingTable(viewers, mkdtempSync(join(tmpdir(), 'sigcase-test-viewers-')))
  const bytes = await signAsPeople(buildShape(ONLY_SMALL), false)
  const base = openBase('table', bytes, SIGNATURE_AREAS)
  const content = base.objects.find(({ role }) => role === 'stream')
  if (!content) throw new Error('the page has a content stream')
  const plan = emptyPlan(base.form)
  // In points from the bottom left corner, within the first signature.
  rewrite(plan, content, streamOf(`${dataOf(content.source)}\n155 12 40 15 re f`))
  const drawn = await table.draw(writeRevision(base, plan))
  const before = await table.draw(bytes)
  const { differences, changedSignatures } = compareDrawn(before, drawn, {
    signatures: SIGNATURE_AREAS,
  })
  t.same(differences, [])
  t.same(changedSignatures, [...VIEWERS])
})

const dataOf = (source: string) => /stream\n([^]*)\nendstream/.exec(source)?.[1] ?? ''

t.test('an attack shows what the attacker wants when it needs no trick', { skip }, async (t) => {
  const bytes = await signAsPeople(buildShape(ONLY_SMALL), false)
  const base = openBase('table', bytes)
  const page = base.objects.find(({ role }) => role === 'page')
  if (!page) throw new Error('there is a page')
  const wish: Wish = { key: 'Contents', evil: '99 0 R' }
  t.match(attacked(page, wish), '/Contents 99 0 R')
  t.notMatch(attacked(page, wish), /Contents 11 0 R/)
})

t.test('the same seed makes the same mutation', { skip }, async (t) => {
  const bytes = await signAsPeople(buildShape(ONLY_SMALL), false)
  const base = openBase('table', bytes)
  for (const name of Object.keys(REVISION_CLASSES).filter((one) => /^(syntax|trailer)/.test(one))) {
    const make = REVISION_CLASSES[name]
    const [one, two] = [await make?.(base, randomFrom(7)), await make?.(base, randomFrom(7))]
    t.ok(one && two && one.bytes.equals(two.bytes), name)
  }
})

type Chosen = Pick<ViewersTask, 'only' | 'bases' | 'part'>

const run = (mode: 'revisions' | 'uploads' | 'evidence', count: number, chosen: Chosen = {}) =>
  fuzzViewers({
    mode,
    count,
    seed: SEED,
    // Each thread signs and draws the documents anew.
    jobs: 1,
    keep: join(tmpdir(), 'sigcase-fuzz-viewers'),
    ...chosen,
  })

t.test('honest changes pass and look the same', { skip }, async (t) => {
  const { counts, failures } = await run('revisions', 8, { only: 'benign' })
  t.same(failures, [])
  t.equal(counts.size, 4)
  for (const [name, { made, passed }] of counts) t.equal(passed, made, name)
})

for (const [mode, count] of [
  ['revisions', REVISIONS],
  ['uploads', UPLOADS],
  ['evidence', EVIDENCE],
] as const) {
  t.test(`of a third of ${count} ${mode} none that passes looks different`, { skip }, async (t) => {
    const { counts, failures } = await run(mode, count, { part: { index: PART, of: PARTS } })
    t.same(failures, [])
    const rows = [...counts.values()]
    t.equal(
      rows.reduce((sum, { made }) => sum + made, 0),
      Math.ceil((count - PART) / PARTS),
    )
    t.ok(
      rows.some(({ passed }) => passed > 0),
      'some pass',
    )
    for (const [name, { made, passed }] of counts) {
      if (name.startsWith('benign')) t.equal(passed, made, name)
    }
    t.ok(
      rows.some(({ refused }) => refused > 0),
      'and some do not',
    )
  })
}

t.test('honest changes of encrypted documents pass and look the same', { skip }, async (t) => {
  const chosen = { only: 'benign', bases: 'encrypted' }
  for (const [mode, count] of [
    ['revisions', 4],
    ['uploads', 1],
  ] as const) {
    const { counts, failures } = await run(mode, count, chosen)
    t.same(failures, [])
    for (const [name, { made, passed }] of counts) t.equal(passed, made, name)
  }
})

t.test('no changed encryption that passes looks different', { skip }, async (t) => {
  for (const mode of ['revisions', 'uploads'] as const) {
    const chosen = { only: 'encryption', bases: 'encrypted' }
    const { counts, failures } = await run(mode, ENCRYPTED, chosen)
    t.same(failures, [])
    t.equal(counts.size, 6)
  }
})

t.test('an object is written encrypted, and read as it was', { skip }, async (t) => {
  const [shape] = encryptedShapes()
  const base = openBase('encrypted', shape?.build() ?? Buffer.alloc(0))
  const content = base.objects.find(({ role }) => role === 'stream')
  if (!content) throw new Error('the page has a content stream')
  t.match(content.source, 'PRICE 100')
  t.notMatch(content.written, 'PRICE 100')
  const plan = emptyPlan(base.form)
  rewrite(plan, content, content.source)
  const again = openBase('again', writeRevision(base, plan))
  const same = again.objects.find(({ number }) => number === content.number)
  t.equal(same?.source, content.source)
  t.equal(same?.written, content.written)
})

t.test('the command says what it found', { skip }, async (t) => {
  const args = ['viewers', '--mode', 'revisions', '--only', 'benign/rewritten', '--count', '3']
  const { code, stdout } = await runTool('dev/fuzz.ts', [...args, '--jobs', '1'])
  t.equal(code, 0)
  t.match(stdout, /^3 mutations, 3 passed, 0 differences$/m)
  t.equal((await runTool('dev/fuzz.ts', ['viewers', '--mode', 'nothing'])).code, 2)
})
