/** Drawings are read in a process of their own, within limits, and refused in words. */
import { Buffer } from 'node:buffer'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import t, { type Test } from 'tap'
import {
  DrawingReader,
  DrawingRefusedError,
  type DrawingReaderOptions,
} from '../../../adapters/drawings/drawing-reader.ts'
import { acceptDrawing, MAX_ENCODED_DRAWING, readDrawing } from '../../../pades/index.ts'
import { withoutDescriptors } from '../../fixtures/without-descriptors.ts'
import { makePng } from '../../pades/appearance/make-png.ts'
import { watchCores } from '../../fixtures/busy.ts'
import { holdLoop } from '../../fixtures/receiver-thread.ts'

const PATH = 'M0 20 C20 0 40 40 60 20'
const SOME_TICKS_MS = 50
const WIDTH = 3_840
const HEIGHT = 2_160
const ROW = 1 + 4 * WIDTH

/** A picture with every pixel that may be, each foretold by its neighbours. */
function makeLargest(): string {
  const rows = Buffer.alloc(ROW * HEIGHT)
  for (let y = 0; y < HEIGHT; y++) rows[y * ROW] = 4
  rows.set([20, 30, 40, 255], 1)
  const options = { width: WIDTH, height: HEIGHT, colourType: 6, depth: 8, rows, pixel: () => [] }
  return makePng(options).toString('base64')
}

const LARGEST = makeLargest()

function readerOf(t: Test, options?: DrawingReaderOptions): DrawingReader {
  const reader = new DrawingReader(options)
  t.teardown(() => reader.close())
  return reader
}

/** A reader whose process runs this text. */
function readerThat(t: Test, text: string, options: DrawingReaderOptions = {}): DrawingReader {
  const program = join(t.testdir({ 'child.ts': text }), 'child.ts')
  return readerOf(t, { ...options, program })
}

t.test('what is read is what the PDF library reads', async (t) => {
  const reader = readerOf(t)
  const png = makePng({ width: 4, height: 4, colourType: 6, depth: 8, pixel: () => [0, 0, 0, 255] })
  for (const encoded of [PATH, png.toString('base64')]) {
    const { mediaType, sha256, bytes } = acceptDrawing(encoded)
    const read = await reader.read(encoded)
    t.same({ ...read, bytes: Buffer.from(read.bytes) }, { mediaType, sha256, bytes })
  }
})

t.test('what cannot be taken is refused with the sentence of the library', async (t) => {
  const reader = readerOf(t)
  await t.rejects(reader.read('M0 0LNaN'), { code: 'BAD_DRAWING' })
  await t.rejects(reader.read('%%%'), { message: 'it is neither base64 nor SVG path data' })
  t.match(await reader.read(PATH), { mediaType: 'image/svg+xml' }, 'the next one is read')
})

t.test('the largest picture leaves the loop to others', async (t) => {
  const reader = readerOf(t)
  await reader.read(PATH)
  const startedMs = performance.now()
  readDrawing(LARGEST)
  const onTheLoopMs = performance.now() - startedMs
  const isBusy = watchCores()
  const delay = monitorEventLoopDelay({ resolution: 5 })
  delay.enable()
  // It measures from one of its ticks to the next.
  await setTimeout(SOME_TICKS_MS)
  await reader.read(LARGEST)
  await setTimeout(SOME_TICKS_MS)
  delay.disable()
  const longestMs = delay.max / 1e6
  t.ok(longestMs < onTheLoopMs / 3 || isBusy(), `${longestMs} ms instead of ${onTheLoopMs} ms`)
})

t.test('many at once are each answered with their own', async (t) => {
  const reader = readerOf(t)
  const encoded = Array.from({ length: 40 }, (_, index) => `M0 0L9 ${index}`)
  const read = await Promise.all(encoded.map((one) => reader.read(one)))
  t.same(
    read.map(({ bytes }) => Buffer.from(bytes).toString()),
    encoded,
  )
})

t.test('more than can be answered in time are turned away, to come again', async (t) => {
  const reader = readerThat(t, '', { cpuMs: 60_000, wallMs: 60_000 })
  const waiting = Array.from({ length: 65 }, () => reader.read(PATH))
  await t.rejects(reader.read(PATH), { code: 'TIMEOUT' })
  await reader.close()
  const ends = await Promise.allSettled(waiting)
  t.ok(ends.every(({ status }) => status === 'rejected'))
})

const LISTEN = "process.on('message', (text) => {"
const ANSWER = "process.send({ refused: 'answered ' + text })"

t.test('one that takes too long is refused, and the next one is read', async (t) => {
  const text = `${LISTEN} if (text === 'slow') for (;;); ${ANSWER} })`
  const reader = readerThat(t, text, { cpuMs: 1_500, wallMs: 60_000 })
  const [slow, next] = await Promise.allSettled([reader.read('slow'), reader.read('next')])
  t.match(slow, { reason: { code: 'BAD_DRAWING', message: /too long/ } })
  t.match(next, { reason: { message: 'answered next' } })
})

const waitMs = (ms: number) => `Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ${ms})`
/** CPU time that is enough for the start of a process. */
const START_MS = 1_200
const WAIT = waitMs(START_MS + 300)
/** Time in which a process starts on a busy machine. */
const BUSY_START_MS = 4_000
const ATTEMPTS = 30

/** Reads until the machine has time for it. */
async function readInTime(reader: DrawingReader, text: string): Promise<unknown> {
  let end: unknown
  // A reader that is closed answers at once, and always the same.
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const [settled] = await Promise.allSettled([reader.read(text)])
    end = settled
    if (settled.status === 'fulfilled' || settled.reason.code !== 'TIMEOUT') break
  }
  return end
}

t.test('one that waits for CPU time, or for the start of its process, is read', async (t) => {
  const slow = readerThat(t, `${LISTEN} ${WAIT}; ${ANSWER} })`, { cpuMs: START_MS })
  await t.rejects(slow.read('one'), { message: 'answered one' })
  const late = readerThat(t, `${WAIT}; ${LISTEN} ${ANSWER} })`, { cpuMs: START_MS })
  await t.rejects(late.read('one'), { message: 'answered one' })
})

t.test('one that gets no CPU time is to be sent again, and the next one is read', async (t) => {
  const wait = waitMs(BUSY_START_MS + 1_000)
  const text = `${LISTEN} if (text === 'slow') ${wait}; ${ANSWER} })`
  const reader = readerThat(t, text, { wallMs: BUSY_START_MS })
  const [slow, next] = await Promise.all([
    Promise.allSettled([reader.read('slow')]),
    readInTime(reader, 'next'),
  ])
  t.match(slow, [{ reason: { code: 'TIMEOUT' } }])
  t.match(next, { reason: { message: 'answered next' } })
})

t.test('an answer of a process that was replaced is ignored', async (t) => {
  const wait = `if (text === 'slow') ${waitMs(BUSY_START_MS - 500)}`
  const reader = readerThat(t, `${LISTEN} ${wait}; ${ANSWER} })`, { wallMs: BUSY_START_MS })
  await readInTime(reader, 'first')
  const slow = Promise.allSettled([reader.read('slow')])
  const next = readInTime(reader, 'next')
  // Its answer and the end of its time are both there afterwards: timers come first in a turn.
  await holdLoop(BUSY_START_MS + 500)
  t.match(await slow, [{ reason: { code: 'TIMEOUT' } }])
  t.match(await next, { reason: { message: 'answered next' } })
})

t.test('a reader that is closed reads nothing any more', async (t) => {
  const reader = readerOf(t)
  await reader.close()
  await t.rejects(reader.read(PATH), { code: 'TIMEOUT' })
})

/** Drawings of the greatest length, of the kinds that take most memory to read. */
function costliest(): Record<string, string> {
  const upTo = (start: string, unit: string, end = '') => {
    const room = MAX_ENCODED_DRAWING - start.length - end.length
    return start + unit.repeat(Math.floor(room / unit.length)) + end
  }
  return {
    'the largest picture': LARGEST,
    'mirrored curves': upTo('M0 0s', '1 1 1 2 '),
    'more curves than are taken': upTo('M0 0t', '1 1 '),
    arcs: upTo('M0 0a', '9 9 0 011 1 '),
    'one element after the other': upTo('<svg>', '<path d="h9"/>', '</svg>'),
  }
}

t.test('no drawing of the permitted length reaches the limit of memory', async (t) => {
  const reader = readerOf(t)
  for (const [name, encoded] of Object.entries(costliest())) {
    const [end] = await Promise.allSettled([reader.read(encoded)])
    const why = end.status === 'rejected' ? (end.reason as Error).message : 'is taken'
    t.notMatch(why, /memory|ended/, `${name}: ${why}`)
  }
})

t.test('the process may read the project, and do nothing else', async (t) => {
  const tries = [
    "(await import('node:fs')).readFileSync('/etc/passwd')",
    "(await import('node:fs')).writeFileSync('/tmp/sigcase-written', '')",
    "(await import('node:child_process')).execSync('true')",
  ]
  for (const one of tries) {
    const refuse = 'process.send({ refused: error.code })'
    const text = `process.on('message', async () => { try { ${one} } catch (error) { ${refuse} } })`
    await t.rejects(readerThat(t, text).read(PATH), { message: 'ERR_ACCESS_DENIED' }, one)
  }
  const names = "Object.keys(process.env).filter((name) => !name.startsWith('NODE_CHANNEL'))"
  const text = `process.on('message', () => process.send({ refused: 'it has: ' + ${names} }))`
  await t.rejects(readerThat(t, text).read(PATH), { message: 'it has: ' })
})

t.test('one that takes too much memory is refused, and the next one is read', async (t) => {
  // Few large objects: small ones take seconds of garbage collection.
  const eat = 'const all = []; for (;;) all.push(new Array(1_000_000).fill(1.5))'
  const program = `${LISTEN} if (text === 'large') { ${eat} } ${ANSWER} })`
  // A busy machine may need longer than the usual limit to fill the memory.
  const reader = readerThat(t, program, { cpuMs: 60_000, wallMs: 60_000 })
  const [large, next] = await Promise.allSettled([reader.read('large'), reader.read('next')])
  t.match(large, { reason: { code: 'BAD_DRAWING', message: /too much memory/ } })
  t.match(next, { reason: { message: 'answered next' } })
})

t.test('a fault of ours is not a refusal', async (t) => {
  const broken = readerThat(t, `${LISTEN} process.send({ broke: 'TypeError' }) })`)
  const [end] = await Promise.allSettled([broken.read(PATH)])
  t.match(end, { reason: { message: 'TypeError' } })
  t.notOk(end.status === 'rejected' && end.reason instanceof DrawingRefusedError)
  const ending = readerThat(t, `${LISTEN} process.exit(3) })`, { cpuMs: 30_000, wallMs: 30_000 })
  await t.rejects(ending.read(PATH), /ended/)
})

t.test('without file descriptors a drawing is refused, and the process goes on', async (t) => {
  const source = new URL('../../../adapters/drawings/drawing-reader.ts', import.meta.url)
  const outcomes = await withoutDescriptors(
    source,
    `const { DrawingReader } = module
    use()
    const reader = new DrawingReader()
    outcomes.push(await tried(() => reader.read('${PATH}')))
    outcomes.push(...(await Promise.all([1, 2].map(() => tried(() => reader.read('${PATH}'))))))
    free()
    outcomes.push(await tried(() => reader.read('${PATH}')))`,
  )
  t.same(outcomes, ['EMFILE', 'EMFILE', 'EMFILE', 'done'])
})
