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
