/** The audit events that are due in every phase. */
import t from 'tap'
import { dueAuditEvents, eventId } from '../../../domain/cases/due-audit-events.ts'
import { uuidV5 } from '../../../domain/ids.ts'
import { PHASES, type Phase } from '../../../domain/cases/status.ts'
import { signatureCase, type CaseOptions } from '../../fixtures/signature-case.ts'

const CREATION = ['case.created', 'participant.created', 'participant.created']
const SIGNING = ['participant.consented', 'participant.signed']

const types = (options: CaseOptions) => {
  const one = signatureCase(options)
  return dueAuditEvents(one, one.spec.signatures).map(({ type }) => type)
}

t.test('each phase has its audit events', async (t) => {
  const due: Readonly<Record<Phase, string[]>> = {
    NEW: CREATION,
    IN_PROGRESS: [...CREATION, 'document.uploaded'],
    DONE: [...CREATION, 'document.uploaded', ...SIGNING, ...SIGNING, 'case.completed'],
    UPLOAD_REJECTED: [...CREATION, 'document.rejected'],
    EXPIRED: [...CREATION, 'document.uploaded', 'case.expired'],
    CANCELLED: [...CREATION, 'document.uploaded', 'case.cancelled'],
    FAILED: [...CREATION, 'document.uploaded', ...SIGNING, ...SIGNING, 'case.failed'],
  }
  for (const phase of PHASES) {
    const signed = phase === 'DONE' || phase === 'FAILED' ? 2 : 0
    t.same(types({ phase, signed }), due[phase], phase)
  }
})

t.test('events have ids of their own that follow from the case', async (t) => {
  const one = signatureCase({ phase: 'DONE', signed: 2 })
  const ids = dueAuditEvents(one, one.spec.signatures).map((event) => event.eventId)
  t.equal(new Set(ids).size, ids.length)
  t.same(
    dueAuditEvents(one, one.spec.signatures).map((event) => event.eventId),
    ids,
  )
})

t.test('each event has its own id, also when more ids are derived than are kept', async (t) => {
  const one = signatureCase().metadata.name
  const derive = (count: number) =>
    Array.from({ length: count }, (_, occurrence) =>
      eventId(one, 'participant.viewed', 'jana', String(occurrence)),
    )
  const ids = derive(6_000)
  t.equal(new Set(ids).size, ids.length)
  t.same(derive(6_000), ids)
  t.equal(ids[1], uuidV5(one, 'participant.viewed', 'jana', '1'))
  t.equal(eventId(one, 'trail-seal', undefined), uuidV5(one, 'trail-seal', '-', '-'))
})
