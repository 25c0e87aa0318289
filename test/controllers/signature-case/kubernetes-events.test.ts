/** Which ends of a case have an Event of Kubernetes, because each is a write to etcd. */
import t from 'tap'
import { kubernetesEventsOf } from '../../../controllers/signature-case/kubernetes-events.ts'
import type { CaseStatus, Phase } from '../../../domain/cases/status.ts'

const status = (phase: Phase): CaseStatus => ({ phase, observedGeneration: 1, conditions: [] })

t.test('an end has an Event unless the case is DONE', async (t) => {
  const reasons = (['DONE', 'EXPIRED', 'CANCELLED', 'FAILED'] as const).map((phase) =>
    kubernetesEventsOf(status('IN_PROGRESS'), status(phase)).map(({ reason }) => reason),
  )
  t.same(reasons, [[], ['Expired'], ['Cancelled'], ['Failed']])
  t.same(kubernetesEventsOf(status('NEW'), status('UPLOAD_REJECTED')).length, 1)
  t.same(kubernetesEventsOf(status('NEW'), status('IN_PROGRESS')), [])
})

t.test('the free text of a cancellation is not in its Event, which logs of clusters keep', (t) => {
  const after = { ...status('CANCELLED'), cancelReason: 'Jana Nováková has died' }
  const [event] = kubernetesEventsOf(status('IN_PROGRESS'), after)
  t.match(event, { reason: 'Cancelled', message: 'the reason is in status.cancelReason' })
  t.notMatch(JSON.stringify(event), 'Jana')
  t.match(kubernetesEventsOf(status('NEW'), status('CANCELLED')), [
    { message: 'the tenant gave no reason' },
  ])
  const removed = { ...after, cancelReason: 'The resource was removed' }
  t.match(kubernetesEventsOf(status('NEW'), removed), [{ message: 'The resource was removed' }])
  t.end()
})

t.test('the reason of a rejected upload, which can name a person, is not in its Event', (t) => {
  const rejectReason = 'The signature field "1" of Jana Nováková is on page 9'
  const after = { ...status('UPLOAD_REJECTED'), rejectReason }
  const [event] = kubernetesEventsOf(status('NEW'), after)
  t.match(event, { reason: 'UploadRejected', message: 'the reason is in status.rejectReason' })
  t.notMatch(JSON.stringify(event), 'Jana')
  t.end()
})
