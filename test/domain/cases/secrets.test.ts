import t from 'tap'
import { idempotentCaseId } from '../../../domain/cases/idempotency.ts'
import { mayHaveSecrets } from '../../../domain/cases/secrets.ts'
import { signatureCase, TENANT } from '../../fixtures/signature-case.ts'

t.test('a case has secrets only with a callback, a PIN or an idempotency key', async (t) => {
  const plain = signatureCase()
  t.notOk(mayHaveSecrets(plain))
  t.ok(mayHaveSecrets(signatureCase({ definition: { pinRequired: true } })))
  const callback = { url: 'https://receiver.example/', authType: 'NONE' } as const
  t.ok(mayHaveSecrets(signatureCase({ definition: { callback } })))
  const name = idempotentCaseId(TENANT, 'order-1')
  t.ok(mayHaveSecrets({ ...plain, metadata: { ...plain.metadata, name } }))
})
