import t from 'tap'
import { parseSmtpUrl } from '../../../runtime/config/smtp-url.ts'

t.test('the scheme decides on encryption and standard port', async (t) => {
  const host = 'mail.example'
  t.same(parseSmtpUrl('smtps://mail.example'), { host, port: 465, security: 'tls' })
  t.same(parseSmtpUrl('smtp://mail.example/'), { host, port: 587, security: 'starttls' })
  t.same(parseSmtpUrl('smtp+plain://[::1]:2525'), { host: '::1', port: 2525, security: 'none' })
})

t.test('credentials, paths and other schemes are refused', async (t) => {
  for (const url of [
    '',
    'mail.example',
    'smtp://',
    'smtps://u@mail.example',
    'smtps://u:p@mail.example',
    'smtps://mail.example/x',
    'smtps://mail.example?x',
    'smtps://mail.example#x',
    'https://mail.example',
    'constructor://mail.example',
  ]) {
    t.equal(parseSmtpUrl(url), undefined, url)
  }
})
