import t from 'tap'
import { testTrail, uploadResult } from '../../fixtures/alarms.ts'
import {
  caseFolder,
  deliveryKey,
  intakeKey,
  outcomeKey,
  receiptKey,
  redeliveryKey,
  resultKey,
  tombstoneKey,
  uploadKey,
} from '../../../domain/cases/keys.ts'
import { headOf } from '../../../domain/audit/signature-check.ts'
import { failureCountKey } from '../../../domain/cases/jobs.ts'
import { FINALIZER } from '../../../domain/cases/complete.ts'
import { acceptedSignatures } from '../../../domain/cases/facts.ts'
import {
  auditEvent,
  dueAuditEvents,
  eventId,
  trailSealReceiptId,
} from '../../../domain/cases/due-audit-events.ts'
import type { SignatureCase } from '../../../domain/cases/signature-case.ts'
import { ServiceError } from '../../../domain/errors.ts'
import type { Condition } from '../../../domain/resources.ts'
import { dueWebhooks } from '../../../domain/cases/webhooks.ts'
import { ReadObjects } from '../../../application/store/folder-snapshot.ts'
import { encodeJson } from '../../../domain/json-object.ts'
import type { CaseResources } from '../../../domain/ports/case-resources.ts'
import type { ObjectStore } from '../../../domain/ports/object-store.ts'
import { gather, type GatherDeps } from '../../../controllers/signature-case/gather.ts'
import { reconcile } from '../../../controllers/signature-case/reconcile.ts'
import { controllerDeps } from '../../fixtures/controller.ts'
import { ACCEPTED, FAILURE, RESULT } from '../../fixtures/observation.ts'
import { keptFor } from '../../fixtures/retention.ts'
import { seededHex } from '../../fixtures/seeded-hex.ts'
import {
  callback,
  CASE_ID,
  CASE_KEY,
  keyring,
  participant,
  signature,
  signatureCase,
  type CaseOptions,
} from '../../fixtures/signature-case.ts'

const AT = '2026-11-02T10:00:00.000Z'
function world(value: SignatureCase) {
  const deps = controllerDeps(AT)
  deps.cases.seed(value)
  return deps
}

/** What is asked of the store, keys within the folder of the case. */
function asked(objects: ObjectStore) {
  const requests: string[] = []
  const note = (verb: string, key: string) =>
    requests.push(`${verb} ${key.replace(caseFolder(CASE_KEY), '')}`)
  const received = new Proxy(objects, {
    get(store, verb: keyof ObjectStore) {
      return (key: string, ...rest: never[]) => {
        note(verb, key)
        return (store[verb] as (key: string, ...rest: never[]) => unknown)(key, ...rest)
      }
    },
  })
  return { received, requests }
}

/** Everything that can be in the folder of a case. */
function fill({ objects }: ReturnType<typeof world>) {
  objects.upload(uploadKey(CASE_KEY), new Uint8Array(7))
  uploadResult(objects, intakeKey(CASE_KEY), ACCEPTED)
  objects.upload(outcomeKey(CASE_KEY), new Uint8Array(7))
  uploadResult(objects, resultKey(CASE_KEY), RESULT)
  uploadResult(objects, receiptKey(CASE_KEY, trailSealReceiptId(CASE_ID)), {})
  const order = { version: 1, ...CASE_KEY, rule: 'annotation', decidedAt: AT, objects: [] }
  uploadResult(objects, tombstoneKey(CASE_KEY), order)
}

async function recordRequests(value: SignatureCase, more: Pick<GatherDeps, 'resources'> = {}) {
  const deps = { ...world(value), ...more }
  fill(deps)
  const { received, requests } = asked(deps.objects)
  const trail = testTrail(received, seededHex())
  await gather(CASE_KEY, { ...deps, objects: received, trail })
  return requests.sort()
}

t.test('a case that does not exist is not observed', async (t) => {
  t.equal(await gather(CASE_KEY, controllerDeps(AT)), undefined)
})

/** What lacked a Secret got it: that says nothing about a former case. */
const INVALID: Condition = {
  type: 'Invalid',
  status: 'True',
  reason: 'specBreaksSchema',
  message: '',
  lastTransitionTime: AT,
}

t.test('the folder is listed once, and each state reads what it can have', async (t) => {
  const ended = ['get tombstone.json', `get receipts/${trailSealReceiptId(CASE_ID)}`]
  const rows: readonly [string, CaseOptions, string[]][] = [
    ['not observed yet', {}, ['get intake.json', 'get tombstone.json']],
    ['new', { status: { phase: 'NEW' } }, ['get intake.json']],
    [
      'blocked before',
      { status: { phase: 'NEW', conditions: [INVALID] } },
      ['get intake.json', 'get tombstone.json'],
    ],
    ['in progress', { phase: 'IN_PROGRESS', signed: 1 }, ['get result.json']],
    ['done', { phase: 'DONE', signed: 2 }, ended],
    ['expired', { phase: 'EXPIRED' }, ended],
    ['rejected', { phase: 'UPLOAD_REJECTED' }, ended],
  ]
  for (const [name, options, requests] of rows) {
    t.same(await recordRequests(signatureCase(options)), [...requests, 'list '].sort(), name)
  }
})

t.test('what was read is not read again until it changes', async (t) => {
  const deps = { ...world(signatureCase({ status: { phase: 'NEW' } })), read: new ReadObjects() }
  uploadResult(deps.objects, intakeKey(CASE_KEY), ACCEPTED)
  const reads = () => deps.objects.gets.splice(0)
  t.match(await gather(CASE_KEY, deps), { intake: ACCEPTED })
  t.same(reads(), [intakeKey(CASE_KEY)])
  t.match(await gather(CASE_KEY, deps), { intake: ACCEPTED })
  t.same(reads(), [])
  uploadResult(deps.objects, intakeKey(CASE_KEY), { ...ACCEPTED, size: 3 })
  t.match(await gather(CASE_KEY, deps), { intake: { size: 3 } })
  t.same(reads(), [intakeKey(CASE_KEY)])
})

t.test('a recent listing is used while nothing is found by listing', async (t) => {
  const value = signatureCase({ phase: 'IN_PROGRESS', signed: 2 })
  const deps = { ...world(value), read: new ReadObjects() }
  let listings = 0
  const { list } = deps.objects
  deps.objects.list = (prefix, options) => {
    if (prefix === caseFolder(CASE_KEY)) listings += 1
    return list.call(deps.objects, prefix, options)
  }
  await gather(CASE_KEY, deps)
  await gather(CASE_KEY, deps)
  t.equal(listings, 1)
  uploadResult(deps.objects, resultKey(CASE_KEY), RESULT)
  deps.objects.upload(outcomeKey(CASE_KEY), new Uint8Array(7))
  t.match(await gather(CASE_KEY, deps), { result: RESULT }, 'what is looked for is read')
  t.equal(listings, 1)
})

t.test('an outcome is looked for once it was reported, or a minute later', async (t) => {
  const value = signatureCase({ phase: 'IN_PROGRESS', signed: 2 })
  const read = new ReadObjects()
  const deps = { ...world(value), read, isNotified: false }
  let nowMs = Date.parse(AT)
  deps.now = () => new Date(nowMs)
  await gather(CASE_KEY, deps)
  uploadResult(deps.objects, resultKey(CASE_KEY), RESULT)
  deps.objects.upload(outcomeKey(CASE_KEY), new Uint8Array(7))
  const { received, requests } = asked(deps.objects)
  const unreported = await gather(CASE_KEY, { ...deps, objects: received })
  t.equal(unreported?.result, undefined)
  t.notOk(requests.some((request) => request.includes('outcome')))
  t.match(await gather(CASE_KEY, { ...deps, isNotified: true }), { result: RESULT })
  nowMs += 60_000
  t.match(await gather(CASE_KEY, deps), { result: RESULT }, 'the report was lost')
})

t.test(
  'receipts of mails are listed once a worker has reported them, or a minute later',
  async (t) => {
    const id = eventId(CASE_ID, 'mail.invitation', participant(1).id)
    for (const isReported of [true, false]) {
      const value = signatureCase({ phase: 'IN_PROGRESS' })
      const deps = { ...world(value), read: new ReadObjects() }
      let nowMs = Date.parse(AT)
      deps.now = () => new Date(nowMs)
      const receipts = async () => [...((await gather(CASE_KEY, deps))?.receipts.keys() ?? [])]
      t.same(await receipts(), [])
      deps.objects.upload(receiptKey(CASE_KEY, id), encodeJson({}))
      t.same(await receipts(), [])
      if (isReported) deps.read.forgetListing(caseFolder(CASE_KEY))
      else nowMs += 60_000
      t.same(await receipts(), [id])
    }
  },
)

t.test('a trail that others extended is read on without a listing', async (t) => {
  const deps = { ...world(signatureCase({ phase: 'IN_PROGRESS' })), read: new ReadObjects() }
  const lists: string[] = []
  const { list } = deps.objects
  deps.objects.list = (prefix, options) => {
    lists.push(prefix)
    return list.call(deps.objects, prefix, options)
  }
  const [first, second] = dueAuditEvents(signatureCase(), [])
  await deps.trail.append(CASE_KEY, [first!])
  await gather(CASE_KEY, deps)
  const other = testTrail(deps.objects, seededHex(), deps.alarm)
  const head = headOf(await other.append(CASE_KEY, [second!]))
  const { sequence } = head
  const signed = signature(participant(1), { trail: head })
  lists.length = 0
  deps.cases.seed(signatureCase({ phase: 'IN_PROGRESS', signatures: [signed] }))
  t.match(await gather(CASE_KEY, deps), { trailHead: { sequence } })
  t.same(lists, [])
  // A head that the trail does not reach is looked for in a listing, and is a fault.
  const beyond = { sequence: sequence + 1, hash: '0'.repeat(64) }
  const forged = signature(participant(2), { trail: beyond })
  deps.cases.seed(signatureCase({ phase: 'IN_PROGRESS', signatures: [signed, forged] }))
  t.match(await gather(CASE_KEY, deps), { trailFault: { fault: 'missingHead' } })
  t.ok(lists.includes(caseFolder(CASE_KEY)))
})

t.test('of a case with a callback the log of its open webhooks is read', async (t) => {
  const value = signatureCase({
    phase: 'IN_PROGRESS',
    signed: 2,
    definition: { callback: callback() },
  })
  const [first, second] = dueWebhooks(value, acceptedSignatures(keyring, value))
  const ids = [`${first?.eventId}`, `${second?.eventId}`] as const
  const deps = world(value)
  const attempt = { number: 1, deliveryId: 'd', round: 1, kind: 'attempt', claimedAt: AT }
  for (const id of ids) deps.objects.upload(deliveryKey(CASE_KEY, id, 1), encodeJson(attempt))
  deps.objects.upload(receiptKey(CASE_KEY, ids[0]), encodeJson({}))
  const once = await gather(CASE_KEY, deps)
  t.same([...(once?.receipts.keys() ?? [])], [ids[0]])
  t.same(once?.deliveries?.requests, [])
  t.same([...(once?.deliveries?.attempts ?? [])], [[ids[1], [attempt]]])
  deps.objects.upload(redeliveryKey(CASE_KEY, ids[0], 2), encodeJson({}))
  const again = await gather(CASE_KEY, deps)
  t.match(again?.deliveries?.requests, [{ eventId: ids[0], round: 2 }])
  t.same([...(again?.deliveries?.attempts.keys() ?? [])], [...ids])
})

t.test('the verdict on the upload goes before the upload', async (t) => {
  const deps = world(signatureCase())
  deps.objects.upload(uploadKey(CASE_KEY), new Uint8Array(7))
  const waits = await gather(CASE_KEY, deps)
  t.match(waits?.upload, { size: 7 })
  t.equal(waits?.intake, undefined)
  uploadResult(deps.objects, intakeKey(CASE_KEY), ACCEPTED)
  const judged = await gather(CASE_KEY, deps)
  t.same(judged?.intake, ACCEPTED)
  t.equal(judged?.upload, undefined)
})

t.test('an outcome is a failure, or a result that comes after it', async (t) => {
  const deps = world(signatureCase({ phase: 'IN_PROGRESS', signed: 2 }))
  uploadResult(deps.objects, outcomeKey(CASE_KEY), FAILURE)
  t.match(await gather(CASE_KEY, deps), { failure: FAILURE, result: undefined })
  deps.objects.upload(outcomeKey(CASE_KEY), new Uint8Array(1))
  t.match(await gather(CASE_KEY, deps), { failure: undefined, result: undefined })
  uploadResult(deps.objects, resultKey(CASE_KEY), RESULT)
  t.match(await gather(CASE_KEY, deps), { failure: undefined, result: RESULT })
})

t.test('of an ended case the newest seal, the retention and the erasure are seen', async (t) => {
  const deps = { ...world(signatureCase({ phase: 'DONE', signed: 2 })), retention: keptFor(30) }
  const sealed = { sequence: 10, hash: '00', at: AT }
  uploadResult(deps.objects, receiptKey(CASE_KEY, trailSealReceiptId(CASE_ID)), { sealed })
  t.match(await gather(CASE_KEY, deps), {
    sealedHead: { sequence: 10, sealedAtMs: Date.parse(AT) },
    retentionDays: 30,
    tombstone: undefined,
  })
  const order = { version: 1, ...CASE_KEY, rule: 'annotation', decidedAt: AT, objects: [] }
  uploadResult(deps.objects, tombstoneKey(CASE_KEY), order)
  t.match(await gather(CASE_KEY, deps), { tombstone: order, retentionDays: undefined })
  const erased = { ...order, erasedAt: AT }
  uploadResult(deps.objects, tombstoneKey(CASE_KEY), erased)
  t.match(await gather(CASE_KEY, deps), { tombstone: erased, hasLeftovers: false })
  deps.objects.upload(uploadKey(CASE_KEY), new Uint8Array(1))
  t.match(await gather(CASE_KEY, deps), { tombstone: erased, hasLeftovers: true })
})

t.test(
  'for a case that was not observed before, leftovers of a former one are found',
  async (t) => {
    const order = { version: 1, ...CASE_KEY, rule: 'annotation', decidedAt: AT, objects: [] }
    const deps = { ...world(signatureCase()), retention: keptFor(30) }
    uploadResult(deps.objects, intakeKey(CASE_KEY), ACCEPTED)
    uploadResult(deps.objects, tombstoneKey(CASE_KEY), order)
    const seen = await gather(CASE_KEY, deps)
    t.match(seen, { intake: ACCEPTED, tombstone: order, retentionDays: undefined })
  },
)

t.test('without the ephemeral store everything else is seen', async (t) => {
  const value = signatureCase({ phase: 'IN_PROGRESS', signed: 2 })
  const deps = world(value)
  const count = failureCountKey('finalise', `${CASE_KEY.tenant}_${CASE_ID}`)
  await deps.ephemeral.set(count, '3', { ttlMs: 60_000 })
  t.match(await gather(CASE_KEY, deps), { failing: 'finalise', accepted: { length: 2 } })
  const ephemeral = { get: () => Promise.reject(new Error('redis is away')) }
  const blind = await gather(CASE_KEY, { ...deps, ephemeral })
  t.match(blind, { failing: undefined, accepted: { length: 2 } })
})

/** As a person applies it: without creation and finalizer. */
function applied(secretName?: string): SignatureCase {
  const named = secretName === undefined ? {} : { secretRef: { name: secretName } }
  const definition = { callback: { ...callback({ authType: 'BASIC' }), ...named } }
  const { spec, ...rest } = signatureCase({ definition })
  const { creation: _, ...unmarked } = spec
  return { ...rest, spec: unmarked } as unknown as SignatureCase
}

const credentials = { clientId: 'c', clientSecret: 's' }
const resources = {
  findCredentials: async (_tenant: string, name: string) =>
    name === 'hooks' ? credentials : undefined,
  publishedUpload: async () => new Date(AT),
} as Partial<CaseResources> as CaseResources

t.test('of a case that cannot be worked with as it is, nothing but that is seen', async (t) => {
  const seen = async (value: SignatureCase) => {
    t.same(await recordRequests(value, { resources }), [])
    return gather(CASE_KEY, { ...world(value), resources })
  }
  const broken = signatureCase({ definition: { title: '' } })
  t.match(await seen(broken), { specFault: /title/, accepted: [] })
  t.match(await seen(applied('hooks')), {
    specFault: undefined,
    lacksFinalizer: true,
    signatureCase: { spec: { creation: {} } },
    credentials,
  })
  t.match((await seen(applied('other')))?.specFault, /secretRef: no Secret other/)
  t.match((await seen(applied()))?.specFault, /spec\/definition\/callback: /)
})

t.test('a case in a namespace of no tenant gets no finalizer', async (t) => {
  const refused = async () => Promise.reject(new ServiceError('TIMEOUT'))
  const deps = { ...world(applied('hooks')), resources: { ...resources, publishedUpload: refused } }
  await t.rejects(reconcile(CASE_KEY, deps), { code: 'TIMEOUT' })
  t.same((await deps.cases.get(CASE_KEY))?.metadata.finalizers ?? [], [])
})

t.test('the published upload is seen of applied cases alone, until they settle', async (t) => {
  const published = async (value: SignatureCase) =>
    (await gather(CASE_KEY, { ...world(value), resources }))?.publishedUpload
  const { metadata, ...rest } = applied('hooks')
  const whole = { ...rest, metadata: { ...metadata, finalizers: [FINALIZER] } }
  t.same(await published(whole), new Date(AT))
  t.equal(await published(signatureCase()), undefined)
  const settled = { type: 'Settled', status: 'True', reason: 'r', message: '' } as const
  const conditions = [{ ...settled, lastTransitionTime: AT }]
  const status = { phase: 'EXPIRED', observedGeneration: 1, conditions } as const
  t.equal(await published({ ...whole, status: { ...status, conditions } }), undefined)
})

t.test('an applied case that is restored keeps its credentials and its time', async (t) => {
  const { metadata, ...rest } = applied('gone')
  const value = { ...rest, metadata: { ...metadata, finalizers: [FINALIZER] } }
  const deps = world(value)
  await deps.secrets.create(CASE_KEY, credentials)
  const at = '2026-01-05T00:00:00.000Z'
  const created = auditEvent(CASE_ID, 'case.created', { occurredAt: at, actor: 'tenant' })
  await deps.trail.append(CASE_KEY, [created])
  const seen = await gather(CASE_KEY, { ...deps, resources })
  t.match(seen, { specFault: undefined, credentials: undefined })
  t.same(seen?.signatureCase.spec.creation, { at })
})
