import t from 'tap'
import { IntegrityAlarm } from '../../domain/integrity-alarm.ts'
import { MemoryEphemeral } from '../fixtures/memory-ephemeral.ts'
import { RecordingMetrics } from '../fixtures/recording-metrics.ts'
import { CASE_KEY } from '../fixtures/signature-case.ts'

function world() {
  const errors: object[] = []
  const ephemeral = new MemoryEphemeral()
  const log = { error: (details: object, message: string) => errors.push({ ...details, message }) }
  const metrics = new RecordingMetrics()
  return { alarm: new IntegrityAlarm({ log, ephemeral, metrics }), errors, ephemeral, metrics }
}

t.test('a violation is logged and counted once, and the controller is notified', async (t) => {
  const { alarm, errors, ephemeral, metrics } = world()
  const violation = {
    object: 'audit-trail',
    fault: 'wrongMac',
    key: CASE_KEY,
    sequence: 7,
  } as const
  alarm.raise(violation)
  alarm.raise(violation)
  t.same(errors, [
    {
      event: 'integrity-violation',
      object: 'audit-trail',
      fault: 'wrongMac',
      ...CASE_KEY,
      sequence: 7,
      message: 'an object was changed outside the service',
    },
  ])
  t.same(ephemeral.rung, [JSON.stringify(CASE_KEY)])
  alarm.raise({ ...violation, sequence: 8 })
  alarm.raise({ object: 'revocation', fault: 'unreadable' })
  t.same(metrics.of('sigcase_integrity_violations_total'), {
    '{object="audit-trail",fault="wrongMac"}': 2,
    '{object="revocation",fault="unreadable"}': 1,
  })
})
