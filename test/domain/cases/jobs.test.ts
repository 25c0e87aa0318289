import t from 'tap'
import {
  jobId,
  keyRefusalNote,
  readKeyRefusalNote,
  remainingDelayMs,
  retryDelayMs,
} from '../../../domain/cases/jobs.ts'
import { KeyRefusedError } from '../../../domain/ports/signing.ts'
import { CASE_KEY } from '../../fixtures/signature-case.ts'

t.test('the same work has the same id', async (t) => {
  t.equal(jobId('intake', CASE_KEY), `${CASE_KEY.tenant}_${CASE_KEY.caseId}`)
  t.equal(jobId('webhook', { ...CASE_KEY, eventId: 'e-1' }), 'e-1')
})

t.test('only a refused key makes a note, and only a note is read as one', async (t) => {
  const note = keyRefusalNote(new KeyRefusedError('SIGNING_KEY_DISABLED', 'seal is disabled'))
  t.same(note, { code: 'SIGNING_KEY_DISABLED', message: 'seal is disabled' })
  t.equal(keyRefusalNote(new Error('timeout')), undefined)
  t.equal(keyRefusalNote({ code: 'SIGNING_KEY_DISABLED' }), undefined)
  t.same(readKeyRefusalNote(JSON.stringify({ ...note, more: 1 })), note)
  for (const text of [
    '',
    '{}',
    '{"code":"OTHER","message":"x"}',
    '{"code":"SIGNING_KEY_DISABLED"}',
  ]) {
    t.equal(readKeyRefusalNote(text), undefined, text)
  }
})

t.test('delays double up to a minute, and a wrong clock makes none longer', async (t) => {
  t.same([0, 1, 2, 3, 9].map(retryDelayMs), [1_000, 1_000, 2_000, 4_000, 60_000])
  t.equal(remainingDelayMs('5000', 3_000), 2_000)
  t.equal(remainingDelayMs('5000', 6_000), 0)
  t.equal(remainingDelayMs('999999999', 0), 60_000)
  for (const invalid of [undefined, '', 'x']) t.equal(remainingDelayMs(invalid, 0), 0)
})
