import { createHash } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import t from 'tap'
import { ReadObjects } from '../../application/store/folder-snapshot.ts'
import { documentKey, intakeKey, uploadKey } from '../../domain/cases/keys.ts'
import type { IntakeResult } from '../../domain/cases/results.ts'
import { MAXIMUM_PDF_BYTES, MINIMUM_PDF_BYTES } from '../../domain/limits.ts'
import type {
  ForeseenSigning,
  IntakeVerdict,
  ValidationVerdict,
} from '../../domain/ports/pdf-sandbox.ts'
import { decodeResult } from '../../domain/worker-results.ts'
import { observeUpload } from '../../controllers/signature-case/observe/upload.ts'
import { encodeJson } from '../../domain/json-object.ts'
import { intake } from '../../workers/intake.ts'
import { RecordingAlarm } from '../fixtures/alarms.ts'
import { FrozenTimers } from '../fixtures/frozen-timers.ts'
import { MemoryCaseStore } from '../fixtures/memory-cases.ts'
import { MemoryEphemeral } from '../fixtures/memory-ephemeral.ts'
import { MemoryObjectStore } from '../fixtures/memory-objects.ts'
import { CASE_KEY, keyring, participant, signatureCase } from '../fixtures/signature-case.ts'

const A4 = { width: 595.28, height: 841.89 }
const PAGES: IntakeVerdict = { outcome: 'accepted', pages: [A4, A4], carriesSignatures: false }
const NO_PDF: IntakeVerdict = {
  outcome: 'rejected',
  code: 'NOT_A_PDF',
  reason: 'The file is not a PDF',
}
const FREE = { signatureFields: [] }
const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')
const generation = (fill: number, size = 2000) => new Uint8Array(size).fill(fill)

/** A case with an upload; the sandbox takes every generation whose first octet is not 0. */
function world(value = signatureCase()) {
  const timers = new FrozenTimers('2026-11-02T08:05:00.000Z')
  const objects = new MemoryObjectStore(timers.now)
  const cases = new MemoryCaseStore()
  cases.seed(value)
  const inspected: number[] = []
  const foreseen: ForeseenSigning[] = []
  const sandbox = {
    inspect: async (pdf: Uint8Array, signing: ForeseenSigning): Promise<IntakeVerdict> => {
      foreseen.push(signing)
      inspected.push(pdf[0] as number)
      return pdf[0] === 0 ? NO_PDF : PAGES
    },
    validate: async (): Promise<ValidationVerdict> => ({ outcome: 'unreadable' }),
    close: async () => {},
  }
  const ephemeral = new MemoryEphemeral()
  const alarm = new RecordingAlarm()
  const deps = { cases, objects, sandbox, ephemeral, keyring, alarm, now: timers.now }
  const verdict = () => {
    const stored = objects.objects.get(intakeKey(CASE_KEY))
    const opened = stored && decodeResult<IntakeResult>(keyring, stored)
    return opened && 'value' in opened ? opened.value : undefined
  }
  const frozen = () => objects.objects.get(documentKey(CASE_KEY))?.bytes
  return {
    deps,
    objects,
    ephemeral,
    inspected,
    foreseen,
    verdict,
    frozen,
    upload: uploadKey(CASE_KEY),
  }
}

t.test('the upload is gone before the controller is notified of the verdict', async (t) => {
  const w = world()
  w.objects.upload(w.upload, generation(1))
  const remove = w.objects.delete.bind(w.objects)
  w.objects.delete = async (key) => {
    await setImmediate()
    await remove(key)
  }
  const publish = w.ephemeral.publish.bind(w.ephemeral)
  w.ephemeral.publish = async (channel, message) => {
    t.notOk(w.objects.objects.has(w.upload))
    await publish(channel, message)
  }
  await intake(CASE_KEY, w.deps)
  t.equal(w.ephemeral.published.length, 1)
})

t.test('an accepted upload is frozen and described, and the controller is notified', async (t) => {
  const w = world()
  w.objects.upload(w.upload, generation(1))
  await intake(CASE_KEY, w.deps)
  t.same(w.verdict(), {
    outcome: 'accepted',
    sha256: sha256(generation(1)),
    size: 2000,
    pages: [A4, A4],
    carriesSignatures: false,
    decidedAt: '2026-11-02T08:05:00.000Z',
  })
  t.same(w.frozen(), generation(1))
  t.same(w.ephemeral.published, [JSON.stringify(CASE_KEY)])
})

t.test('the verdict that was written is kept in memory under its generation', async (t) => {
  const w = world()
  const verdicts = new ReadObjects()
  w.objects.upload(w.upload, generation(1))
  await intake(CASE_KEY, { ...w.deps, verdicts })
  const stat = await w.objects.stat(intakeKey(CASE_KEY))
  w.objects.gets = []
  const kept = stat && (await verdicts.get(stat, w.objects))
  t.same(w.objects.gets, [])
  t.match(kept && decodeResult<IntakeResult>(keyring, kept), { value: { outcome: 'accepted' } })
  const none = { ...stat!, generation: 'another' }
  await verdicts.get(none, w.objects)
  t.same(w.objects.gets, [intakeKey(CASE_KEY)], 'another generation is read')
})

t.test('what is not a PDF is rejected with the reason, and nothing is frozen', async (t) => {
  const w = world()
  w.objects.upload(w.upload, generation(0))
  await intake(CASE_KEY, w.deps)
  t.match(w.verdict(), { ...NO_PDF, size: 2000 })
  t.equal(w.frozen(), undefined)
})

t.test('once the verdict is written, no other upload is kept', async (t) => {
  for (const first of [0, 1]) {
    const w = world()
    w.objects.upload(w.upload, generation(first))
    w.objects.beforePut = (key) => {
      t.ok(w.objects.objects.has(w.upload), `it exists until ${key} is`)
    }
    await intake(CASE_KEY, w.deps)
    t.notOk(w.objects.objects.has(w.upload))
    // Killed before it was removed: the next run does it, and judges nothing.
    w.objects.upload(w.upload, generation(first))
    await intake(CASE_KEY, w.deps)
    t.notOk(w.objects.objects.has(w.upload))
    t.same(w.inspected, [first])
  }
})

t.test('sizes count from 1 KB to 25 MB, both included', async (t) => {
  for (const [size, outcome] of [
    [MINIMUM_PDF_BYTES - 1, 'rejected'],
    [MINIMUM_PDF_BYTES, 'accepted'],
    [MAXIMUM_PDF_BYTES, 'accepted'],
    [MAXIMUM_PDF_BYTES + 1, 'rejected'],
  ] as const) {
    const w = world()
    w.objects.upload(w.upload, generation(1, size))
    await intake(CASE_KEY, w.deps)
    t.equal(w.verdict()?.outcome, outcome, `${size} bytes`)
  }
})

t.test('the reason of a rejection counts in plain English', async (t) => {
  for (const [size, held] of [
    [0, '0 bytes'],
    [1, '1 byte'],
    [2, '2 bytes'],
  ] as const) {
    const w = world()
    w.objects.upload(w.upload, generation(1, size))
    await intake(CASE_KEY, w.deps)
    t.match(w.verdict(), { code: 'TOO_SMALL', reason: `The file has ${held}; ` })
  }
})

t.test('an upload that is too large is not even read', async (t) => {
  const w = world()
  w.objects.upload(w.upload, generation(1, MAXIMUM_PDF_BYTES + 1))
  await intake(CASE_KEY, w.deps)
  t.notOk(w.objects.gets.includes(w.upload))
  t.match(w.verdict(), { code: 'TOO_LARGE', reason: /at most 26214400 bytes \(25 MB\)/ })
})

t.test('an upload is read in one request', async (t) => {
  const w = world()
  const stat = w.objects.stat.bind(w.objects)
  const looks: string[] = []
  w.objects.stat = (key) => {
    looks.push(key)
    return stat(key)
  }
  w.objects.upload(w.upload, generation(1))
  await intake(CASE_KEY, w.deps)
  t.same(looks, [])
  t.equal(w.objects.gets.filter((key) => key === w.upload).length, 1)
})

t.test('an upload that shrinks while it is looked at is judged by the next run', async (t) => {
  const w = world()
  w.objects.upload(w.upload, generation(1, MAXIMUM_PDF_BYTES + 1))
  const stat = w.objects.stat.bind(w.objects)
  w.objects.stat = (key) => {
    w.objects.upload(w.upload, generation(1))
    return stat(key)
  }
  await t.rejects(intake(CASE_KEY, w.deps), { name: 'RangeError' })
  t.equal(w.verdict(), undefined)
  await intake(CASE_KEY, w.deps)
  t.match(w.verdict(), { outcome: 'accepted' })
})

t.test('a field on a page that the PDF does not have is named in the rejection', async (t) => {
  const field = { id: 'here', page: 3, x: 1, y: 1, width: 9, height: 9, unit: 'pt' as const }
  const w = world(signatureCase({ participants: [participant(2, { signatureFields: [field] })] }))
  w.objects.upload(w.upload, generation(1))
  await intake(CASE_KEY, w.deps)
  t.match(w.verdict(), {
    outcome: 'rejected',
    code: 'FIELD_MISPLACED',
    reason: 'The signature field "here" of Jana Nováková is on page 3, but the PDF has 2 pages',
  })
  t.equal(w.frozen(), undefined)
})

t.test('a field over a signature that the PDF already has is named in the rejection', async (t) => {
  const field = { id: 'here', page: 1, x: 10, y: 10, width: 90, height: 30, unit: 'pt' as const }
  const reasonFor = async (occupied: { page: number; x: number; y: number }) => {
    const w = world(signatureCase({ participants: [participant(2, { signatureFields: [field] })] }))
    w.deps.sandbox.inspect = async () => ({
      ...PAGES,
      carriesSignatures: true,
      occupied: [{ ...occupied, width: 50, height: 50 }],
    })
    w.objects.upload(w.upload, generation(1))
    await intake(CASE_KEY, w.deps)
    return w.verdict()
  }
  t.match(await reasonFor({ page: 1, x: 60, y: 20 }), {
    outcome: 'rejected',
    code: 'FIELD_MISPLACED',
    reason: /^The signature field "here" of Jana Nováková covers a signature/,
  })
  t.match(await reasonFor({ page: 1, x: 110, y: 20 }), { outcome: 'accepted' })
  t.match(await reasonFor({ page: 2, x: 60, y: 20 }), { outcome: 'accepted' })
})

t.test('the sandbox is given who is going to sign where', async (t) => {
  const field = { id: 'here', page: 2, x: 1, y: 1, width: 9, height: 9, unit: 'pt' as const }
  const participants = [participant(1, { signatureFields: [field] }), participant(2, FREE)]
  const w = world(signatureCase({ participants }))
  w.objects.upload(w.upload, generation(1))
  await intake(CASE_KEY, w.deps)
  t.match(w.foreseen, [
    {
      signers: [
        { fieldName: `sigcase-${participants[0]?.id}`, places: [{ page: 2, width: 9 }] },
        { fieldName: `sigcase-${participants[1]?.id}`, places: [{ page: 1, unit: 'fraction' }] },
      ],
      seal: { fieldName: 'sigcase-seal' },
      archiveFieldName: 'sigcase-archive',
    },
  ])
})

t.test('what cannot be signed is rejected, for a misplaced field first of all', async (t) => {
  const w = world()
  w.deps.sandbox.inspect = async () => ({
    outcome: 'rejected',
    code: 'SIGNING_FORBIDDEN',
    reason: 'It defies',
    pages: [A4],
  })
  w.objects.upload(w.upload, generation(1))
  await intake(CASE_KEY, w.deps)
  t.match(w.verdict(), { code: 'SIGNING_FORBIDDEN', reason: 'It defies' })
  t.equal(w.frozen(), undefined)

  const field = { id: 'here', page: 2, x: 1, y: 1, width: 9, height: 9, unit: 'pt' as const }
  const other = world(
    signatureCase({ participants: [participant(1, { signatureFields: [field] })] }),
  )
  other.deps.sandbox.inspect = w.deps.sandbox.inspect
  other.objects.upload(other.upload, generation(1))
  await intake(CASE_KEY, other.deps)
  t.match(other.verdict(), { outcome: 'rejected', reason: /on page 2, but the PDF has 1 page/ })
})

t.test('who has no field and may choose no place cannot sign: rejected', async (t) => {
  const placeless = signatureCase({
    definition: { ownPlaces: false },
    participants: [participant(1, { signatureFields: [] })],
  })
  const w = world(placeless)
  w.objects.upload(w.upload, generation(1))
  await intake(CASE_KEY, w.deps)
  t.match(w.verdict(), { outcome: 'rejected', reason: /has no signature field/ })
})

t.test('a field that reaches beyond its page is rejected, one up to its edge is not', async (t) => {
  const runIntake = async (field: object) => {
    const corner = { id: 'f', page: 1, x: 0, y: 0, width: 4, height: 4, unit: 'pt' as const }
    const place = { ...corner, ...field }
    const w = world(signatureCase({ participants: [participant(1, { signatureFields: [place] })] }))
    w.objects.upload(w.upload, generation(1))
    await intake(CASE_KEY, w.deps)
    return w.verdict()
  }
  t.match(await runIntake({ x: 500, width: 96 }), { outcome: 'rejected', reason: /beyond page 1/ })
  t.match(await runIntake({ y: 800, height: 42 }), { outcome: 'rejected' })
  t.match(await runIntake({ x: 500, width: 95.28 }), { outcome: 'accepted' })
  t.match(await runIntake({ unit: 'fraction', width: 1, height: 1 }), { outcome: 'accepted' })
  t.match(await runIntake({ unit: 'fraction', width: 1, height: 1, x: 0.5 }), {
    outcome: 'rejected',
  })
})

t.test('a field that is too small to see is rejected', async (t) => {
  for (const [size, outcome] of [
    [{ unit: 'fraction', width: 0.2, height: 1e-9 }, 'rejected'],
    [{ unit: 'fraction', width: 0.2, height: 0.01 }, 'accepted'],
    [{ unit: 'pt', width: 3, height: 50 }, 'rejected'],
    [{ unit: 'pt', width: 4, height: 4 }, 'accepted'],
  ] as const) {
    const place = { id: 'f', page: 1, x: 0, y: 0, ...size }
    const w = world(signatureCase({ participants: [participant(1, { signatureFields: [place] })] }))
    w.objects.upload(w.upload, generation(1))
    await intake(CASE_KEY, w.deps)
    t.equal(w.verdict()?.outcome, outcome, JSON.stringify(size))
    if (outcome === 'rejected') t.match(w.verdict(), { reason: /at least 4 pt wide and high/ })
  }
})

t.test('after a crash between freezing and the verdict the frozen bytes win', async (t) => {
  for (const later of [generation(2), generation(0)]) {
    const w = world()
    w.objects.upload(w.upload, generation(1))
    w.objects.beforePut = (key) => {
      if (key === intakeKey(CASE_KEY)) throw new Error('killed')
    }
    await t.rejects(intake(CASE_KEY, w.deps), { message: 'killed' })
    w.objects.beforePut = undefined
    w.objects.upload(w.upload, later)
    await intake(CASE_KEY, w.deps)
    t.match(w.verdict(), { outcome: 'accepted', sha256: sha256(generation(1)) })
    t.same(w.frozen(), generation(1))
  }
})

t.test('of two runs on two generations both report the bytes that were frozen', async (t) => {
  const w = world()
  w.objects.upload(w.upload, generation(2))
  w.objects.beforePut = async (key) => {
    if (key !== documentKey(CASE_KEY)) return
    w.objects.beforePut = undefined
    w.objects.upload(documentKey(CASE_KEY), generation(1))
  }
  await intake(CASE_KEY, w.deps)
  t.match(w.verdict(), { outcome: 'accepted', sha256: sha256(generation(1)) })
  t.same(w.frozen(), generation(1))
})

t.test('a verdict stays, whatever is uploaded later', async (t) => {
  const w = world()
  w.objects.upload(w.upload, generation(0))
  await intake(CASE_KEY, w.deps)
  w.objects.upload(w.upload, generation(1))
  await intake(CASE_KEY, w.deps)
  t.match(w.verdict(), { outcome: 'rejected' })
  t.equal(w.frozen(), undefined)
  t.equal(w.ephemeral.published.length, 2)
})

t.test('without an upload, and once the case has ended, nothing is done', async (t) => {
  const empty = world()
  await intake(CASE_KEY, empty.deps)
  t.equal(empty.verdict(), undefined)
  const status = { document: undefined } as object
  const ended = world(signatureCase({ phase: 'CANCELLED', status }))
  ended.objects.upload(ended.upload, generation(1))
  await intake(CASE_KEY, ended.deps)
  t.equal(ended.verdict(), undefined)
  t.same(ended.inspected, [])
})

t.test('a sandbox that failed is not a verdict', async (t) => {
  const w = world()
  w.objects.upload(w.upload, generation(1))
  w.deps.sandbox.inspect = async () => {
    throw new Error('the sandbox ran out of memory')
  }
  await t.rejects(intake(CASE_KEY, w.deps))
  t.equal(w.verdict(), undefined)
  t.equal(w.frozen(), undefined)
})

t.test('a verdict that no worker wrote is replaced by one on the upload', async (t) => {
  const w = world()
  const planted = { outcome: 'rejected', reason: 'no', size: 1, decidedAt: 'x', kid: 'x', mac: '0' }
  w.objects.upload(intakeKey(CASE_KEY), encodeJson(planted), 'application/json')
  w.objects.upload(w.upload, generation(1))
  await intake(CASE_KEY, w.deps)
  t.match(w.verdict(), { outcome: 'accepted', sha256: sha256(generation(1)) })
  t.same(w.deps.alarm.names(), ['intake unknownKey'])
  const genuine = w.objects.objects.get(intakeKey(CASE_KEY))
  await intake(CASE_KEY, w.deps)
  t.equal(w.objects.objects.get(intakeKey(CASE_KEY))?.generation, genuine?.generation)
})

t.test('where a planted verdict took the place of one, the frozen bytes are judged', async (t) => {
  const w = world()
  w.objects.upload(w.upload, generation(1))
  await intake(CASE_KEY, w.deps)
  const planted = { outcome: 'accepted', sha256: 'f'.repeat(64), size: 1, pages: [] }
  w.objects.upload(intakeKey(CASE_KEY), encodeJson(planted), 'application/json')
  const { intake: seen, upload } = await observeUpload(CASE_KEY, w.deps)
  t.equal(seen, undefined)
  t.equal(upload?.key, documentKey(CASE_KEY), 'the job is still pending')
  await intake(CASE_KEY, w.deps)
  t.match(w.verdict(), { outcome: 'accepted', sha256: sha256(generation(1)) })
})

t.test('signatures of the upload are validated, and what is wrong is in the verdict', async (t) => {
  const unsigned = world()
  unsigned.deps.sandbox.validate = async () => t.fail('it carries no signatures') as never
  unsigned.objects.upload(unsigned.upload, generation(1))
  await intake(CASE_KEY, unsigned.deps)
  t.notOk('warnings' in (unsigned.verdict() as object))

  const signed = world()
  signed.deps.sandbox.inspect = async () => ({ ...PAGES, carriesSignatures: true })
  signed.objects.upload(signed.upload, generation(1))
  await intake(CASE_KEY, signed.deps)
  t.match(signed.verdict(), {
    outcome: 'accepted',
    warnings: [{ code: 'SIGNATURES_NOT_CHECKED' }],
  })
})
