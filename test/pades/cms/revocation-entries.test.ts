import t from 'tap'
import {
  certificateTime,
  contextConstructed,
  integer,
  sequence,
  TAG,
  tlv,
} from '../../../pades/cms/der.ts'
import { readDer } from '../../../pades/cms/der-reader.ts'
import { extension } from '../../../pades/cms/extensions.ts'
import { encodeName } from '../../../pades/cms/names.ts'
import { OID } from '../../../pades/cms/object-identifiers.ts'
import { RevocationEntries } from '../../../pades/cms/revocation-entries.ts'

const ISSUER = encodeName({ commonName: 'Issuer of the list' })
const OTHER = encodeName({ commonName: 'Another issuer' })
const REVOKED_AT = new Date('2026-03-04T05:06:07Z')
const KEY_COMPROMISE = 1
const TIME = certificateTime(REVOKED_AT)

const serial = (...octets: readonly number[]) => Uint8Array.from(octets)
const reason = (code: number, critical = false) =>
  extension(OID.reasonCode, critical, tlv(TAG.enumerated, serial(code)))
const issuedBy = (name: Uint8Array) =>
  extension(OID.certificateIssuer, true, sequence(contextConstructed(4, name)))
const entry = (number: number, ...extensions: readonly Uint8Array[]) =>
  extensions.length === 0
    ? sequence(integer(number), TIME)
    : sequence(integer(number), TIME, sequence(...extensions))

const read = (entries: readonly Uint8Array[], isIndirect = false) =>
  new RevocationEntries({ revoked: readDer(sequence(...entries)), issuer: ISSUER, isIndirect })

t.test('a certificate is found with the time and the reason of its revocation', async (t) => {
  const entries = read([entry(1), entry(2, reason(KEY_COMPROMISE)), entry(300, reason(99))])
  const found = (...octets: readonly number[]) => entries.find(serial(...octets), ISSUER)
  t.same(found(1), { revokedAt: REVOKED_AT, reason: 'unspecified' })
  t.same(found(0, 2), { revokedAt: REVOKED_AT, reason: 'keyCompromise' })
  t.same(found(1, 44), { revokedAt: REVOKED_AT, reason: 'unspecified' }, 'an unknown reason')
  t.equal(found(3), undefined)
  t.equal(entries.find(serial(1), OTHER), undefined, 'the certificate of another issuer')
})

t.test('the last of two entries of a certificate counts', async (t) => {
  const entries = read([entry(1), entry(1, reason(KEY_COMPROMISE))])
  t.match(entries.find(serial(1), ISSUER), { reason: 'keyCompromise' })
})

t.test('in an indirect list, an entry is of the issuer that was named last', async (t) => {
  const entries = read([entry(1), entry(2, issuedBy(OTHER)), entry(3, reason(1))], true)
  t.ok(entries.find(serial(1), ISSUER))
  t.ok(entries.find(serial(2), OTHER))
  t.match(entries.find(serial(3), OTHER), { reason: 'keyCompromise' })
  t.notOk(entries.find(serial(3), ISSUER))
})

t.test('one entry that cannot be read makes the list unreadable', async (t) => {
  const noTime = sequence(integer(2), tlv(TAG.utcTime, Buffer.from('2603040506x7Z')))
  const third31 = sequence(integer(2), tlv(TAG.utcTime, Buffer.from('260431050607Z')))
  for (const [broken, why] of [
    [noTime, 'a time with a letter'],
    [third31, 'a day that the month does not have'],
    [sequence(integer(2)), 'no time'],
    [integer(2), 'not a sequence'],
    [sequence(TIME, TIME), 'no serial number'],
    [entry(2, reason(KEY_COMPROMISE, true)), 'a critical reason'],
    [entry(2, issuedBy(OTHER)), 'the issuer of an entry in a list that is not indirect'],
  ] as const)
    t.throws(() => read([entry(1), broken]), { name: 'DerError' }, why)
})
