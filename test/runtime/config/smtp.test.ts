import { join } from 'node:path'
import t from 'tap'
import { EnvironmentReader, type Environment } from '../../../runtime/config/reader.ts'
import { readSmtp } from '../../../runtime/config/smtp.ts'
import { root } from '../../fixtures/pki.ts'
import { pem } from '../../pades/cms/openssl.ts'

function read<T>(from: (reader: EnvironmentReader) => T, environment: Environment) {
  const reader = new EnvironmentReader(environment)
  return { value: from(reader), faults: reader.faults }
}

t.test('mail goes over TLS, and passwords never without it', async (t) => {
  const folder = t.testdir({ 'ca.pem': pem(root.certificate) })
  const from = { SMTP_FROM: 'no-reply@sign.example' }
  const login = { SMTP_USER: 'u', SMTP_PASSWORD: 'a-secret-password' }
  const whole = { SMTP_URL: 'smtps://mail.example', ...from, ...login }
  const { value } = read(readSmtp, { ...whole, SMTP_CA_FILE: join(folder, 'ca.pem') })
  t.match(value, {
    host: 'mail.example',
    port: 465,
    security: 'tls',
    credentials: { user: 'u', password: 'a-secret-password' },
    from: 'no-reply@sign.example',
    authorities: /BEGIN CERTIFICATE/,
  })
  t.match(read(readSmtp, { SMTP_URL: 'smtp://mail.example', ...from }).value, { port: 587 })
  t.match(read(readSmtp, { SMTP_URL: 'smtp+plain://[::1]:2525', ...from }).value, {
    host: '::1',
    port: 2525,
    security: 'none',
  })
  for (const wrong of [
    {},
    { ...from },
    { ...whole, SMTP_FROM: 'nobody' },
    { ...whole, SMTP_PASSWORD: '' },
    { ...whole, SMTP_URL: 'smtp+plain://mail.example' },
    { ...whole, SMTP_URL: 'smtps://u:a-secret-password@mail.example' },
    { ...whole, SMTP_CA_FILE: join(folder, 'missing.pem') },
  ]) {
    const { faults } = read(readSmtp, wrong)
    t.ok(faults.length > 0, JSON.stringify(wrong))
    t.notMatch(faults.join(), 'a-secret-password')
  }
})
