import t from 'tap'
import { recordOf } from '../../../domain/cases/archive.ts'
import {
  encodeArchive,
  openArchive,
  openWholeArchive,
} from '../../../domain/cases/archive-record.ts'
import { archiveKey } from '../../../domain/cases/keys.ts'
import { encodeResult } from '../../../domain/worker-results.ts'
import { makeMac } from '../../../domain/keyed-mac.ts'
import { settledCase } from '../../fixtures/settled-case.ts'
import { CASE_KEY, keyring } from '../../fixtures/signature-case.ts'

const record = recordOf(settledCase())
const bytes = encodeArchive(keyring, CASE_KEY, record)

t.test('a record is read with the key of the trail, and as a whole with both keys', async (t) => {
  t.same(openArchive(keyring, CASE_KEY, bytes), { record })
  t.same(openWholeArchive(keyring, CASE_KEY, bytes), { record })
})

t.test('a changed record, and one of another case or tenant, is refused', async (t) => {
  const changed = new TextEncoder().encode(new TextDecoder().decode(bytes).replace('DONE', 'NEW'))
  t.same(openArchive(keyring, CASE_KEY, changed), { fault: 'wrongMac' })
  t.same(openWholeArchive(keyring, CASE_KEY, changed), { fault: 'wrongMac' })
  const others = [
    { ...CASE_KEY, tenant: 'other' },
    { ...CASE_KEY, caseId: CASE_KEY.caseId.replace('7', '8') },
  ]
  for (const other of others) {
    t.same(openArchive(keyring, other, bytes), { fault: 'wrongMac' })
    const misplaced = encodeArchive(keyring, other, record)
    t.same(openArchive(keyring, other, misplaced), { fault: 'otherCase' })
  }
  const noKeys = { ...keyring, find: () => undefined }
  t.same(openArchive(noKeys, CASE_KEY, bytes), { fault: 'unknownKey' })
})

t.test('a record that only the API could make is not restored', async (t) => {
  const place = archiveKey(CASE_KEY)
  const read = makeMac(keyring, 'audit-trail', ['sigcase/archived-case/v1', place, record])
  const forged = new TextEncoder().encode(JSON.stringify({ record, read, kid: 'x', mac: '00' }))
  t.same(openArchive(keyring, CASE_KEY, forged), { record })
  t.same(openWholeArchive(keyring, CASE_KEY, forged), { fault: 'unknownKey' })
  const halved = encodeResult(keyring, place, { record })
  t.same(openWholeArchive(keyring, CASE_KEY, halved), { fault: 'unreadable' })
})

t.test('anything else is unreadable', async (t) => {
  for (const text of [
    '',
    'null',
    '[]',
    '7',
    '{"record":null,"read":{}}',
    '{"record":{},"read":1}',
  ]) {
    const opened = openArchive(keyring, CASE_KEY, new TextEncoder().encode(text))
    t.same(opened, { fault: 'unreadable' }, text)
  }
  t.same(openArchive(keyring, CASE_KEY, Uint8Array.of(0xff)), { fault: 'unreadable' })
})
