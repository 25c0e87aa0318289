/** A process may read several documents of one owner, and only a good verdict of it counts. */
import { Buffer } from 'node:buffer'
import { readdirSync, readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { ChildReader, type ChildReaderOptions } from '../../../adapters/pdf-sandbox/child-reader.ts'
import { DenoPdfSandbox, type SandboxOptions } from '../../../adapters/pdf-sandbox/pdf-sandbox.ts'
import { FORESEEN_SIGNING as SIGNING } from '../../fixtures/foreseen-signing.ts'
import { buildPdf } from '../../fixtures/pdf.ts'
import { minimalPdf } from '../../fixtures/minimal-pdf.ts'
import { trustAnchors } from '../../fixtures/pki.ts'
import { until } from '../../fixtures/until.ts'
import { OPTIONS, signSample } from '../../pades/validate/sample.ts'
import { watchCores } from '../../fixtures/busy.ts'

t.setTimeout(600_000)

/** How long a process is kept without a document. */
const KEPT_MS = 30_000
const REFUSED = '{"outcome":"refused","code":"DAMAGED","message":"it is damaged"}'

/** Reads a task and a document at a time, and counts them; then it does what the text says. */
const readsAndThen = (text: string) => `
  const chunk = new Uint8Array(1 << 20)
  const take = (length: number) => {
    const taken = new Uint8Array(length)
    for (let filled = 0; filled < length;) {
      const count = Deno.stdin.readSync(chunk.subarray(0, Math.min(chunk.length, length - filled)))
      if (!count) Deno.exit(0)
      taken.set(chunk.subarray(0, count), filled)
      filled += count
    }
    return taken
  }
  const part = () => take(new DataView(take(4).buffer).getUint32(0))
  const write = (text: string) => Deno.stdout.writeSync(new TextEncoder().encode(text))
  const refused = ${JSON.stringify(REFUSED)}
  for (let count = 1; ; count++) {
    part()
    part()
    ${text}
  }`

type Options = SandboxOptions & { times?: Pick<ChildReaderOptions, 'longestWaitMs' | 'keptMs'> }

function childThat(t: Test, text: string, { times, ...options }: Options = {}) {
  const program = join(t.testdir({ 'child.ts': readsAndThen(text) }), 'child.ts')
  const reader = new ChildReader({ program, cpuSeconds: 2, ...times })
  const sandbox = new DenoPdfSandbox({ ...options, reader })
  t.teardown(() => sandbox.close())
  return sandbox
}

/** The process answers with the count of its documents as the width of a page. */
const COUNTING = `
  const pages = [{ width: count, height: 1 }]
  write(JSON.stringify({ outcome: 'inspected', pages, carriesSignatures: false }) + '\\n')`

const countOf = async (sandbox: DenoPdfSandbox, owner?: string) => {
  const verdict = await sandbox.inspect(minimalPdf(), SIGNING, owner)
  return verdict.outcome === 'accepted' ? verdict.pages[0]?.width : verdict.reason
}

t.test('a process reads further documents of the same owner only', async (t) => {
  const sandbox = childThat(t, COUNTING)
  t.equal(await countOf(sandbox, 'acme'), 1)
  t.equal(await countOf(sandbox, 'acme'), 2)
  t.equal(await countOf(sandbox, 'other'), 1)
  t.equal(await countOf(sandbox), 1, 'without an owner it is fresh')
  t.equal(await countOf(sandbox), 1)
  t.equal(await countOf(sandbox, 'acme'), 3)
  t.equal(await countOf(sandbox, 'other'), 2)
})

/** Each process takes long for its first document. */
const SLOW_AT_FIRST = `
  if (count === 1) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 3_000)
  ${COUNTING}`
const CORES = availableParallelism()

t.test('a document waits for a process that reads another one of its owner', async (t) => {
  const sandbox = childThat(t, COUNTING, { times: { longestWaitMs: 100_000 } })
  t.equal(await countOf(sandbox, 'acme'), 1)
  const several = Array.from({ length: CORES + 2 }, () => countOf(sandbox, 'acme'))
  const counts = await Promise.all(several)
  const ofFresh = counts.filter((count) => count === 1)
  t.ok(ofFresh.length <= Math.max(0, CORES - 2), 'the others waited for one of them')
})

t.test('a document does not wait long for a process of its owner', async (t) => {
  const sandbox = childThat(t, SLOW_AT_FIRST)
  const several = Array.from({ length: CORES + 1 }, () => countOf(sandbox, 'acme'))
  t.same(new Set(await Promise.all(several)), new Set([1]), 'all were read by fresh processes')
})

t.test('a document does not wait for a process that reads one of another owner', async (t) => {
  const sandbox = childThat(t, SLOW_AT_FIRST)
  const slow = Array.from({ length: CORES + 1 }, () => countOf(sandbox, 'acme'))
  const other = countOf(sandbox, 'other')
  t.equal(await other, 1)
  await Promise.all(slow)
})

t.test('a document that waits for a process that ends gets a fresh one', async (t) => {
  const sandbox = childThat(t, `if (count > 1) Deno.exit(0); ${COUNTING}`)
  t.equal(await countOf(sandbox, 'acme'), 1)
  const several = Array.from({ length: CORES + 2 }, () => countOf(sandbox, 'acme'))
  t.same(new Set(await Promise.all(several)), new Set([1]))
})

t.test('a process is replaced after many documents', async (t) => {
  const sandbox = childThat(t, COUNTING)
  const counts = []
  for (let document = 0; document < 258; document++) counts.push(await countOf(sandbox, 'acme'))
  t.same(counts.slice(-4), [255, 256, 1, 2])
})

t.test('few processes are kept', async (t) => {
  const sandbox = childThat(t, COUNTING)
  for (const owner of ['a', 'b', 'c', 'd', 'e']) t.equal(await countOf(sandbox, owner), 1, owner)
  t.equal(await countOf(sandbox, 'b'), 2)
  t.equal(await countOf(sandbox, 'a'), 1, 'its process was the oldest')
})

/** What a process does with its second document. */
const failures = {
  'refuses the document': 'write(refused); Deno.exit(0)',
  'ends without an answer': 'Deno.exit(0)',
  fails: 'Deno.exit(3)',
  'uses up its CPU time': 'for (;;);',
  'does not end': 'Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)',
  'writes two answers': `write(refused + '\\n' + refused + '\\n')`,
  // Longer than what is read at once.
  'writes two lines in several parts': `write(refused + '\\n' + ' '.repeat(100_000) + '\\n')`,
}

for (const [failure, text] of Object.entries(failures)) {
  t.test(`when a kept process ${failure}, a fresh one reads it`, async (t) => {
    const limits = failure === 'does not end' ? { wallMs: 8_000 } : {}
    const sandbox = childThat(t, `if (count > 1) { ${text} }; ${COUNTING}`, limits)
    t.equal(await countOf(sandbox, 'acme'), 1)
    t.equal(await countOf(sandbox, 'acme'), 1)
  })
}

t.test('a kept process and a fresh one share the time of a document', async (t) => {
  const wait = (ms: string) => `Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ${ms})`
  const text = `${wait('count > 1 ? Infinity : 1_500')}; ${COUNTING}`
  const program = join(t.testdir({ 'child.ts': readsAndThen(text) }), 'child.ts')
  const reader = new ChildReader({ program })
  t.teardown(() => reader.close())
  const task = { kind: 'inspect', signing: SIGNING } as const
  const read = (wallMs: number) => reader.read(task, minimalPdf(), { wallMs, owner: 'acme' })
  t.match(await read(60_000), { timedOut: false })
  t.match(await read(2_000), { timedOut: true }, 'clients wait no longer')
})

t.test('what a fresh process says counts', async (t) => {
  const sandbox = childThat(t, 'write(refused); Deno.exit(0)')
  t.equal(await countOf(sandbox, 'acme'), 'it is damaged')
})

/** Processes that any thread of this process started. */
const childrenOfThis = () =>
  readdirSync('/proc/self/task').flatMap((thread) =>
    readFileSync(`/proc/self/task/${thread}/children`, 'utf8').split(' ').filter(Boolean),
  )

t.test('a process that writes without being asked is ended', async (t) => {
  const late = 'Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2_000)'
  const sandbox = childThat(t, `${COUNTING}; ${late}; write(refused + '\\n')`)
  const before = childrenOfThis()
  t.equal(await countOf(sandbox, 'acme'), 1)
  const started = () => childrenOfThis().filter((pid) => !before.includes(pid))
  t.equal(started().length, 2, 'one is kept, and one is started ahead')
  await until(() => started().length === 1)
  t.equal(await countOf(sandbox, 'acme'), 1)
})

t.test('a process that gets no further document for a while is ended', async (t) => {
  const sandbox = childThat(t, COUNTING, { times: { keptMs: 1 } })
  const before = childrenOfThis()
  t.equal(await countOf(sandbox, 'acme'), 1)
  await until(() => childrenOfThis().filter((pid) => !before.includes(pid)).length === 1)
  t.equal(await countOf(sandbox, 'acme'), 1)
})

t.test('the sandbox reads several documents in one process', async (t) => {
  const sandbox = new DenoPdfSandbox()
  t.teardown(() => sandbox.close())
  const request = {
    trustAnchors: trustAnchors.map((certificate) => ({ certificate })),
    validationTime: OPTIONS.validationTime,
  }
  const signed = await signSample()
  const fresh = await sandbox.validateSigned(signed, request)
  const before = childrenOfThis()
  for (const width of [200, 300]) {
    const verdict = await sandbox.inspect(minimalPdf({ width, height: 100 }), SIGNING, 'acme')
    t.match(verdict, { outcome: 'accepted', pages: [{ width }] })
    t.same(await sandbox.validateSigned(signed, request, 'acme'), fresh)
  }
  const broken = Buffer.from('%PDF-1.7\nnothing')
  t.match(await sandbox.inspect(broken, SIGNING, 'acme'), { outcome: 'rejected' })
  t.match(await sandbox.inspect(minimalPdf(), SIGNING, 'acme'), { outcome: 'accepted' })
  const started = childrenOfThis().filter((pid) => !before.includes(pid))
  t.ok(started.length <= 2, 'one is kept, and one is started ahead')
})

t.test('a process whose document took much memory is not kept', async (t) => {
  const sandbox = new DenoPdfSandbox()
  t.teardown(() => sandbox.close())
  const before = childrenOfThis()
  const large = buildPdf({ objects: [`<< /Padding (${'x'.repeat(60_000_000)}) >>`] })
  t.match(await sandbox.inspect(large, SIGNING, 'acme'), { outcome: 'accepted' })
  const isBusy = watchCores()
  const answeredMs = performance.now()
  const started = () => childrenOfThis().filter((pid) => !before.includes(pid))
  await until(() => started().length === 1)
  t.ok(performance.now() - answeredMs < KEPT_MS || isBusy(), 'it ends by itself')
  t.match(await sandbox.inspect(minimalPdf(), SIGNING, 'acme'), { outcome: 'accepted' })
})
