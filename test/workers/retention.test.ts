import { createHash } from 'node:crypto'
import t from 'tap'
import { findChainFault, hasErased, entryHash } from '../../domain/audit/entry.ts'
import type { AuditHead } from '../../domain/audit/head.ts'
import { encodeJson } from '../../domain/json-object.ts'
import { assertObjectKey } from '../../domain/object-names.ts'
import { orderOf, type Tombstone } from '../../domain/cases/erasure.ts'
import { WITH_VALUES_TYPE } from '../../domain/audit/stored.ts'
import * as keys from '../../domain/cases/keys.ts'
import { reconcile } from '../../controllers/signature-case/reconcile.ts'
import type { KeyedMac } from '../../domain/keyed-mac.ts'
import { finalise } from '../../workers/finalise/finalise.ts'
import { eraseCase } from '../../workers/retention.ts'
import { sealTrail } from '../../workers/trail-seal.ts'
import { uploadResult } from '../fixtures/alarms.ts'
import { CASE_KEY as key, signatureCase } from '../fixtures/signature-case.ts'
import { signedByAll } from '../fixtures/signed-by-all.ts'
import { Life, mortal } from '../fixtures/life.ts'
import { dueAuditEvents } from '../../domain/cases/due-audit-events.ts'
import { acceptedSignatures } from '../../domain/cases/facts.ts'
import type { FinaliseResult } from '../../domain/cases/results.ts'
import { workerDeps, type TestWorkerDeps } from '../fixtures/worker.ts'

const ERASURE = { rule: 'annotation' as const, decidedAt: '2026-11-02T09:00:00.000Z' }
const KEPT = ['audit/', 'audit-heads/', 'certificates/', 'receipts/', 'tombstone.json']

/** A case that is DONE, as the jobs leave it, with its sealed trail. */
async function doneCase(): Promise<TestWorkerDeps> {
  const { deps } = await signedByAll()
  const running = (await deps.cases.get(key))!
  const accepted = acceptedSignatures(deps.keyring, running)
  await deps.trail.append(key, dueAuditEvents(running, accepted))
  await finalise(key, deps)
  const result = deps.objects.json<FinaliseResult>(keys.resultKey(key))!
  const status = { ...running.status!, ...result, phase: 'DONE' as const }
  const done = await deps.cases.replaceStatus({ ...running, status })
  await deps.trail.append(key, dueAuditEvents(done, accepted))
  await sealTrail(key, deps)
  return deps
}

const ordered = (deps: TestWorkerDeps) =>
  uploadResult(deps.objects, keys.tombstoneKey(key), orderOf(key, ERASURE))

function tombstoneOf({ objects }: TestWorkerDeps): Tombstone {
  const stored = objects.json<Tombstone & KeyedMac>(keys.tombstoneKey(key))
  const { kid: _, mac: __, ...tombstone } = stored as Tombstone & KeyedMac
  return tombstone
}

const namesOf = ({ objects }: TestWorkerDeps) =>
  objects.under(keys.caseFolder(key)).map((one) => one.slice(keys.caseFolder(key).length))

/** Names of objects that are deleted, or that lose their personal values. */
const erasableNames = (deps: TestWorkerDeps) =>
  namesOf(deps).filter((name) => {
    const { contentType } = deps.objects.objects.get(keys.caseFolder(key) + name)!
    const isKept = KEPT.some((beginning) => name.startsWith(beginning))
    return !isKept || contentType === WITH_VALUES_TYPE
  })
const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

t.test('without an order nothing is erased', async (t) => {
  const deps = await doneCase()
  const before = namesOf(deps)
  await eraseCase(key, deps)
  t.same(namesOf(deps), before)
})

t.test('everything of people goes, and the tombstone says what was there', async (t) => {
  const deps = await doneCase()
  const before = deps.objects
    .under(keys.caseFolder(key))
    .map((place) => ({ place, bytes: deps.objects.objects.get(place)!.bytes }))
    .map(({ place, bytes }) => ({ name: place.slice(keys.caseFolder(key).length), bytes }))
  const erasable = erasableNames(deps)
  ordered(deps)
  await eraseCase(key, deps)
  t.same(erasableNames(deps), [])
  const { objects, ...stone } = tombstoneOf(deps)
  t.same(stone, { version: 1, ...key, ...ERASURE, erasedAt: deps.now().toISOString() })
  const erased = before
    .filter(({ name }) => erasable.includes(name))
    .map(({ name, bytes }) => ({ name, size: bytes.length, sha256: sha256(bytes) }))
  t.same(
    objects.toSorted((a, b) => (a.name < b.name ? -1 : 1)),
    erased.toSorted((a, b) => (a.name < b.name ? -1 : 1)),
  )
  t.ok(erased.some(({ name }) => name === 'outcome'))
  t.ok(erased.some(({ name }) => name === 'audit/00000001'))
  t.same(deps.ephemeral.published.at(-1), JSON.stringify(key))
})

t.test('nothing that is left names a person', async (t) => {
  const deps = await doneCase()
  const { participants } = (await deps.cases.get(key))!.spec.definition
  const secrets = [
    ...participants.flatMap(({ firstName, lastName, email }) => [firstName, lastName, email]),
    '192.0.2.7',
    '192.0.2.1',
    'Zmluva o dielo',
  ]
  const readAll = () =>
    [...deps.objects.objects]
      .filter(([place]) => !place.startsWith('pki/'))
      .map(([place, { bytes }]) => `${place} ${Buffer.from(bytes).toString('utf8')}`)
      .join('\n')
  t.ok(secrets.every((secret) => readAll().includes(secret)))
  ordered(deps)
  await eraseCase(key, deps)
  for (const secret of secrets) t.notOk(readAll().includes(secret), secret)
})

t.test('the trail is whole and sealed afterwards, and the documents are known', async (t) => {
  const deps = await doneCase()
  const before = await deps.trail.entries(key)
  const { signedDocument, evidenceDocument } = (await deps.cases.get(key))!.status!
  ordered(deps)
  await eraseCase(key, deps)
  const after = await deps.trail.entries(key)
  t.same(after, before)
  t.equal(findChainFault(after, {}), undefined)
  for (const entry of after) {
    const opening = await deps.trail.opening(key, entry.eventId)
    t.equal(opening, undefined)
    t.equal(hasErased(entry, opening), Object.keys(entry.commitments).length > 0)
  }
  const head = deps.objects.json<AuditHead>(keys.auditHeadKey(key, after.length))
  t.equal(head?.hash, entryHash(after.at(-1)!))
  for (const document of [signedDocument, evidenceDocument]) {
    t.ok(await deps.objects.stat(keys.issuedKey(document!.sha256)))
  }
})

t.test('a run that ends between any two steps leaves one that goes on', async (t) => {
  const whole = await doneCase()
  const objects = new Map(whole.objects.objects)
  ordered(whole)
  await eraseCase(key, whole)
  const finished = tombstoneOf(whole)
  const left = namesOf(whole)
  const steps = finished.objects.length + 2
  let ends = 0
  for (let writes = 1; writes <= steps + 1; writes++) {
    for (const lastWriteLands of [true, false]) {
      whole.objects.objects.clear()
      for (const [place, object] of objects) whole.objects.objects.set(place, object)
      ordered(whole)
      const life = new Life(writes, lastWriteLands)
      const dying = mortal(whole.objects, life, ['delete', 'compareAndSwap'])
      const run = eraseCase(key, { ...whole, objects: dying }).then(() => 'ended' as const)
      const turns = new Promise((resolve) => setTimeout(resolve, 20, 'killed'))
      if ((await Promise.race([run, turns])) === 'killed') ends++
      const gone = finished.objects.filter(
        ({ name }) => !whole.objects.objects.has(keys.caseFolder(key) + name),
      )
      const named = new Set(tombstoneOf(whole).objects.map(({ name }) => name))
      t.ok(
        gone.every(({ name }) => named.has(name)),
        'no object is gone that the tombstone does not name',
      )
      await eraseCase(key, whole)
      const names = ({ objects: list }: Tombstone) => list.map(({ name }) => name).sort()
      t.same(names(tombstoneOf(whole)), names(finished), `killed after ${writes}`)
      t.same(namesOf(whole), left)
    }
  }
  t.equal(ends, steps * 2, 'each of them was cut off')
})

t.test('done again it changes nothing; what came late goes, and is named', async (t) => {
  const deps = await doneCase()
  ordered(deps)
  await eraseCase(key, deps)
  const finished = tombstoneOf(deps)
  deps.timers.moveTo('2026-11-02T10:00:00.000Z')
  await eraseCase(key, deps)
  t.same(tombstoneOf(deps), finished)
  deps.objects.upload(keys.uploadKey(key), new Uint8Array(7))
  await eraseCase(key, deps)
  t.notOk(await deps.objects.stat(keys.uploadKey(key)))
  const { objects, erasedAt } = tombstoneOf(deps)
  t.match(objects.at(-1), { name: 'upload.pdf', size: 7 })
  t.equal(objects.length, finished.objects.length + 1)
  t.equal(erasedAt, finished.erasedAt)
})

t.test('two runs at once erase the case once', async (t) => {
  const deps = await doneCase()
  const before = erasableNames(deps)
  ordered(deps)
  await Promise.all([eraseCase(key, deps), eraseCase(key, deps)])
  t.same(
    tombstoneOf(deps)
      .objects.map(({ name }) => name)
      .sort(),
    before.sort(),
  )
  t.same(erasableNames(deps), [])
})

t.test(
  'a run that loses the tombstone to another deletes nothing before it reads again',
  async (t) => {
    const deps = await doneCase()
    ordered(deps)
    const steps: string[] = []
    const swap = deps.objects.compareAndSwap.bind(deps.objects)
    const remove = deps.objects.delete.bind(deps.objects)
    deps.objects.compareAndSwap = async (...given) => {
      steps.push('swap')
      return steps.length > 1 ? swap(...given) : undefined
    }
    deps.objects.delete = async (place) => {
      steps.push('delete')
      await remove(place)
    }
    await eraseCase(key, deps)
    t.same(steps.slice(0, 3), ['swap', 'swap', 'delete'])
    t.ok(tombstoneOf(deps).erasedAt)
  },
)

t.test('a removed case is no longer waited for', async (t) => {
  const deps = await doneCase()
  const place = keys.removedKey(key, '2026-11-02T09:00:00.000Z')
  deps.objects.upload(place, new Uint8Array(2))
  ordered(deps)
  await eraseCase(key, deps)
  t.notOk(await deps.objects.stat(place))
})

t.test('a tombstone that the service did not write erases nothing', async (t) => {
  const deps = await workerDeps()
  const document = keys.documentKey(key)
  deps.objects.upload(document, new Uint8Array(1))
  const planted = encodeJson(orderOf(key, { rule: 'annotation', decidedAt: 'x' }))
  deps.objects.upload(keys.tombstoneKey(key), planted, 'application/json')
  await eraseCase(key, deps)
  t.ok(deps.objects.objects.has(document))
  t.same(deps.alarm.names(), ['tombstone wrongMac'])
  deps.cases.seed(signatureCase({ phase: 'DONE', signed: 2 }))
  await reconcile(key, deps)
  t.equal((await deps.cases.get(key))?.status?.erasure, undefined, 'nor does it end the case')
})

t.test('values go even if somebody changed the content type of their object', async (t) => {
  const deps = await doneCase()
  const place = keys.auditKey(key, 1)
  const { bytes } = deps.objects.objects.get(place)!
  deps.objects.upload(place, bytes, 'application/json')
  ordered(deps)
  await eraseCase(key, deps)
  t.notOk(deps.objects.json<object>(place)!.hasOwnProperty('openings'))
  t.match(
    tombstoneOf(deps).objects.find(({ name }) => name === place.slice(keys.caseFolder(key).length)),
    { sha256: sha256(bytes) },
  )
  t.ok(tombstoneOf(deps).erasedAt)
  t.equal((await deps.trail.check(key)).fault, undefined)
  deps.objects.upload(place, bytes, 'application/json')
  await eraseCase(key, deps)
  t.notOk(deps.objects.json<object>(place)!.hasOwnProperty('openings'), 'also afterwards')
})

t.test('what somebody wrote beside the entries goes with the values', async (t) => {
  const deps = await doneCase()
  const place = keys.auditKey(key, 1)
  const stored = deps.objects.json<{ openings: object }>(place)!
  const copied = encodeJson({ ...stored, copy: stored.openings })
  deps.objects.upload(place, copied, WITH_VALUES_TYPE)
  ordered(deps)
  await eraseCase(key, deps)
  const left = deps.objects.json<object>(place)!
  t.same(Object.keys(left).sort(), ['entries', 'kid', 'mac'])
  t.equal((await deps.trail.check(key)).fault, undefined)
})

t.test('an object that no store reads does not keep back the erasure', async (t) => {
  const deps = await doneCase()
  const folder = keys.caseFolder(key)
  const size = 65 * 1024 * 1024
  const long = [keys.uploadKey(key), `${folder}audit/long`]
  const unreadable = [
    `${folder}not a key`,
    `${folder}audit/.hidden`,
    `${keys.removedPrefix(key)} x`,
  ]
  for (const place of [...long, ...unreadable]) {
    deps.objects.upload(place, new Uint8Array(1), 'application/json')
  }
  // A listing with the true size; the store of the cluster reads at most 64 MB into memory.
  for (const place of long) deps.objects.objects.get(place)!.size = size
  for (const method of ['get', 'delete'] as const) {
    const before = deps.objects[method].bind(deps.objects) as (place: string) => Promise<never>
    deps.objects[method] = async (place: string) => {
      assertObjectKey(place)
      const isLong = method === 'get' && deps.objects.objects.get(place)?.size === size
      if (isLong) throw new RangeError('the object is too long to read')
      return before(place)
    }
  }
  ordered(deps)
  await eraseCase(key, deps)
  t.ok(tombstoneOf(deps).erasedAt)
  for (const place of long) t.notOk(await deps.objects.stat(place))
  t.same(
    tombstoneOf(deps).objects.filter((one) => one.size === size),
    [
      { name: 'upload.pdf', size },
      { name: 'audit/long', size },
    ],
  )
})
