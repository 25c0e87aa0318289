/** The same key names the same case; its body is known by a digest that reveals nothing. */
import t from 'tap'
import { digestOfInput, idempotentCaseId, isDigestOf } from '../../../domain/cases/idempotency.ts'
import { isUuid } from '../../../domain/ids.ts'
import { input } from '../../fixtures/api.ts'
import { CASE_KEY, keyring } from '../../fixtures/signature-case.ts'

type Input = Parameters<typeof digestOfInput>[2]
const body = (more: object = {}) => input({ ...more }) as Input

t.test('a key names one case of its tenant', async (t) => {
  const id = idempotentCaseId('acme', 'order-1')
  t.ok(isUuid(id))
  t.equal(idempotentCaseId('acme', 'order-1'), id)
  const others = [
    idempotentCaseId('acme', 'order-2'),
    idempotentCaseId('other', 'order-1'),
    idempotentCaseId('acm', 'eorder-1'),
  ]
  t.equal(new Set([id, ...others]).size, 4)
})

t.test('a digest knows its body in any order of members, and no other body', async (t) => {
  const digest = digestOfInput(keyring, CASE_KEY, body({ pin: '1234', quickSign: true }))
  t.ok(isDigestOf(digest, keyring, CASE_KEY, body({ quickSign: true, pin: '1234' })))
  t.notOk(isDigestOf(digest, keyring, CASE_KEY, body({ pin: '1235', quickSign: true })))
  t.notOk(isDigestOf(digest, keyring, { ...CASE_KEY, tenant: 'other' }, body({ pin: '1234' })))
})

t.test('equal instants are equal bodies, however they are spelled', async (t) => {
  const at = (validUntil: string) => body({ validUntil })
  const digest = digestOfInput(keyring, CASE_KEY, at('2026-11-30T12:00:00Z'))
  for (const same of ['2026-11-30T13:00:00+01:00', '2026-11-30t12:00:00.000z']) {
    t.ok(isDigestOf(digest, keyring, CASE_KEY, at(same)), same)
  }
  t.notOk(isDigestOf(digest, keyring, CASE_KEY, at('2026-11-30T12:00:00.001Z')))
})

t.test('a text that is not a digest, or has an unknown key, matches no body', async (t) => {
  const digest = digestOfInput(keyring, CASE_KEY, body())
  const gone = { ...keyring, find: () => undefined }
  t.notOk(isDigestOf(digest, gone, CASE_KEY, body()))
  for (const one of [undefined, '', 'test', 'test.', digest.slice(0, -2), `x${digest}`]) {
    t.notOk(isDigestOf(one, keyring, CASE_KEY, body()), String(one))
  }
})
