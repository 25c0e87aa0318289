/** What every CaseStore must do; a test file runs this for each adapter. */
import { setTimeout as sleep } from 'node:timers/promises'
import t, { type Test as TapTest } from 'tap'
import type { SignatureCase } from '../../domain/cases/signature-case.ts'
import { uuidV5 } from '../../domain/ids.ts'
import {
  AlreadyExistsError,
  ConflictError,
  type CaseKey,
  type CaseStore,
  type LeftOut,
} from '../../domain/ports/stores.ts'
import { ENDED_AT, settledCase } from '../fixtures/settled-case.ts'
import {
  callback,
  CASE_ID,
  CASE_KEY,
  CREATED_AT,
  signatureCase,
  type CaseOptions,
} from '../fixtures/signature-case.ts'

const WRITERS = 50
const MAXIMUM_PROBES = 100
const PROBE_WAIT_MS = 100
const PAGE = 3

const idOf = (name: string) => uuidV5(CASE_ID, name)

const caseNamed = (name: string, namespace = CASE_KEY.tenant) => {
  const { status: _, ...one } = signatureCase()
  return { ...one, metadata: { name, namespace } }
}

const status = signatureCase({ phase: 'IN_PROGRESS' }).status!

/** A watch with the names that it received. */
function watching(store: CaseStore) {
  const received = new Set<string>()
  /** Whether the newest report of a case said that it is new. */
  const isNew = new Map<string, boolean>()
  let wake = () => {}
  const stop = store.watch(({ caseId, tenant }: CaseKey, _version, isNewCase = false) => {
    if (tenant === CASE_KEY.tenant) {
      received.add(caseId)
      isNew.set(caseId, isNewCase)
    }
    wake()
  })
  const receives = async (caseId: string) => {
    while (!received.has(caseId)) {
      const { promise, resolve } = Promise.withResolvers<void>()
      wake = resolve
      await promise
    }
  }
  return { received, isNew, stop, receives }
}

/** @param open gives an empty store, which is closed when the test ends */
export function caseStoreContract(name: string, open: (t: TapTest) => Promise<CaseStore>): void {
  t.test(`${name}: a new case gets its metadata and has no status`, async (t) => {
    const store = await open(t)
    const created = await store.create({ ...caseNamed(CASE_ID), status })
    t.ok(created.metadata.resourceVersion)
    t.ok(created.metadata.creationTimestamp)
    t.equal(created.metadata.generation, 1)
    t.notOk(created.status)
    t.same(await store.get(CASE_KEY), created)
  })

  t.test(`${name}: a listing has the versions that readings and writes have`, async (t) => {
    const store = await open(t)
    const created = await store.create(caseNamed(CASE_ID))
    const written = await store.replaceStatus({ ...created, status })
    t.not(written.metadata.resourceVersion, created.metadata.resourceVersion)
    const [listed] = (await store.list({ limit: 9 })).items
    t.equal(listed?.metadata.resourceVersion, written.metadata.resourceVersion)
  })

  t.test(`${name}: a name is taken once within a tenant`, async (t) => {
    const store = await open(t)
    await store.create(caseNamed(CASE_ID))
    await t.rejects(store.create(caseNamed(CASE_ID)), AlreadyExistsError)
    await store.create(caseNamed(CASE_ID, 'other'))
    t.equal(await store.get({ tenant: 'third', caseId: CASE_ID }), undefined)
  })

  t.test(
    `${name}: spec and status are written apart, and only a spec makes a generation`,
    async (t) => {
      const store = await open(t)
      const created = await store.create(caseNamed(CASE_ID))
      const cancellation = { at: '2026-11-02T09:00:00.000Z' }
      const spec = { ...created.spec, cancellation }
      const changed = await store.replaceSpec({ ...created, spec, status })
      t.notOk(changed.status, 'a status beside a spec is not written')
      t.equal(changed.metadata.generation, 2)
      const settled = await store.replaceStatus({ ...changed, spec: created.spec, status })
      t.same(settled.spec, spec, 'a spec beside a status is not written')
      t.same(settled.status, status)
      t.equal(settled.metadata.generation, 2)
    },
  )

  t.test(`${name}: annotations are written with the spec, and stay`, async (t) => {
    const store = await open(t)
    const created = await store.create(caseNamed(CASE_ID))
    t.notOk(created.metadata.annotations)
    const annotations = { 'sigcase.dev/erase': CASE_ID, 'other.example/x': '' }
    const metadata = { ...created.metadata, annotations }
    const changed = await store.replaceSpec({ ...created, metadata })
    t.same(changed.metadata.annotations, annotations)
    const settled = await store.replaceStatus({ ...changed, metadata: changed.metadata, status })
    t.same(settled.metadata.annotations, annotations)
    t.same((await store.get(CASE_KEY))?.metadata.annotations, annotations)
  })

  t.test(`${name}: a case can be created with annotations`, async (t) => {
    const store = await open(t)
    const { metadata, ...rest } = caseNamed(CASE_ID)
    const annotations = { 'sigcase.dev/traceparent': 'x' }
    const created = await store.create({ ...rest, metadata: { ...metadata, annotations } })
    t.same(created.metadata.annotations, annotations)
    t.same((await store.get(CASE_KEY))?.metadata.annotations, annotations)
  })

  t.test(`${name}: a case that is removed goes once nothing keeps it`, async (t) => {
    const store = await open(t)
    await store.create(caseNamed(CASE_ID))
    await store.create(caseNamed(idOf('other')))
    await store.delete(CASE_KEY)
    const going = await store.get(CASE_KEY)
    if (going) {
      t.ok(going.metadata.deletionTimestamp)
      t.ok(going.metadata.finalizers?.length)
      await store.replaceSpec({ ...going, metadata: { ...going.metadata, finalizers: [] } })
    }
    t.equal(await store.get(CASE_KEY), undefined)
    await store.delete(CASE_KEY)
    const { items } = await store.list({ limit: PAGE, tenant: CASE_KEY.tenant })
    t.same(
      items.map(({ metadata }) => metadata.name),
      [idOf('other')],
    )
    t.notOk((await store.create(caseNamed(CASE_ID))).status, 'the name is free again')
  })

  t.test(`${name}: only the given version of a case is deleted`, async (t) => {
    const store = await open(t)
    const old = await store.create(caseNamed(CASE_ID))
    const written = await store.replaceStatus({ ...old, status })
    await t.rejects(store.delete(CASE_KEY, old.metadata.resourceVersion), ConflictError)
    t.same(await store.get(CASE_KEY), written)
    const free = { ...written, metadata: { ...written.metadata, finalizers: [] } }
    const current = written.metadata.finalizers ? await store.replaceSpec(free) : written
    await store.delete(CASE_KEY, current.metadata.resourceVersion)
    t.equal(await store.get(CASE_KEY), undefined)
    await store.delete(CASE_KEY, current.metadata.resourceVersion)
  })

  t.test(`${name}: a write with an old resource version is refused`, async (t) => {
    const store = await open(t)
    const old = await store.create(caseNamed(CASE_ID))
    await store.replaceStatus({ ...old, status })
    await t.rejects(store.replaceStatus({ ...old, status }), ConflictError)
    await t.rejects(store.replaceSpec(old), ConflictError)
    const gone = { ...old, metadata: { ...old.metadata, name: idOf('gone') } }
    await t.rejects(store.replaceSpec(gone), ConflictError)
  })

  t.test(`${name}: of fifty writers at once one wins`, async (t) => {
    const store = await open(t)
    const old = await store.create(caseNamed(CASE_ID))
    // Each writes something else: what changes nothing may succeed beside another.
    const specOf = (index: number) => {
      const cancellation = { at: '2026-11-02T09:00:00.000Z', reason: `writer ${index}` }
      return { ...old.spec, cancellation }
    }
    const writes = await Promise.allSettled(
      Array.from({ length: WRITERS }, (_, index) =>
        index % 2 === 0
          ? store.replaceSpec({ ...old, spec: specOf(index) })
          : store.replaceStatus({ ...old, status }),
      ),
    )
    t.equal(writes.filter(({ status: end }) => end === 'fulfilled').length, 1)
  })

  t.test(`${name}: what was read is the reader's own`, async (t) => {
    const store = await open(t)
    const created = await store.create(caseNamed(CASE_ID))
    created.spec.definition.title = 'changed'
    t.not((await store.get(CASE_KEY))?.spec.definition.title, 'changed')
  })

  t.test(`${name}: cases of all tenants are listed by pages, each once`, async (t) => {
    const store = await open(t)
    const expected = ['a1', 'a2', 'b1', 'b2', 'c1', 'c2', 'd1']
    for (const one of expected) await store.create(caseNamed(idOf(one), `tenant-${one[0]}`))
    const seen: string[] = []
    let next: string | undefined
    do {
      const page = await store.list({
        limit: PAGE,
        ...(next === undefined ? {} : { continue: next }),
      })
      t.ok(page.items.length <= PAGE)
      seen.push(...page.items.map(({ metadata }) => metadata.name))
      next = page.continue
    } while (next !== undefined)
    t.same(seen.sort(), expected.map(idOf).sort())
  })

  t.test(`${name}: cases of one tenant are listed in order of name, each once`, async (t) => {
    const store = await open(t)
    const names = ['c', 'a-b', 'a', 'b', 'e', 'd', 'f']
    for (const tenant of ['acme', 'acme-2', 'zoo']) {
      for (const one of names) await store.create(caseNamed(one, tenant))
    }
    const page = (limit: number, next?: string) =>
      store.list({ tenant: 'acme', limit, ...(next === undefined ? {} : { continue: next }) })
    const namesOf = ({ items }: Awaited<ReturnType<typeof page>>) =>
      items.map(({ metadata }) => `${metadata.namespace}/${metadata.name}`)
    const first = await page(PAGE)
    t.same(namesOf(first), ['acme/a', 'acme/a-b', 'acme/b'])
    await store.create(caseNamed('aa', 'acme'))
    const second = await page(PAGE, first.continue)
    t.same(namesOf(second), ['acme/c', 'acme/d', 'acme/e'], 'what came meanwhile moves nothing')
    t.same(namesOf(await page(1, first.continue)), ['acme/c'], 'again, with another limit')
    const last = await page(PAGE, second.continue)
    t.same(namesOf(last), ['acme/f'])
    t.equal(last.continue, undefined)
    t.same((await store.list({ tenant: 'none', limit: PAGE })).items, [])
  })

  t.test(`${name}: a listing may leave out finished cases, which it counts`, async (t) => {
    const store = await open(t)
    const finish = async (name: string, more: CaseOptions = {}) => {
      const { status: settled, spec } = settledCase(more)
      const created = await store.create({ ...caseNamed(idOf(name)), spec })
      return store.replaceStatus({ ...created, status: settled! })
    }
    const changed = await finish('a')
    await finish('b')
    await finish('c', { phase: 'EXPIRED' })
    await finish('d', { definition: { callback: callback() } })
    await store.create(caseNamed(idOf('e')))
    const endedMs = Date.parse(ENDED_AT)
    const createdMs = Date.parse(CREATED_AT)
    const listWithout = async (leaveOut: LeftOut) => {
      const found: string[] = []
      let left = 0
      let next: string | undefined
      do {
        const from = next === undefined ? {} : { continue: next }
        const page = await store.list({ limit: 2, leaveOut, ...from })
        found.push(...page.items.map(({ metadata }) => metadata.name))
        for (const count of page.leftOut?.values() ?? []) left += count
        next = page.continue
      } while (next !== undefined)
      t.equal(found.length + left, 5, 'each case is listed or counted')
      t.equal(new Set(found).size, found.length)
      return ['a', 'b', 'c', 'd', 'e'].filter((one) => found.includes(idOf(one))).join('')
    }
    const mayRest = { endedFromMs: -Infinity, createdFromMs: -Infinity }
    // A store may list all of them.
    t.match(await listWithout(mayRest), /^(e|abcde)$/)
    t.match(await listWithout({ ...mayRest, endedFromMs: endedMs }), /^(e|abcde)$/)
    t.equal(await listWithout({ ...mayRest, endedFromMs: endedMs + 1 }), 'abcde')
    t.match(await listWithout({ ...mayRest, createdFromMs: createdMs }), /^(e|abcde)$/)
    t.match(await listWithout({ ...mayRest, createdFromMs: createdMs + 1 }), /^(de|abcde)$/)
    await store.replaceSpec(changed)
    t.match(await listWithout(mayRest), /^(ae|abcde)$/, 'a change gives a case work again')
  })

  t.test(`${name}: a watcher receives creation and change until it stops`, async (t) => {
    const store = await open(t)
    const watcher = watching(store)
    t.teardown(watcher.stop)
    // A watch may miss what happens before it is open.
    for (let probe = 0; probe < MAXIMUM_PROBES && watcher.received.size === 0; probe++) {
      await store.create(caseNamed(idOf(`probe ${probe}`)))
      await sleep(PROBE_WAIT_MS)
    }
    const created = await store.create(caseNamed(CASE_ID))
    await watcher.receives(CASE_ID)
    t.ok(watcher.isNew.get(CASE_ID), 'the API created it')
    watcher.received.clear()
    const changed = await store.replaceStatus({ ...created, status })
    await watcher.receives(CASE_ID)
    t.notOk(watcher.isNew.get(CASE_ID))
    const applied = caseNamed(idOf('applied'))
    const { creation: _, ...spec } = applied.spec
    await store.create({ ...applied, spec: spec as SignatureCase['spec'] })
    await watcher.receives(idOf('applied'))
    t.notOk(watcher.isNew.get(idOf('applied')), 'the controller has to accept it')
    watcher.received.clear()
    watcher.stop()
    await store.replaceSpec(changed)
    await sleep(PROBE_WAIT_MS)
    t.equal(watcher.received.size, 0)
  })
}
