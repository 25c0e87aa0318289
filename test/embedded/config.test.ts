import { join, resolve } from 'node:path'
import t from 'tap'
import { ConfigError, readConfig } from '../../embedded/config.ts'
import { root } from '../fixtures/pki.ts'
import { pem } from '../pades/cms/openssl.ts'

t.test('nothing set gives the service on this machine alone', async (t) => {
  t.same(readConfig({}), {
    port: 8080,
    host: '127.0.0.1',
    dataDirectory: resolve('.data'),
    trustedProxies: [],
    egressAllow: [],
    timeStamps: undefined,
    logLevel: 'warn',
  })
  t.same(readConfig({ PORT: '', HOST: ' ' }), readConfig({}))
})

t.test('every variable is read', async (t) => {
  const config = readConfig({
    PORT: '0',
    HOST: '::1',
    DATA_DIR: '/srv/cases',
    BASE_URL: 'https://sign.example/app/',
    TRUSTED_PROXIES: '127.0.0.1, 10.0.0.0/8,2001:db8::/32',
    EGRESS_ALLOW: '10.1.0.0/16, ::1',
    LOG_LEVEL: 'info',
  })
  t.same(config, {
    port: 0,
    host: '::1',
    dataDirectory: '/srv/cases',
    baseUrl: 'https://sign.example/app',
    trustedProxies: ['127.0.0.1', '10.0.0.0/8', '2001:db8::/32'],
    egressAllow: ['10.1.0.0/16', '::1'],
    timeStamps: undefined,
    logLevel: 'info',
  })
})

t.test('time-stamp authorities come with the roots of their tokens', async (t) => {
  const folder = t.testdir({ 'roots.pem': pem(root.certificate), 'none.pem': 'nothing' })
  const TSA_URLS = 'http://one.example/tsa, https://two.example/'
  const TSA_ROOTS = join(folder, 'roots.pem')
  const { timeStamps } = readConfig({ TSA_URLS, TSA_ROOTS, TSA_POLICY: '1.2.3' })
  t.same(timeStamps, {
    urls: ['http://one.example/tsa', 'https://two.example/'],
    trustAnchors: [root.certificate],
    policy: '1.2.3',
  })
  for (const wrong of [
    { TSA_URLS },
    { TSA_URLS, TSA_ROOTS: join(folder, 'none.pem') },
    { TSA_URLS, TSA_ROOTS: join(folder, 'missing.pem') },
    { TSA_URLS: 'ftp://one.example/', TSA_ROOTS },
    { TSA_URLS: 'http://user@one.example/', TSA_ROOTS },
    { TSA_URLS, TSA_ROOTS, TSA_POLICY: 'any' },
  ]) {
    t.throws(() => readConfig(wrong), { message: /TSA_/ }, JSON.stringify(wrong))
  }
})

t.test('every variable that cannot be used is named with the reason, all at once', async (t) => {
  const error = t.throws(() =>
    readConfig({
      PORT: '70000',
      HOST: 'no host',
      BASE_URL: 'ftp://x',
      TRUSTED_PROXIES: '10.0.0.0/40',
      EGRESS_ALLOW: 'localhost',
      LOG_LEVEL: 'loud',
    }),
  ) as ConfigError
  t.type(error, ConfigError)
  for (const name of ['PORT', 'HOST', 'BASE_URL', 'TRUSTED_PROXIES', 'EGRESS_ALLOW', 'LOG_LEVEL']) {
    t.match(error.message, new RegExp(`^  ${name}: ".+" is not `, 'm'))
  }
})

t.test('values that look right and are not', async (t) => {
  for (const [name, values] of Object.entries({
    PORT: ['-1', '1e3', '80.5', '65536', 'http'],
    BASE_URL: ['sign.example', 'https://x/?a=1', 'https://x/#f', 'https://u@x/'],
    EGRESS_ALLOW: ['localhost', '*', 'fe80::1%eth0', '10.0.0.0/33', '127.1', '0x7f.0.0.1'],
    TRUSTED_PROXIES: ['localhost', '10.0.0.1/', '10.0.0.1/8/8', '10.0.0.1,,10.0.0.2', '::1/129'],
  })) {
    for (const value of values) t.throws(() => readConfig({ [name]: value }), ConfigError, value)
  }
})
