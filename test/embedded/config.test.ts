import { resolve } from 'node:path'
import t from 'tap'
import { ConfigError, readConfig } from '../../embedded/config.ts'

t.test('nothing set gives the service on this machine alone', async (t) => {
  t.same(readConfig({}), {
    port: 8080,
    host: '127.0.0.1',
    dataDirectory: resolve('.data'),
    trustedProxies: [],
    egressAllow: [],
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
    TRUSTED_LISTS: 'https://lists.example/lotl.xml',
    TRUSTED_LISTS_ANCHORS: 'anchors',
    TRUSTED_LISTS_PUBLICATION: 'https://journal.example/oj',
    LOG_LEVEL: 'info',
  })
  t.same(config, {
    port: 0,
    host: '::1',
    dataDirectory: '/srv/cases',
    baseUrl: 'https://sign.example/app',
    trustedProxies: ['127.0.0.1', '10.0.0.0/8', '2001:db8::/32'],
    egressAllow: ['10.1.0.0/16', '::1'],
    trustedLists: {
      source: 'https://lists.example/lotl.xml',
      anchorsPath: resolve('anchors'),
      publication: 'https://journal.example/oj',
    },
    logLevel: 'info',
  })
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

t.test('trusted lists come from a folder or an address, and need their anchors', async (t) => {
  const folder = readConfig({ TRUSTED_LISTS: 'lists', TRUSTED_LISTS_ANCHORS: '/etc/anchors' })
  t.same(folder.trustedLists, { source: resolve('lists'), anchorsPath: '/etc/anchors' })
  t.equal(readConfig({ TRUSTED_LISTS_ANCHORS: 'anchors' }).trustedLists, undefined)
  t.throws(() => readConfig({ TRUSTED_LISTS: 'lists' }), /TRUSTED_LISTS_ANCHORS/)
  const ftp = { TRUSTED_LISTS: 'ftp://lists.example/', TRUSTED_LISTS_ANCHORS: 'a' }
  t.throws(() => readConfig(ftp), /TRUSTED_LISTS: ".+" is not a folder, or an http or https URL/)
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
