import t from 'tap'
import type { AuditEntry } from '../../../domain/audit/entry.ts'
import {
  decodeEntry,
  decodeOpening,
  encodeEntry,
  encodeOpening,
} from '../../../domain/audit/stored.ts'
import { encodeJson } from '../../../domain/json-object.ts'
import { CASE_KEY, keyring } from '../../fixtures/signature-case.ts'

const ENTRY = { version: 1, sequence: 1, eventId: 'e-1', type: 'case.created' } as AuditEntry
const OPENING = { ip: { salt: 's', value: '192.0.2.7' } }
const parse = (bytes: Uint8Array) => JSON.parse(new TextDecoder().decode(bytes))

t.test('an entry is read as it was written, and no other', async (t) => {
  const bytes = encodeEntry(keyring, ENTRY)
  t.same(decodeEntry(keyring, { bytes }), { entry: ENTRY })
  const stored = parse(bytes)
  const faultOf = (value: unknown) => decodeEntry(keyring, { bytes: encodeJson(value) })
  t.same(faultOf({ ...stored, entry: { ...ENTRY, sequence: 2 } }), { fault: 'wrongMac' })
  t.same(faultOf({ ...stored, kid: 'x' }), { fault: 'unknownKey' })
  for (const value of [null, [], 'x', { entry: [] }, {}]) {
    t.same(faultOf(value), { fault: 'unreadable' }, JSON.stringify(value))
  }
  t.same(decodeEntry(keyring, { bytes: new Uint8Array([0xff]) }), { fault: 'unreadable' })
})

t.test('an opening belongs to its case and event', async (t) => {
  const bytes = encodeOpening(keyring, CASE_KEY, 'e-1', OPENING)
  t.same(decodeOpening(keyring, CASE_KEY, 'e-1', { bytes }), { opening: OPENING })
  const wrong = { fault: 'wrongMac' }
  t.same(decodeOpening(keyring, CASE_KEY, 'e-2', { bytes }), wrong)
  t.same(decodeOpening(keyring, { ...CASE_KEY, tenant: 'zoo' }, 'e-1', { bytes }), wrong)
  const entry = encodeJson({ ...parse(encodeEntry(keyring, ENTRY)), opening: OPENING })
  t.same(decodeOpening(keyring, CASE_KEY, 'e-1', { bytes: entry }), wrong, 'the MAC of an entry')
})
