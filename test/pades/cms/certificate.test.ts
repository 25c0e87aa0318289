/** Certificates are what OpenSSL accepts, with the names and extensions that were asked for. */

import { Buffer } from 'node:buffer'
import t from 'tap'
import { KEY_USAGE, readCertificate } from '../../../pades/cms/certificate-reader.ts'
import { hasIssued } from '../../../pades/cms/issuers.ts'
import { generateKey, importKey } from '../../../pades/cms/keys.ts'
import { encodeName, nameToText } from '../../../pades/cms/names.ts'
import { OID } from '../../../pades/cms/object-identifiers.ts'
import { PadesError } from '../../../pades/errors.ts'
import { withUnusedBits } from '../../fixtures/odd-bit-string.ts'
import {
  curveKey,
  identity,
  issuingCa,
  janka,
  nextSerialNumber,
  root,
  rsaKey,
  seal,
  signer,
  timeStampAuthority,
} from '../../fixtures/pki.ts'
import { AT_TIME, openssl, pem, skip } from './openssl.ts'

const verify = (certificate: Uint8Array, ...parameters: string[]) =>
  openssl(
    {
      'root.pem': pem(root.certificate),
      'ca.pem': pem(issuingCa.certificate),
      'c.pem': pem(certificate),
    },
    'verify',
    '-x509_strict',
    ...AT_TIME,
    ...parameters,
    '-CAfile',
    'root.pem',
    '-untrusted',
    'ca.pem',
    'c.pem',
  )

t.test('OpenSSL verifies the whole chain strictly', { skip }, async (t) => {
  for (const { certificate } of [janka, seal, timeStampAuthority, issuingCa]) {
    const { status, output } = verify(certificate)
    t.equal(status, 0, output)
  }
  t.equal(verify(timeStampAuthority.certificate, '-purpose', 'timestampsign').status, 0)
  t.not(verify(seal.certificate, '-purpose', 'timestampsign').status, 0)
})

t.test('RSA and P-384 keys issue too', { skip }, async (t) => {
  for (const key of [rsaKey(), curveKey('P-384')]) {
    const own = await identity({ profile: 'root', key, subject: { commonName: key.algorithm } })
    const leaf = await identity({ issuer: own, subject: { commonName: 'Leaf' } })
    const { status, output } = openssl(
      { 'root.pem': pem(own.certificate), 'c.pem': pem(leaf.certificate) },
      'verify',
      '-x509_strict',
      ...AT_TIME,
      '-CAfile',
      'root.pem',
      'c.pem',
    )
    t.equal(status, 0, output)
  }
})

t.test('a key of another kind is refused', async (t) => {
  t.throws(() => curveKey('secp256k1'), { code: 'BAD_KEY' })
  t.throws(() => importKey(Buffer.from('nothing')), { code: 'BAD_KEY' })
})

t.test('names keep diacritics, commas and length, and show as RFC 4514 says', async (t) => {
  for (const [commonName, shown] of [
    ['Ľuboš Šťastný', 'CN=Ľuboš Šťastný'],
    ['Novák, Ján <jn@example>', 'CN=Novák\\, Ján \\<jn@example\\>'],
    ['#1 "x" + y; z\\', 'CN=\\#1 \\"x\\" \\+ y\\; z\\\\'],
    ['ž'.repeat(100), `CN=${'ž'.repeat(100)}`],
    ['日本 😀', 'CN=日本 😀'],
    ['line\r\nbreak\u0000end', 'CN=line break end'],
    ['e\u0301', 'CN=\u00e9'],
    ['lone \ud800', 'CN=lone \ufffd'],
  ] as const) {
    const { certificate } = await signer(commonName)
    t.equal(readCertificate(certificate).subjectText, shown)
  }
})

t.test('OpenSSL reads the same name', { skip }, async (t) => {
  const { certificate } = await signer('Žltý, Kôň + spol.', {
    subject: {
      countryName: 'SK',
      organizationName: 'A, s.r.o.',
      givenName: 'Kôň',
      surname: 'Žltý',
      serialNumber: '0f3c1b9e-0000-4000-8000-000000000001',
      commonName: 'Žltý, Kôň + spol.',
    },
  })
  const { output } = openssl(
    { 'c.pem': pem(certificate) },
    'x509',
    '-in',
    'c.pem',
    '-noout',
    '-subject',
    '-nameopt',
    'RFC2253,utf8,-esc_msb',
  )
  t.match(
    output,
    'subject=CN=Žltý\\, Kôň \\+ spol.,' +
      'serialNumber=0f3c1b9e-0000-4000-8000-000000000001,GN=Kôň,SN=Žltý,O=A\\, s.r.o.,C=SK',
  )
})

t.test('a name without content is refused', async (t) => {
  t.throws(() => encodeName({ commonName: ' \u0000 ' }), { code: 'BAD_NAME' })
  t.throws(() => encodeName({}), PadesError)
  t.equal(nameToText(encodeName({ commonName: 'A', countryName: 'SK' })), 'CN=A,C=SK')
})

t.test('each profile limits its key', async (t) => {
  const ca = readCertificate(issuingCa.certificate)
  t.same(ca.basicConstraints, { authority: true, pathLength: 0 })
  t.same([...(ca.keyUsage ?? [])], [KEY_USAGE.keyCertSign, KEY_USAGE.crlSign])
  const own = readCertificate(janka.certificate)
  t.same(own.basicConstraints, { authority: false, pathLength: undefined })
  t.same([...(own.keyUsage ?? [])], [KEY_USAGE.digitalSignature, KEY_USAGE.nonRepudiation])
  t.same(own.authorityKeyIdentifier, ca.subjectKeyIdentifier)
  const authority = readCertificate(timeStampAuthority.certificate)
  t.same(authority.extendedKeyUsage, [OID.timeStamping])
  for (const [certificate, type] of [
    [ca, OID.basicConstraints],
    [ca, OID.keyUsage],
    [own, OID.keyUsage],
    [authority, OID.extendedKeyUsage],
  ] as const)
    t.ok(certificate.extensions.get(type)?.critical, `${type} is critical`)
})

t.test('the certificate has addresses for revocation and issuer', { skip }, async (t) => {
  const { certificate } = await signer('Ján', {
    publishedAt: {
      crlUrl: 'http://pki.example/ca.crl',
      ocspUrl: 'http://pki.example/ocsp',
      issuerCertificateUrl: 'http://pki.example/ca.cer',
    },
  })
  t.ok(readCertificate(certificate).publishesRevocation)
  t.notOk(readCertificate(janka.certificate).publishesRevocation)
  const { output } = openssl(
    { 'c.pem': pem(certificate) },
    'x509',
    '-in',
    'c.pem',
    '-noout',
    '-text',
  )
  for (const line of [
    'URI:http://pki.example/ca.crl',
    'OCSP - URI:http://pki.example/ocsp',
    'CA Issuers - URI:http://pki.example/ca.cer',
  ])
    t.match(output, line)
})

t.test('serial numbers are positive, never zero, at most 20 octets', async (t) => {
  const high = new Uint8Array(20).fill(0xff)
  const { certificate } = await signer('Ján', { serialNumber: high })
  t.equal(readCertificate(certificate).serialNumber.length, 20)
  t.equal(readCertificate(certificate).serialNumber[0], 0x7f)
  const sixteen = Uint8Array.from(nextSerialNumber())
  sixteen[0] = 0x80
  const other = readCertificate((await signer('Ján', { serialNumber: sixteen })).certificate)
  t.equal(other.serialNumberText, Buffer.from(sixteen).toString('hex'))
  for (const wrong of [new Uint8Array(), new Uint8Array(16), new Uint8Array(21).fill(1)]) {
    await t.rejects(signer('Ján', { serialNumber: wrong }), RangeError)
  }
})

t.test('no two one-time keys are the same', async (t) => {
  t.notSame(generateKey().publicKeySpki, generateKey().publicKeySpki)
})

t.test('damage of a certificate is an error with a code, wherever it is', async (t) => {
  const der = janka.certificate
  for (let at = 0; at < der.length; at++) {
    const broken = Uint8Array.from(der)
    broken[at] ^= 0x80
    try {
      readCertificate(broken)
    } catch (error) {
      if (!(error instanceof PadesError)) throw error
    }
  }
  t.throws(() => readCertificate(der.subarray(0, -1)), { code: 'BAD_CERTIFICATE' })
})

t.test('a certificate with unused bits in its signature is read, and not verified', async (t) => {
  const der = withUnusedBits(janka.certificate, 3)
  const certificate = readCertificate(der)
  t.equal(certificate.subjectText, readCertificate(janka.certificate).subjectText)
  t.notOk(hasIssued(readCertificate(issuingCa.certificate), certificate))
  t.ok(hasIssued(readCertificate(issuingCa.certificate), readCertificate(janka.certificate)))
  if (skip) return
  const { status } = openssl({ 'odd.pem': pem(der) }, 'x509', '-in', 'odd.pem', '-noout')
  t.equal(status, 0, 'OpenSSL reads it, too')
})
