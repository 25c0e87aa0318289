/** The sandbox judges documents, and a hostile one takes nothing with it. */
import { Buffer } from 'node:buffer'
import { execFile } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { setTimeout as sleep } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { denoBinary } from '../../../adapters/pdf-sandbox/deno-binary.ts'
import { ChildReader } from '../../../adapters/pdf-sandbox/child-reader.ts'
import { DenoPdfSandbox, type SandboxOptions } from '../../../adapters/pdf-sandbox/pdf-sandbox.ts'
import { SandboxBusyError } from '../../../domain/ports/pdf-sandbox.ts'
import { PADES_ERRORS } from '../../../pades/index.ts'
import { FORESEEN_SIGNING } from '../../fixtures/foreseen-signing.ts'
import { minimalPdf } from '../../fixtures/minimal-pdf.ts'
import { buildPdf } from '../../fixtures/pdf.ts'
import { trustAnchors } from '../../fixtures/pki.ts'
import { OPTIONS, signSample } from '../../pades/validate/sample.ts'

/** Each document has a fresh process, and a closed sandbox has started one more for nothing. */
const sandbox = new DenoPdfSandbox()
t.teardown(() => sandbox.close())

t.test('a good document is accepted with the sizes of its pages', async (t) => {
  const verdict = await sandbox.inspect(
    minimalPdf({ width: 300, height: 200, rotate: 90 }),
    FORESEEN_SIGNING,
  )
  t.same(verdict, {
    outcome: 'accepted',
    pages: [{ width: 200, height: 300 }],
    carriesSignatures: false,
  })
})

t.test('what is not a PDF is rejected with a code and a sentence', async (t) => {
  for (const [text, code] of [
    ['', 'NOT_A_PDF'],
    ['hello', 'NOT_A_PDF'],
    ['%PDF-1.7\nnothing', 'DAMAGED'],
  ] as const) {
    const verdict = await sandbox.inspect(Buffer.from(text), FORESEEN_SIGNING)
    t.match(verdict, { outcome: 'rejected', code, reason: /^[A-Z].{20,}/ })
  }
})

t.test('what can be read but not signed is rejected with the reason and its pages', async (t) => {
  t.same(await sandbox.inspect(buildPdf({ catalog: '/AcroForm 1 0 R' }), FORESEEN_SIGNING), {
    outcome: 'rejected',
    code: 'SIGNING_FORBIDDEN',
    reason: PADES_ERRORS.DEFIES_SIGNING,
    pages: [{ width: 595, height: 842 }],
  })
})

t.test('a document to which much is appended is rehearsed too', async (t) => {
  const places = FORESEEN_SIGNING.signers.flatMap((one) => one.places)
  const signers = Array.from({ length: 50 }, (_, index) => ({
    fieldName: `person-${index}`,
    name: `Person ${index}`,
    places: Array.from({ length: 50 }, () => places).flat(),
  }))
  t.match(await sandbox.inspect(buildPdf(), { ...FORESEEN_SIGNING, signers }), {
    outcome: 'accepted',
  })
})

t.test('ten documents at once are judged each for itself', async (t) => {
  const widths = Array.from({ length: 10 }, (_, index) => 100 + index)
  const verdicts = await Promise.all(
    widths.map((width) => sandbox.inspect(minimalPdf({ width, height: 100 }), FORESEEN_SIGNING)),
  )
  t.same(
    verdicts.map((verdict) => verdict.outcome === 'accepted' && verdict.pages[0]?.width),
    widths,
  )
})

t.test('a program with the rights of the sandbox can reach nothing', async (t) => {
  const attempts = [
    'Deno.readTextFileSync("/etc/passwd")',
    'Deno.env.get("HOME")',
    'Deno.writeTextFileSync("/tmp/x", "")',
    'new Deno.Command("/bin/true").outputSync()',
    'await fetch("http://127.0.0.1:8080/")',
    'Deno.hostname()',
  ]
  for (const attempt of attempts) {
    const outcome = await new Promise<string>((resolve) => {
      const child = execFile(
        denoBinary(),
        ['run', '--quiet', '--no-prompt', '-'],
        { env: {} },
        (_error, _stdout, stderr) => resolve(stderr),
      )
      child.stdin?.end(attempt)
    })
    t.match(outcome, /NotCapable|Requires/, attempt)
  }
})

t.test('no module of the sandbox asks for a right', async (t) => {
  const folder = new URL('../../../adapters/pdf-sandbox/', import.meta.url)
  t.ok(readdirSync(folder).includes('pdf-sandbox.ts'))
  t.notMatch(readFileSync(new URL('pdf-sandbox.ts', folder), 'utf8'), /--allow|'-A'/)
})

t.setTimeout(600_000)

/** Enough to start Deno ten times over. */
const CPU_SECONDS = 1

/** A child that is started ahead must not use up anything. */
const ONCE_ASKED = 'for await (const _ of Deno.stdin.readable) break;'

/** Fills the heap with few large objects: small ones take seconds of garbage collection. */
const ENDLESS_NUMBERS = 'const all = []; for (;;) all.push(new Array(1_000_000).fill(1.5))'

type ChildOptions = Omit<SandboxOptions, 'reader'> & { cpuSeconds?: number }

/** A sandbox whose child runs this text instead of reading the document. */
function childThat(
  t: Test,
  text: string,
  { cpuSeconds = CPU_SECONDS, ...options }: ChildOptions = {},
): DenoPdfSandbox {
  const program = join(t.testdir({ 'child.ts': text }), 'child.ts')
  const reader = new ChildReader({ program, cpuSeconds })
  const sandbox = new DenoPdfSandbox({ reader, ...options })
  t.teardown(() => sandbox.close())
  return sandbox
}

t.test('a document that crashes the reader is rejected, and the fault is reported', async (t) => {
  const faults: string[] = []
  const answer = JSON.stringify({ outcome: 'broke', fault: 'RangeError: stack' })
  const sandbox = childThat(t, `console.log(${JSON.stringify(answer)})`, {
    onBroke: (fault) => faults.push(fault),
  })
  t.match(await sandbox.inspect(minimalPdf(), FORESEEN_SIGNING), {
    outcome: 'rejected',
    reason: /could not be read/,
  })
  t.same(faults, ['RangeError: stack'])
})

t.test('a document that takes all memory is rejected', async (t) => {
  const sandbox = childThat(t, `${ONCE_ASKED} ${ENDLESS_NUMBERS}`, { cpuSeconds: 60 })
  t.match(await sandbox.inspect(minimalPdf(), FORESEEN_SIGNING), {
    outcome: 'rejected',
    reason: /too complex/,
  })
})

const childrenOfThis = () =>
  readFileSync(`/proc/${process.pid}/task/${process.pid}/children`, 'utf8')
    .split(' ')
    .filter(Boolean)

t.test('a document whose reader is ended from outside is read once more', async (t) => {
  const answer = JSON.stringify({ outcome: 'inspected', pages: [], carriesSignatures: false })
  const program = `setTimeout(() => console.log(${JSON.stringify(answer)}), 500)`
  const sandbox = childThat(t, program)
  const before = childrenOfThis()
  const verdict = sandbox.inspect(minimalPdf(), FORESEEN_SIGNING)
  const [reader] = childrenOfThis().filter((pid) => !before.includes(pid))
  process.kill(Number(reader), 'SIGKILL')
  t.match(await verdict, { outcome: 'accepted' })
})

t.test(
  'a document that uses up its CPU time is rejected, and the next one is judged',
  async (t) => {
    const spinning = childThat(t, `${ONCE_ASKED} for (;;);`)
    const startMs = performance.now()
    const verdict = await spinning.inspect(minimalPdf(), FORESEEN_SIGNING)
    t.match(verdict, { outcome: 'rejected', reason: /too complex/ })
    t.ok(performance.now() - startMs >= CPU_SECONDS * 1_000)
    const request = { trustAnchors: [], validationTime: new Date('2026-06-01T00:00:00Z') }
    t.same(await spinning.validate(minimalPdf(), request), { outcome: 'unreadable' })
  },
)

t.test('a document whose reader is stopped for longer than its CPU time is accepted', async (t) => {
  const answer = JSON.stringify({ outcome: 'inspected', pages: [], carriesSignatures: false })
  const sandbox = childThat(t, `setTimeout(() => console.log(${JSON.stringify(answer)}), 500)`)
  const before = childrenOfThis()
  const verdict = sandbox.inspect(minimalPdf(), FORESEEN_SIGNING)
  const [reader] = childrenOfThis().filter((pid) => !before.includes(pid))
  process.kill(Number(reader), 'SIGSTOP')
  await sleep(2 * CPU_SECONDS * 1_000)
  process.kill(Number(reader), 'SIGCONT')
  t.match(await verdict, { outcome: 'accepted' })
})

t.test('a reader that does not come to an end says nothing of the document', async (t) => {
  const waiting = childThat(t, 'setTimeout(() => {}, 60_000)', { wallMs: 500 })
  await t.rejects(waiting.inspect(minimalPdf(), FORESEEN_SIGNING), SandboxBusyError)
})

t.test('a child that fails for its own reasons is not a verdict', async (t) => {
  await t.rejects(
    childThat(t, 'import "./absent.ts"').inspect(minimalPdf(), FORESEEN_SIGNING),
    /sandbox failed/,
  )
  await t.rejects(
    childThat(t, 'Deno.exit(3)').inspect(minimalPdf(), FORESEEN_SIGNING),
    /sandbox failed \(3\)/,
  )
})

t.test('signatures are validated, and what is lacking is named', async (t) => {
  const pdf = await signSample()
  const request = {
    trustAnchors: trustAnchors.map((certificate) => ({ certificate })),
    validationTime: OPTIONS.validationTime,
  }
  const trusted = await sandbox.validate(pdf, request)
  t.match(trusted, {
    outcome: 'validated',
    validation: {
      report: { summary: { indication: 'TOTAL_PASSED', signaturesCount: 3 } },
      lacking: { anchors: [], revocation: [] },
      revisions: [{}, {}, { end: pdf.length, sha256: /^[0-9a-f]{64}$/ }],
    },
  })
  const unknown = await sandbox.validate(pdf, { ...request, trustAnchors: [] })
  if (unknown.outcome !== 'validated') return t.fail(unknown.outcome)
  const { lacking, certificates } = unknown.validation
  t.ok(lacking.anchors.length > 0)
  t.type(lacking.anchors[0]?.[0], Uint8Array)
  t.type(certificates[0], Uint8Array)
  const early = {
    ...request,
    trustAnchors: [
      {
        certificate: trustAnchors[0] as Uint8Array,
        periods: [{ from: new Date('2030-01-01T00:00:00Z') }],
      },
    ],
  }
  t.match(await sandbox.validate(pdf, early), {
    validation: { report: { summary: { indication: 'INDETERMINATE' } } },
  })
})

t.test(
  'a document that cannot be validated is distinguished from one that is not a PDF',
  async (t) => {
    const request = { trustAnchors: [], validationTime: new Date('2026-06-01T00:00:00Z') }
    const validate = (text: string) => sandbox.validate(Buffer.from(text), request)
    t.same(await validate('hello'), { outcome: 'not-a-pdf' })
    t.same(await validate('%PDF-1.7\nnothing'), { outcome: 'unreadable' })
    const all = childThat(t, `${ONCE_ASKED} ${ENDLESS_NUMBERS}`, { cpuSeconds: 60 })
    t.same(await all.validate(minimalPdf(), request), { outcome: 'unreadable' })
    await t.rejects(sandbox.validate(minimalPdf(), request, 1), SandboxBusyError)
    t.match(await sandbox.validate(minimalPdf(), request), { outcome: 'validated' })
  },
)
