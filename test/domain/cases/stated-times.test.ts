import t from 'tap'
import {
  cancellationTime,
  findTimeFault,
  isCreatedInFuture,
  uploadRequestMs,
} from '../../../domain/cases/stated-times.ts'
import { CREATED_AT, signatureCase } from '../../fixtures/signature-case.ts'

const NOW = '2026-11-02T10:00:00.000Z'
const NOW_MS = Date.parse(NOW)
const shift = (at: string, seconds: number) =>
  new Date(Date.parse(at) + seconds * 1000).toISOString()

t.test('a cancellation counts from the creation of the case up to now', async (t) => {
  const used = (at: string, nowMs?: number) =>
    cancellationTime(signatureCase({ cancellation: { at } }).spec, nowMs)
  t.equal(used('2026-11-02T09:00:00Z', NOW_MS), '2026-11-02T09:00:00Z')
  t.equal(used(shift(CREATED_AT, -60), NOW_MS), shift(CREATED_AT, -60), 'clocks differ')
  t.equal(used(shift(CREATED_AT, -61), NOW_MS), CREATED_AT)
  t.equal(used(shift(NOW, 60), NOW_MS), shift(NOW, 60))
  t.equal(used(shift(NOW, 61), NOW_MS), NOW)
  t.equal(used('2020-01-01T00:00:00Z'), CREATED_AT, 'without a clock')
  t.equal(cancellationTime(signatureCase().spec, NOW_MS), undefined)
})

t.test('a request for an upload URL of another time is ignored and named', async (t) => {
  const value = signatureCase()
  const asked = (uploadRequestedAt: string) => ({
    ...value,
    spec: { ...value.spec, uploadRequestedAt },
  })
  t.equal(uploadRequestMs(asked(NOW).spec, NOW_MS), NOW_MS)
  t.equal(findTimeFault(asked(NOW), NOW_MS), undefined)
  for (const at of ['2999-01-01T00:00:00Z', '2020-01-01T00:00:00Z']) {
    t.equal(uploadRequestMs(asked(at).spec, NOW_MS), undefined)
    t.match(findTimeFault(asked(at), NOW_MS), /^spec\/uploadRequestedAt is .*; it is ignored$/)
  }
  t.equal(findTimeFault(value, NOW_MS), undefined)
})

t.test('an applied case that states a later creation waits for it', async (t) => {
  const value = signatureCase()
  const created = (at: string, more: object = {}) => ({
    ...value,
    spec: { ...value.spec, creation: { at, ...more } },
  })
  t.ok(isCreatedInFuture(created('2999-01-01T00:00:00Z'), NOW_MS))
  t.notOk(isCreatedInFuture(created(NOW), NOW_MS))
  t.notOk(isCreatedInFuture(created('2999-01-01T00:00:00Z', { ip: '192.0.2.1' }), NOW_MS))
})
