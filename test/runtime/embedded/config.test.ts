import { join, resolve } from 'node:path'
import t from 'tap'
import { ConfigError } from '../../../runtime/config/reader.ts'
import { readConfig } from '../../../runtime/embedded/config.ts'
import { root } from '../../fixtures/pki.ts'
import { pem } from '../../pades/cms/openssl.ts'

t.test('nothing set gives the service on this machine alone', async (t) => {
  t.same(readConfig({}), {
    port: 8080,
    host: '127.0.0.1',
    dataDirectory: resolve('.data'),
    trustedProxies: [],
    egressAllow: [],
    embeddingOrigins: [],
    branding: {},
    timeZone: 'Europe/Bratislava',
    logLevel: 'warn',
    shutdown: { delayMs: 0, graceMs: 9_000 },
    webhookRetryDelayMs: 90_000,
    requestsPerMinute: { public: 600, tenant: 12_000 },
    bounds: {
      tenantCasesPerDay: 100_000,
      tenantDevicesPerDay: 1_000,
      tenantMailsPerDay: 500_000,
      tenantSmsPerDay: 10_000,
      verificationUploadsPerHour: 600,
      verificationMegabytesPerHour: 2_500,
      allVerificationUploadsPerHour: 20_000,
      allVerificationMegabytesPerHour: 50_000,
    },
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
    EMBEDDING_ORIGINS: 'https://app.example.com, http://localhost:3000',
    TRUSTED_LISTS: 'https://lists.example/lotl.xml',
    TRUSTED_LISTS_ANCHORS: 'trusted-lists',
    TRUSTED_LISTS_PUBLICATION: 'https://journal.example/oj',
    LOG_LEVEL: 'info',
    SHUTDOWN_DELAY_MS: '250',
    SHUTDOWN_GRACE_MS: '0',
    WEBHOOK_RETRY_DELAY_MS: '250',
    PUBLIC_REQUESTS_PER_MINUTE: '60',
    TENANT_REQUESTS_PER_MINUTE: '0',
    TENANT_CASES_PER_DAY: '1',
    TENANT_DEVICES_PER_DAY: '2',
    TENANT_MAILS_PER_DAY: '3',
    TENANT_SMS_PER_DAY: '0',
    VERIFICATION_UPLOADS_PER_HOUR: '5',
    VERIFICATION_MEGABYTES_PER_HOUR: '6',
    ALL_VERIFICATION_UPLOADS_PER_HOUR: '7',
    ALL_VERIFICATION_MEGABYTES_PER_HOUR: '8',
    RETENTION_DAYS: '3650',
    SMS_GATEWAY_URL: 'https://sms.example/messages?channel=otp',
    SMS_GATEWAY_TOKEN: 'abc.DEF-123_~+/==',
  })
  t.same(config, {
    port: 0,
    host: '::1',
    dataDirectory: '/srv/cases',
    baseUrl: 'https://sign.example/app',
    trustedProxies: ['127.0.0.1', '10.0.0.0/8', '2001:db8::/32'],
    egressAllow: ['10.1.0.0/16', '::1'],
    embeddingOrigins: ['https://app.example.com', 'http://localhost:3000'],
    branding: {},
    timeZone: 'Europe/Bratislava',
    trustedLists: {
      source: 'https://lists.example/lotl.xml',
      anchorsPath: resolve('trusted-lists'),
      publication: 'https://journal.example/oj',
    },
    logLevel: 'info',
    shutdown: { delayMs: 250, graceMs: 0 },
    webhookRetryDelayMs: 250,
    requestsPerMinute: { public: 60, tenant: Number.POSITIVE_INFINITY },
    bounds: {
      tenantCasesPerDay: 1,
      tenantDevicesPerDay: 2,
      tenantMailsPerDay: 3,
      tenantSmsPerDay: Number.POSITIVE_INFINITY,
      verificationUploadsPerHour: 5,
      verificationMegabytesPerHour: 6,
      allVerificationUploadsPerHour: 7,
      allVerificationMegabytesPerHour: 8,
    },
    retentionDays: 3650,
    smsGateway: {
      url: 'https://sms.example/messages?channel=otp',
      token: 'abc.DEF-123_~+/==',
    },
  })
})

t.test('the branding is read; a logo must be small, and a name visible', async (t) => {
  const folder = t.testdir({ 'logo.png': 'x'.repeat(12_288), 'large.png': 'x'.repeat(12_289) })
  const BRAND_LOGO = join(folder, 'logo.png')
  const { branding } = readConfig({ SENDER_NAME: 'Acme', BRAND_COLOUR: '#FFcc00', BRAND_LOGO })
  t.same(branding, { senderName: 'Acme', colour: '#FFcc00', logoFile: BRAND_LOGO })
  for (const wrong of [
    { BRAND_LOGO: join(folder, 'large.png') },
    { BRAND_LOGO: join(folder, 'missing.png') },
    { BRAND_COLOUR: 'red' },
    { BRAND_COLOUR: '#fc0' },
    { SENDER_NAME: 'Acme\u202e' },
    { SENDER_NAME: 'x'.repeat(101) },
  ]) {
    const name = Object.keys(wrong)[0] as string
    t.throws(() => readConfig(wrong), { message: new RegExp(name) }, JSON.stringify(wrong))
  }
})

t.test('the time zone is one of the IANA database', async (t) => {
  t.equal(readConfig({ TIME_ZONE: 'America/New_York' }).timeZone, 'America/New_York')
  for (const TIME_ZONE of ['Europe/Atlantis', '+01:00', 'Slovakia', '../etc/localtime']) {
    t.throws(() => readConfig({ TIME_ZONE }), { message: /TIME_ZONE.*IANA/ }, TIME_ZONE)
  }
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
      EMBEDDING_ORIGINS: 'https://app.example.com/',
      LOG_LEVEL: 'loud',
      WEBHOOK_RETRY_DELAY_MS: '90 s',
      RETENTION_DAYS: '0',
    }),
  ) as ConfigError
  t.type(error, ConfigError)
  for (const name of [
    'PORT',
    'HOST',
    'BASE_URL',
    'TRUSTED_PROXIES',
    'EGRESS_ALLOW',
    'EMBEDDING_ORIGINS',
    'LOG_LEVEL',
    'WEBHOOK_RETRY_DELAY_MS',
    'RETENTION_DAYS',
  ]) {
    t.match(error.message, new RegExp(`^  ${name}: (".+"|it) is not `, 'm'))
  }
})

t.test('trusted lists come from a folder or an address, and need their anchors', async (t) => {
  const folder = readConfig({ TRUSTED_LISTS: 'lists', TRUSTED_LISTS_ANCHORS: import.meta.dirname })
  t.same(folder.trustedLists, { source: resolve('lists'), anchorsPath: import.meta.dirname })
  t.equal(readConfig({ TRUSTED_LISTS_ANCHORS: 'trusted-lists' }).trustedLists, undefined)
  t.throws(() => readConfig({ TRUSTED_LISTS: 'lists' }), /TRUSTED_LISTS_ANCHORS/)
  const nowhere = { TRUSTED_LISTS: 'lists', TRUSTED_LISTS_ANCHORS: 'no/such/folder' }
  t.throws(
    () => readConfig(nowhere),
    /TRUSTED_LISTS_ANCHORS: "no.such.folder" is not an existing file/,
  )
  const ftp = { TRUSTED_LISTS: 'ftp://lists.example/', TRUSTED_LISTS_ANCHORS: 'docs' }
  t.throws(() => readConfig(ftp), /TRUSTED_LISTS: ".+" is not a folder, or an http or https URL/)
})

t.test('values that look right and are not', async (t) => {
  for (const [name, values] of Object.entries({
    PORT: ['-1', '1e3', '80.5', '65536', 'http'],
    BASE_URL: [
      'sign.example',
      'https://x/?a=1',
      'https://x/#f',
      'https://u@x/',
      'https://:p@x/',
      'https://x/a;b',
    ],
    WEBHOOK_RETRY_DELAY_MS: ['-1', '1.5', '1e3', '2147483648'],
    SHUTDOWN_DELAY_MS: ['-1', '10s', '2147483648'],
    SHUTDOWN_GRACE_MS: ['-1', '10s', '2147483648'],
    EGRESS_ALLOW: ['localhost', '*', 'fe80::1%eth0', '10.0.0.0/33', '127.1', '0x7f.0.0.1'],
    SMS_GATEWAY_URL: ['sms.example', 'ftp://x/', 'https://u@x/', 'https://u:p@x/', 'http://x/#f'],
    TRUSTED_PROXIES: ['localhost', '10.0.0.1/', '10.0.0.1/8/8', '10.0.0.1,,10.0.0.2', '::1/129'],
  })) {
    for (const value of values) t.throws(() => readConfig({ [name]: value }), ConfigError, value)
  }
})

t.test('a credential that cannot be used is not repeated', async (t) => {
  const url = 'http://127.0.0.1:9/'
  const faultOf = (environment: Record<string, string>) =>
    (t.throws(() => readConfig(environment)) as ConfigError).message
  const message = faultOf({ SMS_GATEWAY_URL: url, SMS_GATEWAY_TOKEN: 'has spaces' })
  t.match(message, 'SMS_GATEWAY_TOKEN: it is not a bearer token')
  t.notMatch(message, 'has spaces')
  t.notMatch(faultOf({ SMS_GATEWAY_URL: 'https://u:secret@x/' }), 'secret')
  t.match(faultOf({ SMS_GATEWAY_TOKEN: 'abc' }), 'SMS_GATEWAY_URL is required with it')
  t.same(readConfig({ SMS_GATEWAY_URL: url }).smsGateway, { url })
})
