/** Which cases tenants see. */
import t from 'tap'
import { isReadable } from '../../../domain/cases/readable.ts'
import { CREATED_AT, signatureCase } from '../../fixtures/signature-case.ts'

t.test(
  'a case from the API is readable at once, an applied one once it was accepted',
  async (t) => {
    const { status, ...made } = signatureCase({ phase: 'IN_PROGRESS' })
    t.ok(isReadable(made))
    const applied = { ...made, spec: { ...made.spec, creation: { at: CREATED_AT } } }
    t.notOk(isReadable(applied))
    t.ok(isReadable({ ...applied, status: status! }))
    const fault = {
      type: 'Invalid',
      status: 'True',
      reason: 'specBreaksSchema',
      message: 'x',
      lastTransitionTime: CREATED_AT,
    } as const
    t.notOk(isReadable({ ...applied, status: { ...status!, conditions: [fault] } }))
  },
)
