import t from 'tap'
import { IntegrityAlarm } from '../../domain/integrity-alarm.ts'
import { MemoryEphemeral } from '../fixtures/memory-ephemeral.ts'
import { CASE_KEY } from '../fixtures/signature-case.ts'

function world() {
  const errors: object[] = []
  const ephemeral = new MemoryEphemeral()
  const log = { error: (details: object, message: string) => errors.push({ ...details, message }) }
  return { alarm: new IntegrityAlarm({ log, ephemeral }), errors, ephemeral }
}

t.test('a violation is logged and counted once, and the controller is notified', async (t) => {
  const { alarm, errors, ephemeral } = world()
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
  t.equal(
    alarm.metric(),
    '# HELP sigcase_integrity_violations_total Objects that were changed outside the service.\n' +
      '# TYPE sigcase_integrity_violations_total counter\n' +
      'sigcase_integrity_violations_total{object="audit-trail",fault="wrongMac"} 2\n' +
      'sigcase_integrity_violations_total{object="revocation",fault="unreadable"} 1\n',
  )
})
