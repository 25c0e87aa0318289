/** Time-stamps are what OpenSSL accepts, and no other token passes for one. */

import { Buffer } from 'node:buffer'
import { createHash } from 'node:crypto'
import t from 'tap'
import { readCertificate } from '../../../pades/cms/certificate-reader.ts'
import { contextConstructed, NULL, sequence } from '../../../pades/cms/der.ts'
import { readDer } from '../../../pades/cms/der-reader.ts'
import { extension } from '../../../pades/cms/extensions.ts'
import { OID } from '../../../pades/cms/object-identifiers.ts'
import { signedDataTemplate } from '../../../pades/cms/signed-data.ts'
import {
  encodeTimeStampRequest,
  encodeTimeStampResponse,
  issueTimeStampToken,
  readTimeStampResponse,
} from '../../../pades/cms/time-stamp.ts'
import { readTimeStampToken, verifyTimeStampToken } from '../../../pades/cms/time-stamp-reader.ts'
import type { TimeStampOptions } from '../../../pades/cms/time-stamp-reader.ts'
import { judgeDocumentTimeStamp } from '../../../pades/second-judge/container.ts'
import {
  identity,
  issuingCa,
  janka,
  NOW,
  root,
  stamp,
  TEST_POLICY,
  timeStampAuthority,
} from '../../fixtures/pki.ts'
import { commonName, GENERAL_NAME } from '../../fixtures/chains.ts'
import { AT_TIME, openssl, pem, skip } from './openssl.ts'

const DOCUMENT = Buffer.from('what was stamped')
const DIGEST = createHash('sha256').update(DOCUMENT).digest()
const ROOT = readCertificate(root.certificate)

const verify = (token: Uint8Array, changes: Partial<TimeStampOptions> = {}) =>
  verifyTimeStampToken(token, {
    imprintOf: (hash) => createHash(hash).update(DOCUMENT).digest(),
    anchors: [ROOT],
    at: new Date(NOW.getTime() + 1000),
    ...changes,
  }).problems

t.test('OpenSSL verifies token and answer', { skip }, async (t) => {
  const token = await stamp(DIGEST)
  const files = { document: DOCUMENT, 'root.pem': pem(root.certificate) }
  const judge = (...parameters: string[]) =>
    openssl(
      { ...files, 't.tst': token, 't.tsr': encodeTimeStampResponse(token) },
      'ts',
      '-verify',
      '-data',
      'document',
      '-CAfile',
      'root.pem',
      ...AT_TIME,
      ...parameters,
    )
  t.match(judge('-in', 't.tst', '-token_in').output, 'Verification: OK')
  t.match(judge('-in', 't.tsr').output, 'Verification: OK')
})

t.test('OpenSSL reads the request', { skip }, async (t) => {
  const request = encodeTimeStampRequest({
    messageImprint: DIGEST,
    hash: 'sha256',
    nonce: Uint8Array.of(0x81, 2),
    policy: TEST_POLICY,
  })
  const { output } = openssl({ 'q.tsq': request }, 'ts', '-query', '-in', 'q.tsq', '-text')
  for (const line of ['Nonce: 0x8102', 'Certificate required: yes', TEST_POLICY, 'sha256']) {
    t.match(output, line)
  }
})

t.test('a token says what was asked for', async (t) => {
  const token = readTimeStampToken(
    await issueTimeStampToken({
      ...timeStampAuthority,
      messageImprint: DIGEST,
      hash: 'sha256',
      policy: TEST_POLICY,
      serialNumber: Uint8Array.of(1, 2, 3),
      nonce: Uint8Array.of(0, 0xff, 1),
      genTime: NOW,
    }),
  )
  t.same(token.genTime, NOW)
  t.equal(token.hash, 'sha256')
  t.equal(token.policy, TEST_POLICY)
  t.equal(Buffer.from(token.messageImprint).compare(DIGEST), 0)
  t.same([...(token.nonce ?? [])], [0xff, 1])
  t.same([...token.serialNumber], [1, 2, 3])
  t.equal(token.certificate?.commonName, 'Test TSA')
})

t.test('a right token passes and a wrong one gives the reason', async (t) => {
  const token = await stamp(DIGEST)
  t.same(verify(token), [])
  t.same(verify(await stamp(new Uint8Array(32))), ['TIME_STAMP_IMPRINT_DIFFERS'])
  t.same(verify(token, { anchors: [] }), ['NO_CERTIFICATE_CHAIN_FOUND'])
  t.same(verify(token, { at: new Date(NOW.getTime() - 1000) }), ['TIME_STAMP_IN_THE_FUTURE'])
  t.same(verify(Buffer.from('3000', 'hex')), ['TIME_STAMP_UNREADABLE'])
  const beforeItsTime = await stamp(DIGEST, new Date('2025-12-31T23:59:59Z'))
  t.same(verify(beforeItsTime), ['TIME_STAMP_OUTSIDE_VALIDITY'])
})

/** A token with another field at the end of its TSTInfo. */
async function withField(field: Uint8Array): Promise<Uint8Array> {
  const { content } = readTimeStampToken(await stamp(DIGEST)).signedData
  const parts = readDer(content!).children.map(({ encoded }) => encoded)
  const info = sequence(...parts, field)
  const { certificates, algorithm } = timeStampAuthority
  const type = OID.timeStampInfo
  const template = signedDataTemplate({ certificates, algorithm, content: { type, encoded: info } })
  const digest = createHash(template.hash).update(info).digest()
  const attributes = template.signedAttributes(digest)
  return template.encode(attributes, await timeStampAuthority.sign(attributes))
}

const extended = (...extensions: readonly Uint8Array[]) =>
  withField(contextConstructed(1, ...extensions))

t.test('the name of the authority in a token is one of its certificate', async (t) => {
  const { subject } = readCertificate(timeStampAuthority.certificate)
  const parts = readDer(subject).children.map(({ encoded }) => encoded)
  const verdictOf = async (name: Uint8Array, isRefusedByOpenssl: boolean | undefined) => {
    const token = await withField(contextConstructed(0, name))
    if (!skip && isRefusedByOpenssl !== undefined) {
      const files = { document: DOCUMENT, 'root.pem': pem(root.certificate), 't.tst': token }
      const from = ['-data', 'document', '-CAfile', 'root.pem', '-in', 't.tst', '-token_in']
      const { output } = openssl(files, 'ts', '-verify', ...from, ...AT_TIME)
      t.equal(/tsa name mismatch/.test(output), isRefusedByOpenssl, output)
    }
    return verify(token)
  }
  const { directory, mail } = GENERAL_NAME
  t.same(await verdictOf(directory(subject), false), [])
  t.same(await verdictOf(directory(sequence(...parts.toReversed())), undefined), [], 'reversed')
  const another = ['TIME_STAMP_NAMES_ANOTHER']
  t.same(await verdictOf(directory(commonName('Another')), true), another)
  t.same(await verdictOf(directory(sequence(...parts.slice(1))), true), another, 'a part of it')
  t.same(await verdictOf(mail('tsa@example.com'), true), another)
  t.same(await verdictOf(NULL, undefined), another, 'unreadable')
})

t.test('a token with a critical extension that is not known is not relied on', async (t) => {
  const unknown = (critical: boolean) => extension('1.3.6.1.4.1.55555.1', critical, NULL)
  const digestOf = (hash: string) => createHash(hash).update(DOCUMENT).digest()
  const second = (token: Uint8Array) => judgeDocumentTimeStamp(token, digestOf)
  const harmless = await extended(unknown(false))
  t.same(verify(harmless), [])
  t.equal(await second(harmless), 'right')
  const critical = await extended(unknown(false), unknown(true))
  t.same(verify(critical), ['UNKNOWN_CRITICAL_EXTENSION'])
  t.equal(await second(critical), 'unknown')
  const unreadable = await extended(NULL)
  t.same(verify(unreadable), ['TIME_STAMP_UNREADABLE'])
  t.equal(await second(unreadable), 'unknown')
})

t.test('only a certificate solely for time-stamping stamps', async (t) => {
  t.same(verify(await stamp(DIGEST, NOW, janka)), ['KEY_USAGE_FORBIDS'])
  const subject = { commonName: 'Other' }
  const other = await identity({ profile: 'tsa', issuer: issuingCa, subject })
  t.same(verify(await stamp(DIGEST, NOW, other)), [])
})

t.test('an answer that refuses is not a token', async (t) => {
  const refused = Buffer.from('30053003020102', 'hex')
  t.throws(() => readTimeStampResponse(refused), { code: 'BAD_TIME_STAMP', message: /status 2/ })
  t.throws(() => readTimeStampResponse(Buffer.from('x')), { code: 'BAD_TIME_STAMP' })
  const token = await stamp(DIGEST)
  const answered = readTimeStampResponse(encodeTimeStampResponse(token))
  t.equal(Buffer.from(answered).compare(token), 0)
})
