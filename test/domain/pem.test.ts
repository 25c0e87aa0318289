import t from 'tap'
import { certificatesOfPem, pemOfCertificate } from '../../domain/pem.ts'
import { issuingCa, root } from '../fixtures/pki.ts'

t.test('certificates are read in their order, with text between them', async (t) => {
  const both = [issuingCa.certificate, root.certificate].map((der) => new Uint8Array(der))
  const text = both.map((der, at) => `subject=${at}\n${pemOfCertificate(der)}`).join('\n')
  t.same(certificatesOfPem(text), both)
  t.match(pemOfCertificate(root.certificate), /-----END CERTIFICATE-----\n$/)
})

t.test('a text without certificates has none, and a broken one is refused', async (t) => {
  t.same(certificatesOfPem('-----BEGIN PUBLIC KEY-----'), [])
  const broken = pemOfCertificate(root.certificate).replace(/\n[^-]{64}/, '\n')
  t.throws(() => certificatesOfPem(broken))
  t.throws(() => pemOfCertificate(new Uint8Array(9)))
})
