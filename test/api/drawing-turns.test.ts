/** Issue 12, H2: a participant who floods the reader of drawings delays only themselves. */
import { Buffer } from 'node:buffer'
import { setTimeout } from 'node:timers/promises'
import t from 'tap'
import { DrawingReader } from '../../adapters/drawings/drawing-reader.ts'
import type { ApiDeps } from '../../api/deps.ts'
import { signing, testApi, type TestApi } from '../fixtures/api.ts'
import { CASE_KEY, participant } from '../fixtures/signature-case.ts'
import { problemsIn } from '../fixtures/problems.ts'
import { until } from '../fixtures/until.ts'
import { assemble, chunk, headerChunk, makePng } from '../pades/appearance/make-png.ts'

const PARTICIPANTS = 7
const WIDTH = 3_840
const HEIGHT = 2_160
const VICTIMS = [2, 3, 4, 5, 6, 7]
/** The first finds the reader busy; a person who draws sends one every few seconds at most. */
const FLOOD = 120

const everyone = Array.from({ length: PARTICIPANTS }, (_, index) => participant(index + 1))

/** An empty picture of the largest size: all of it has to be decoded to see that. */
function largest(depth: number): string {
  const rows = Buffer.alloc((1 + (depth / 2) * WIDTH) * HEIGHT)
  const size = { width: WIDTH, height: HEIGHT, colourType: 6, depth, pixel: () => [] }
  return makePng({ ...size, rows }).toString('base64')
}

/** A reader whose readings end when the test says so. */
function heldReader() {
  const reads: string[] = []
  const ends: (() => void)[] = []
  const readDrawing: ApiDeps['readDrawing'] = (encoded) => {
    reads.push(encoded)
    const { promise, resolve } = Promise.withResolvers<void>()
    ends.push(resolve)
    const bytes = Buffer.from(encoded)
    return promise.then(() => ({ mediaType: 'image/svg+xml', bytes, sha256: '0'.repeat(64) }))
  }
  return { reads, readDrawing, endOne: () => ends.shift()?.() }
}

/** Longer than a request takes to come to its turn. */
const settled = () => setTimeout(100)
const signAs = (api: TestApi, position: number, encodedSignature: string) =>
  api.sign(position, { encodedSignature }, { body: signing({ encodedSignature }) })

t.test('drawings are read one at a time for each participant, in turns', async (t) => {
  const { reads, readDrawing, endOne } = heldReader()
  const api = await testApi(t, { readDrawing })
  api.seed({ phase: 'IN_PROGRESS', participants: everyone })
  const answers: ReturnType<typeof signAs>[] = []
  for (const name of ['1 a', '1 b', '1 c', '1 d', '2', '3']) {
    answers.push(signAs(api, Number(name[0]), name))
    await settled()
  }
  t.same(reads, ['1 a'])
  const refused = await answers[3]!
  t.equal(refused.statusCode, 503)
  t.match(refused.json(), { code: 'TIMEOUT', retryAfterSeconds: 2 })
  t.equal(refused.headers['retry-after'], '2')
  for (let turn = 0; turn < 3; turn++) {
    endOne()
    await settled()
  }
  t.same(reads, ['1 a', '2', '3'], 'further ones are not read of a participant who has signed')
  t.same(
    (await Promise.all(answers)).map(({ statusCode }) => statusCode),
    [200, 409, 409, 503, 200, 200],
  )
})

t.test('what waits for a turn is checked again before it is read', async (t) => {
  const { reads, readDrawing, endOne } = heldReader()
  const api = await testApi(t, { readDrawing })
  api.seed({ phase: 'IN_PROGRESS', participants: everyone })
  const running = signAs(api, 1, 'a')
  await settled()
  const waiting = signAs(api, 2, 'b')
  await settled()
  await api.ask('DELETE', `/cases/${CASE_KEY.caseId}`)
  endOne()
  t.match((await running).json(), { code: 'CASE_NOT_ACTIVE' })
  t.match((await waiting).json(), { code: 'CASE_NOT_ACTIVE', status: 'CANCELLED' })
  t.same(reads, ['a'])
})

t.test('a request that ran out of time gives up its turn', async (t) => {
  const { reads, readDrawing, endOne } = heldReader()
  const api = await testApi(t, { readDrawing, requestBudgetMs: 2_000 })
  api.seed({ phase: 'IN_PROGRESS', participants: everyone })
  const running = signAs(api, 1, 'a')
  await until(() => reads.length === 1)
  const waiting = signAs(api, 2, 'b')
  t.equal((await waiting).statusCode, 503)
  t.equal((await running).statusCode, 503)
  endOne()
  await settled()
  t.same(reads, ['a'])
})

for (const depth of [16, 8]) {
  t.test(`six sign while a seventh floods with pictures of ${depth} bits`, async (t) => {
    const reader = new DrawingReader()
    t.teardown(() => reader.close())
    const api = await testApi(t, { readDrawing: (encoded) => reader.read(encoded) })
    api.seed({ phase: 'IN_PROGRESS', participants: everyone })
    const hostile = largest(depth)
    const flood = Array.from({ length: FLOOD }, () => signAs(api, 1, hostile))
    const startedMs = performance.now()
    const waits: number[] = []
    for (const position of VICTIMS) {
      // The flood goes on: those that were answered come again.
      const more = Array.from({ length: 5 }, () => signAs(api, 1, hostile))
      flood.push(...more)
      const beganMs = performance.now()
      const { statusCode } = await signAs(api, position, 'M0 20 C20 0 40 40 60 20')
      waits.push(Math.round(performance.now() - beganMs))
      t.equal(statusCode, 200, `participant ${position}`)
    }
    const statuses = (await Promise.all(flood)).map(({ statusCode }) => statusCode)
    const count = (status: number) => statuses.filter((one) => one === status).length
    t.comment(
      `${flood.length} hostile requests of ${Math.round(hostile.length / 1024)} KB: ` +
        `${count(400)} refused as empty or too deep, ${count(503)} as too many; ` +
        `six others in ${Math.round(performance.now() - startedMs)} ms: ${waits.join(', ')} ms`,
    )
    t.equal(count(400) + count(503), flood.length)
  })
}

t.test('a header that promises too much is refused before anything is inflated', async (t) => {
  const header = { width: WIDTH, height: HEIGHT, colourType: 6, depth: 16 }
  const data = chunk('IDAT', Buffer.from('this cannot be inflated'))
  const png = assemble(headerChunk(header), data, chunk('IEND', Buffer.alloc(0)))
  const api = await testApi(t)
  api.seed({ phase: 'IN_PROGRESS' })
  const answer = api.sign(1, { encodedSignature: png.toString('base64') })
  t.match((await answer).json().validationErrors, [{ message: /64 bits each/ }])
  t.same(await problemsIn(answer), ['/encodedSignature drawing'])
})
