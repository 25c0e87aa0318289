import t from 'tap'
import {
  isLeft,
  isReleased,
  PLACE_END_PATIENCE_MS,
  REMOVAL_POLL_MS,
  released,
  rewriteOf,
  uploadPlan,
  wakeOfRemoval,
} from '../../../controllers/signature-case/resource.ts'
import { planned } from '../../../controllers/signature-case/pending-jobs.ts'
import type { Observation } from '../../../controllers/signature-case/observation.ts'
import { accept, completed, FINALIZER } from '../../../domain/cases/complete.ts'
import { ERASE_ANNOTATION, orderOf } from '../../../domain/cases/erasure.ts'
import type { SignatureCase } from '../../../domain/cases/signature-case.ts'
import type { CaseStatus } from '../../../domain/cases/status.ts'
import { CASE_KEY, signatureCase } from '../../fixtures/signature-case.ts'

const AT = '2026-11-02T08:00:00.000Z'
const HOUR_MS = 60 * 60 * 1000

/** As a person applies it: without creation and ids. */
function applied(): SignatureCase {
  const one = signatureCase()
  const [participant] = one.spec.definition.participants
  const { id: _, ...unnamed } = participant!
  const definition = { ...one.spec.definition, participants: [unnamed] }
  const metadata = { ...one.metadata, creationTimestamp: AT }
  const { creation: __, ...spec } = one.spec
  return { ...one, metadata, spec: { ...spec, definition } } as unknown as SignatureCase
}

const observed = (value: SignatureCase, more: Partial<Observation> = {}): Observation => ({
  key: CASE_KEY,
  nowMs: Date.parse(AT),
  signatureCase: value,
  accepted: [],
  receipts: new Map(),
  recorded: new Set(),
  devices: [],
  ...more,
})

const read = (value: SignatureCase) => accept(completed(value))

t.test('a case without our finalizer gets it before anything else', async (t) => {
  const rewrite = rewriteOf(observed(read(applied()), { lacksFinalizer: true }))
  t.same(rewrite?.metadata.finalizers, [FINALIZER])
  t.equal(rewriteOf(observed(read(applied()))), undefined)
})

t.test('a living case that is removed is cancelled, an ended one is not', async (t) => {
  const living = signatureCase({ phase: 'IN_PROGRESS' })
  const metadata = { ...living.metadata, deletionTimestamp: AT }
  const rewrite = rewriteOf(observed({ ...living, metadata }))
  t.match(rewrite?.spec.cancellation, { at: AT })
  t.equal(rewriteOf(observed(living)), undefined)
  const ended = signatureCase({ phase: 'EXPIRED' })
  t.equal(rewriteOf(observed({ ...ended, metadata })), undefined)
})

t.test('a case is released when no work is pending, or when it is invalid', async (t) => {
  const value = signatureCase({ phase: 'CANCELLED' })
  const metadata = { ...value.metadata, deletionTimestamp: AT, finalizers: ['other', FINALIZER] }
  const removed = observed({ ...value, metadata })
  const status = (settled: 'True' | 'False'): CaseStatus => ({
    ...value.status!,
    conditions: [
      { type: 'Settled', status: settled, reason: 'r', message: '', lastTransitionTime: AT },
    ],
  })
  t.equal(isReleased(removed, status('False')), false)
  t.equal(isReleased(removed, status('True')), true)
  t.equal(isReleased({ ...removed, specFault: 'bad' }, status('False')), true)
  t.equal(isReleased(observed(value), status('True')), false)
  t.same(released(removed.signatureCase).metadata.finalizers, ['other'])
})

t.test('a case goes with its namespace once only webhooks are pending, or in time', async (t) => {
  const value = signatureCase({ phase: 'CANCELLED' })
  const metadata = { ...value.metadata, deletionTimestamp: AT, finalizers: [FINALIZER] }
  const ending = observed({ ...value, metadata }, { isNamespaceEnding: true })
  const seal = { auditEvents: [], jobs: [planned('trail-seal', CASE_KEY)] }
  const nothing = { auditEvents: [], jobs: [] }
  t.equal(isLeft(ending, seal), false)
  t.equal(isLeft(ending, nothing), true)
  const nowMs = Date.parse(AT) + PLACE_END_PATIENCE_MS
  t.equal(isLeft({ ...ending, nowMs: nowMs - 1 }, seal), false)
  t.equal(isLeft({ ...ending, nowMs }, seal), true)
  const { isNamespaceEnding: _, ...staying } = ending
  t.equal(isLeft({ ...staying, nowMs }, nothing), false)
  t.equal(isLeft(observed(value, { isNamespaceEnding: true, nowMs }), nothing), false)
  t.equal(wakeOfRemoval(ending), ending.nowMs + REMOVAL_POLL_MS)
  t.equal(wakeOfRemoval(observed(value)), undefined)
})

t.test('an upload URL is published for an applied case until its document came', async (t) => {
  const value = read(applied())
  const expiresAt = new Date(Date.parse(AT) + HOUR_MS)
  t.same(uploadPlan(observed(value), 'NEW'), { do: 'publish', expiresAt })
  t.equal(uploadPlan(observed(value, { publishedUpload: expiresAt }), 'NEW'), undefined)
  const uploadRequestedAt = '2026-11-02T08:30:00.000Z'
  const asked = { ...value, spec: { ...value.spec, uploadRequestedAt } }
  const published = { publishedUpload: expiresAt }
  const nowMs = Date.parse(uploadRequestedAt)
  t.match(uploadPlan(observed(asked, { ...published, nowMs }), 'NEW'), { do: 'publish' })
  t.equal(uploadPlan(observed(asked, published), 'NEW'), undefined, 'a request of a later time')
  t.same(uploadPlan(observed(value, { publishedUpload: expiresAt }), 'IN_PROGRESS'), {
    do: 'remove',
  })
  t.equal(uploadPlan(observed(value), 'IN_PROGRESS'), undefined)
  t.equal(uploadPlan(observed(signatureCase()), 'NEW'), undefined)
})

t.test(
  'what is uploaded for a case of an erased id would stay for ever: it gets no URL',
  async (t) => {
    const value = read(applied())
    const tombstone = orderOf(CASE_KEY, { rule: 'annotation', decidedAt: AT })
    t.equal(uploadPlan(observed(value, { tombstone }), 'NEW'), undefined)
    const publishedUpload = new Date(AT)
    t.same(uploadPlan(observed(value, { tombstone, publishedUpload }), 'NEW'), { do: 'remove' })
  },
)

t.test('a case that is to be erased does not go before it is', async (t) => {
  const value = signatureCase({ phase: 'CANCELLED' })
  const going = { deletionTimestamp: AT, finalizers: [FINALIZER] }
  const annotations = { [ERASE_ANNOTATION]: CASE_KEY.caseId }
  const settled = {
    type: 'Settled',
    status: 'True' as const,
    reason: 'NothingPending',
    message: '',
  }
  const conditions = [{ ...settled, lastTransitionTime: AT }]
  const status: CaseStatus = { phase: 'CANCELLED', observedGeneration: 1, conditions }
  const asked = observed({ ...value, metadata: { ...value.metadata, ...going, annotations } })
  t.notOk(isReleased(asked, status))
  const erasure = { rule: 'annotation' as const, decidedAt: AT }
  t.notOk(isReleased(asked, { ...status, erasure }))
  t.ok(isReleased(asked, { ...status, erasure: { ...erasure, erasedAt: AT } }))
  t.ok(isReleased(observed({ ...value, metadata: { ...value.metadata, ...going } }), status))
})
