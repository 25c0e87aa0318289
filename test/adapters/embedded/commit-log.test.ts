/** Writes of cases are on the disk before anybody learns of them, and share synchronisations. */
import { copyFileSync, fdatasync, fstatSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { SqliteCaseStore } from '../../../adapters/embedded/case-store.ts'
import type { SignatureCase } from '../../../domain/cases/signature-case.ts'
import { AlreadyExistsError, ConflictError } from '../../../domain/ports/stores.ts'
import { settledCase } from '../../fixtures/settled-case.ts'
import { CASE_ID, CASE_KEY, signatureCase } from '../../fixtures/signature-case.ts'

const now = () => new Date()
const LIVING = { tenant: 'acme', filter: {}, sort: 'ID', limit: 9, nowMs: 0 } as const

const { status: _, ...unwritten } = signatureCase()
const status = settledCase().status!
const newCase = (name = CASE_ID) => ({ ...unwritten, metadata: { name, namespace: 'acme' } })

/** A store on a disk whose synchronisations end when the test says so. */
function openOnDisk(t: Test) {
  const path = join(t.testdir(), 'cases.sqlite')
  const began: ((error: Error | null) => void)[] = []
  const faults: unknown[] = []
  const store = new SqliteCaseStore(path, now, {
    synchronise(descriptor, done) {
      t.equal(fstatSync(descriptor).ino, statSync(`${path}-wal`).ino, 'it is the log')
      began.push(done)
    },
    onFault: (error) => faults.push(error),
  })
  t.teardown(() => store.close())
  const end = (error: Error | null = null) => {
    const done = began.shift()
    if (!done) throw new Error('nothing is being synchronised')
    done(error)
  }
  return { store, began, end, faults }
}

/** @returns whether the promise is settled when everything that can run has run */
async function isSettled(promise: Promise<unknown>): Promise<boolean> {
  let settled = false
  const settle = () => void (settled = true)
  promise.then(settle, settle)
  await nextTurn()
  return settled
}

async function createCase({ store, end }: ReturnType<typeof openOnDisk>): Promise<SignatureCase> {
  const created = store.create(newCase())
  end()
  return created
}

t.test('writers, watchers and readers learn of a write when it is on the disk', async (t) => {
  const disk = openOnDisk(t)
  const { store, began, end } = disk
  const first = await createCase(disk)
  const writes = {
    create: () => store.create(newCase('00000000-0000-4000-8000-000000000001')),
    replaceSpec: async () => store.replaceSpec((await store.get(CASE_KEY)) ?? first),
    replaceStatus: async () =>
      store.replaceStatus({ ...((await store.get(CASE_KEY)) ?? first), status }),
    delete: () => store.delete(CASE_KEY),
  }
  for (const [name, write] of Object.entries(writes)) {
    let notified = 0
    const stop = store.watch(() => notified++)
    const written = write()
    await nextTurn()
    t.equal(began.length, 1, `${name} is being synchronised`)
    t.notOk(await isSettled(written), `${name} does not return before`)
    t.equal(notified, 0, `no notification of ${name} before`)
    const reads = {
      get: store.get(CASE_KEY),
      list: store.list({ limit: 9 }),
      find: store.index.find(LIVING),
      listLiving: store.index.listLiving(9),
    }
    for (const [reader, read] of Object.entries(reads)) {
      t.notOk(await isSettled(read), `${reader} does not show ${name} before`)
    }
    end()
    await Promise.all([written, ...Object.values(reads)])
    stop()
    t.equal(notified, name === 'delete' ? 0 : 1, `${name} is notified`)
  }
  t.ok(await isSettled(store.get(CASE_KEY)), 'what is on the disk is read at once')
})

t.test('a writer that lost learns it when the other write is on the disk', async (t) => {
  const disk = openOnDisk(t)
  const { store, end } = disk
  const first = await createCase(disk)
  const won = store.replaceSpec(first)
  const lost = t.rejects(store.replaceSpec(first), ConflictError)
  const taken = t.rejects(store.create(newCase()), AlreadyExistsError)
  t.notOk(await isSettled(Promise.race([won, lost, taken])))
  end()
  await won
  end()
  await Promise.all([lost, taken])
})

t.test('writes that come during a synchronisation share the next one', async (t) => {
  const { store, began, end } = openOnDisk(t)
  const ids = [0, 1, 2, 3].map((digit) => `00000000-0000-4000-8000-00000000000${digit}`)
  const [one, ...others] = ids.map((id) => store.create(newCase(id)))
  t.equal(began.length, 1)
  const rest = Promise.all(others)
  end()
  await one
  t.equal(began.length, 1, 'one for all others')
  t.notOk(await isSettled(rest))
  end()
  await rest
  t.equal(began.length, 0)
})

t.test('rows of the index are on the disk before their writer continues', async (t) => {
  const { store, end } = openOnDisk(t)
  const row = { ...CASE_KEY, createdMs: 1, phase: 'DONE', text: '', version: 1 } as const
  const put = store.index.put([{ ...row, isArchived: true }])
  t.notOk(await isSettled(put))
  end()
  await put
  const removed = store.index.remove(CASE_KEY, 'any')
  t.notOk(await isSettled(removed))
  end()
  await removed
})

t.test('a status that may be durable later is on the disk with the next write', async (t) => {
  const disk = openOnDisk(t)
  const { store, began, end } = disk
  const first = await createCase(disk)
  const written = await store.replaceStatus({ ...first, status }, 'later')
  t.same(await store.get(CASE_KEY), written, 'it is read at once')
  t.equal(began.length, 0, 'nothing is synchronised')
  const next = store.replaceSpec(written)
  t.equal(began.length, 1)
  t.notOk(await isSettled(next))
  end()
  await next
})

const failure = new Error('input/output error')

t.test('after a failure of the disk, no call pretends to know what is on it', async (t) => {
  const disk = openOnDisk(t)
  const first = await createCase(disk)
  const failing = t.rejects(disk.store.replaceSpec(first), failure)
  disk.end(failure)
  await failing
  await t.rejects(disk.store.get(CASE_KEY), failure)
  await t.rejects(disk.store.create(newCase('another')), failure)
  t.same(disk.faults, [failure], 'the service learns of it once')
})

t.test('those who wait for the disk learn of its failure', async (t) => {
  const disk = openOnDisk(t)
  const { store, end } = disk
  const first = await createCase(disk)
  const failing = t.rejects(store.replaceSpec(first), failure)
  const sharing = t.rejects(store.get(CASE_KEY), failure)
  const following = t.rejects(store.create(newCase('another')), failure)
  end(failure)
  await Promise.all([failing, sharing, following])
})

t.test('a store that is closed meanwhile answers, and its writes are there', async (t) => {
  const path = join(t.testdir(), 'cases.sqlite')
  const store = new SqliteCaseStore(path, now)
  const [one, another] = [store.create(newCase()), store.create(newCase('another'))]
  store.close()
  await Promise.all([one, another])
  const after = new SqliteCaseStore(path, now)
  t.teardown(() => after.close())
  t.equal((await after.list({ limit: 9 })).items.length, 2)
})

t.test('a power failure takes back nothing that was acknowledged', async (t) => {
  const folder = t.testdir()
  const path = join(folder, 'cases.sqlite')
  const onDisk = join(folder, 'disk.sqlite')
  // Only what was written before a synchronisation began is certain to be on the disk.
  const store = new SqliteCaseStore(path, now, {
    synchronise(descriptor, done) {
      copyFileSync(path, onDisk)
      copyFileSync(`${path}-wal`, `${onDisk}-wal`)
      fdatasync(descriptor, done)
    },
  })
  t.teardown(() => store.close())
  const created = await store.create(newCase())
  const replaced = await store.replaceStatus({ ...created, status })
  const later = await store.replaceStatus({ ...replaced, status }, 'later')
  const readAfterRestart = async () => {
    const restarted = new SqliteCaseStore(onDisk, now)
    const found = await restarted.get(CASE_KEY)
    restarted.close()
    return found
  }
  t.same(await readAfterRestart(), replaced, 'but what may be durable later')
  const next = await store.replaceSpec(later)
  t.same(await readAfterRestart(), next)
})
