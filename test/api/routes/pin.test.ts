/** Specification 4.1 and 5.3, design 8: the PIN of a case, with a frozen clock. */
import { setTimeout } from 'node:timers/promises'
import t from 'tap'
import { input, NOW, testApi, type Asked, type TestApi } from '../../fixtures/api.ts'
import { CASE_KEY, participant, TENANT, type CaseOptions } from '../../fixtures/signature-case.ts'

const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS
const START_MS = Date.parse(NOW)
const PIN = 'Päť-7391'
/** An invitation does not end a lock that ends by itself. */
const ONLY_TIME = /wait retryAfterSeconds; without it, ask/

async function seed(api: TestApi, options: CaseOptions = {}) {
  const definition = { pinRequired: true, ...options.definition }
  api.seed({ phase: 'IN_PROGRESS', ...options, definition })
  if (await api.secrets.get(CASE_KEY)) return
  await api.secrets.create(CASE_KEY, { pinHash: await api.deps.pins.hash(PIN) })
}

/** A header holds octets: these are the UTF-8 of the text, as they reach the service. */
const pinHeader = (pin: string): Asked => ({
  headers: { 'service-pin': Buffer.from(pin).toString('latin1') },
})
const view = (api: TestApi, asked: Asked = {}, position = 1) =>
  api.asParticipant(position, 'GET', 'caseDefinition', asked)
const failures = async (api: TestApi) =>
  (await api.eventTypes()).filter((type) => type === 'participant.otp_failed').length

t.test('4.1: of a PIN only a salted slow hash is kept, apart from the case', async (t) => {
  const api = await testApi(t)
  for (const title of ['A', 'B']) {
    await api.ask('POST', '/cases', { body: input({ title, pin: '47110815' }) })
  }
  const { items } = await api.cases.list({ limit: 10 })
  const hashes = await Promise.all(
    items.map(async ({ metadata }) => {
      const key = { tenant: TENANT, caseId: metadata.name }
      return (await api.secrets.get(key))?.pinHash
    }),
  )
  for (const hash of hashes) t.match(hash, /^\$scrypt\$ln=\d+,r=\d+,p=\d+\$[\w+/]+\$[\w+/]+$/)
  t.not(hashes[0], hashes[1], 'each has a salt of its own')
  t.match(items[0]?.spec.definition, { pinRequired: true })
  t.notMatch(JSON.stringify([items, hashes, api.log]), '47110815')
})

t.test('4.1: beside multiFactorType the PIN is ignored', async (t) => {
  const api = await testApi(t)
  await api.ask('POST', '/cases', { body: input({ pin: '1234', multiFactorType: 'EMAIL' }) })
  const [created] = (await api.cases.list({ limit: 1 })).items
  t.notOk(created?.spec.definition.pinRequired)
  const key = { tenant: TENANT, caseId: created?.metadata.name ?? '' }
  t.equal(await api.secrets.get(key), undefined)
  await seed(api, { definition: { multiFactorType: 'EMAIL' } })
  t.match((await view(api, pinHeader('wrong'))).json(), { otpRequired: true, pinRequired: false })
  t.equal(await failures(api), 0)
})

t.test('4.1: a PIN that no header can carry is refused', async (t) => {
  const api = await testApi(t)
  for (const pin of ['', ' ', '12\n34', '\u0007', 1234, 'x'.repeat(256)]) {
    const { statusCode, ...answer } = await api.ask('POST', '/cases', { body: input({ pin }) })
    t.equal(statusCode, 400, JSON.stringify(pin))
    t.match(answer.json().validationErrors[0].instancePath, '/pin')
  }
})

t.test('4.7: without the PIN no link, and that is not a wrong try', async (t) => {
  const api = await testApi(t)
  await seed(api)
  for (const asked of [{}, pinHeader(''), pinHeader('  ')]) {
    const answer = (await view(api, asked)).json()
    t.match(answer, { pinRequired: true, otpRequired: false })
    t.notOk('url' in answer.document)
  }
  t.same([await failures(api), (await api.eventTypes()).includes('participant.viewed')], [0, false])
})

t.test('with the PIN: the link, the signature, the signed document', async (t) => {
  const api = await testApi(t)
  await seed(api)
  const answer = (await view(api, pinHeader(PIN))).json()
  t.match(answer, { pinRequired: false, document: { url: /^get:/ } })
  t.equal((await api.sign(1, {}, pinHeader(` ${PIN} `))).statusCode, 200)
  await seed(api, { phase: 'DONE', signed: 2 })
  t.equal((await api.asParticipant(1, 'GET', 'signedDocument', pinHeader(PIN))).statusCode, 302)
  t.equal(await failures(api), 0)
})

t.test('a PIN beyond Latin-1 is the same in UTF-8, decomposed, and in Latin-1', async (t) => {
  const api = await testApi(t)
  await seed(api)
  const raw = { headers: { 'service-pin': PIN.replace('ť', 't') } }
  t.equal((await view(api, raw)).statusCode, 401)
  t.equal((await view(api, pinHeader(PIN.normalize('NFD')))).statusCode, 200)
  const latin = await testApi(t)
  latin.seed({ phase: 'IN_PROGRESS', definition: { pinRequired: true } })
  await latin.secrets.create(CASE_KEY, { pinHash: await latin.deps.pins.hash('kľúč-ä'.slice(-2)) })
  t.equal((await view(latin, { headers: { 'service-pin': '-ä' } })).statusCode, 200)
})

t.test(
  'missing or wrong: 401 PIN_REQUIRED; five wrong ones: 423 for fifteen minutes',
  async (t) => {
    const api = await testApi(t)
    await seed(api)
    const missing = await api.sign(1)
    t.same([missing.statusCode, missing.json().code], [401, 'PIN_REQUIRED'])
    t.notOk('attemptsLeft' in missing.json())
    const ask = [
      () => view(api, pinHeader('wrong')),
      () => api.sign(1, {}, pinHeader('wrong')),
      () => view(api, pinHeader(`${PIN}x`)),
      () => view(api, pinHeader(PIN.toLowerCase())),
      () => api.sign(1, {}, pinHeader('0')),
    ]
    for (const [index, wrong] of ask.entries()) {
      await api.timers.moveTo(START_MS + index * MINUTE_MS)
      const { statusCode, ...answer } = await wrong()
      t.equal(statusCode, 401)
      t.match(answer.json(), { code: 'PIN_REQUIRED', attemptsLeft: 4 - index })
    }
    const locked = async (retryAfterSeconds: number) => {
      for (const asked of [pinHeader(PIN), pinHeader('wrong')]) {
        const { statusCode, ...answer } = await view(api, asked)
        t.equal(statusCode, 423)
        t.match(answer.json(), { code: 'PIN_LOCKED', retryAfterSeconds, message: ONLY_TIME })
        t.equal(answer.headers['retry-after'], String(retryAfterSeconds))
      }
      t.match((await api.sign(1)).json(), { code: 'PIN_LOCKED', retryAfterSeconds })
      t.match((await view(api)).json(), { pinRequired: true })
    }
    await locked(15 * 60)
    api.ephemeral.wipe()
    await locked(15 * 60)
    t.equal((await view(api, pinHeader(PIN), 2)).statusCode, 200, 'others are not locked')
    await api.timers.moveTo(START_MS + 19 * MINUTE_MS - 1)
    await locked(1)
    await api.timers.moveTo(START_MS + 19 * MINUTE_MS)
    t.equal((await view(api, pinHeader(PIN))).statusCode, 200)
    t.equal(await failures(api), 5)
  },
)

t.test('twenty wrong ones lock for good, until the tenant invites again', async (t) => {
  const api = await testApi(t)
  await seed(api)
  for (let guess = 0; guess < 20; guess++) {
    await api.timers.moveTo(START_MS + guess * 16 * MINUTE_MS)
    t.equal((await view(api, pinHeader(`wrong ${guess}`))).statusCode, 401)
  }
  const isLocked = async () => {
    for (const asked of [pinHeader(PIN), pinHeader('wrong')]) {
      const { statusCode, headers, ...answer } = await view(api, asked)
      t.equal(statusCode, 423)
      t.match(answer.json(), { code: 'PIN_LOCKED', message: /invite/ })
      t.notOk('retryAfterSeconds' in answer.json())
      t.equal(headers['retry-after'], undefined)
    }
    t.match((await api.sign(1)).json(), { code: 'PIN_LOCKED' })
  }
  await isLocked()
  await api.timers.moveTo(START_MS + 10 * DAY_MS)
  api.ephemeral.wipe()
  await isLocked()
  t.equal((await view(api, pinHeader(PIN), 2)).statusCode, 200, 'others are not locked')
  const path = `/cases/${CASE_KEY.caseId}/participants/${participant(1).id}/invitation`
  t.equal((await api.ask('POST', path)).statusCode, 202)
  await api.timers.moveTo(START_MS + 10 * DAY_MS + 1)
  t.match((await view(api, pinHeader('wrong'))).json(), { attemptsLeft: 4 })
  t.equal((await view(api, pinHeader(PIN))).statusCode, 200)
  t.equal(await failures(api), 21)
})

t.test('wrong ones are recorded as such, without the PIN', async (t) => {
  const api = await testApi(t, { trustedProxies: ['127.0.0.1'] })
  await seed(api)
  const { headers } = pinHeader('guess-42')
  await view(api, {
    headers: { ...headers, 'x-forwarded-for': '198.51.100.7', 'user-agent': 'Phone/1.0' },
  })
  const entry = (await api.trail.entries(CASE_KEY)).at(-1)!
  t.match(entry, { type: 'participant.otp_failed', participantId: participant(1).id })
  const { ip, userAgent, data } = (await api.trail.opening(CASE_KEY, entry.eventId))!
  t.same(
    [ip?.value, userAgent?.value, data?.value],
    ['198.51.100.7', 'Phone/1.0', { factor: 'pin' }],
  )
  await view(api, pinHeader(PIN))
  t.notMatch(api.log.join(''), /guess-42|7391/)
})

t.test('fifty guess at once: exactly five are looked at', async (t) => {
  const api = await testApi(t)
  await seed(api)
  api.ephemeral.wipe()
  const answers = await Promise.all(
    Array.from({ length: 50 }, (_, index) => view(api, pinHeader(`guess ${index}`))),
  )
  const statuses = answers.map(({ statusCode }) => statusCode)
  t.equal(statuses.filter((status) => status === 401).length, 5)
  t.equal(statuses.filter((status) => status === 423).length, 45)
  t.equal(await failures(api), 5)
  t.equal((await view(api, pinHeader(PIN))).statusCode, 423)
})

t.test('among fifty guesses a right one behind the first five comes too late', async (t) => {
  for (const position of [20, 30, 49]) {
    const api = await testApi(t)
    await seed(api)
    // A slow trail must not admit guesses that are not counted yet.
    api.objects.beforePut = () => setTimeout(20)
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        view(api, pinHeader(index === position ? PIN : `guess ${index}`)),
      ),
    )
    t.equal(answers[position]?.statusCode, 423, `number ${position}`)
    t.equal(await failures(api), 5)
  }
})

t.test('a wrong PIN that the trail does not take is not answered as wrong: 503', async (t) => {
  const api = await testApi(t)
  await seed(api)
  await view(api, pinHeader(PIN))
  api.objects.beforePut = () => {
    throw new Error('the store is away')
  }
  t.match((await view(api, pinHeader('wrong'))).json(), { code: 'TIMEOUT' })
})

t.test('a case that says it has a PIN and has none cannot be opened', async (t) => {
  const api = await testApi(t)
  api.seed({ phase: 'IN_PROGRESS', definition: { pinRequired: true } })
  for (const pin of ['x', 'undefined', '$scrypt$']) {
    t.equal((await view(api, pinHeader(pin))).statusCode, 401)
  }
})

t.test(
  '5.3: the signed document asks for the PIN before it reports that it is not made',
  async (t) => {
    const api = await testApi(t)
    await seed(api)
    const download = (pin = {}) => api.asParticipant(1, 'GET', 'signedDocument', pin)
    t.match((await download()).json(), { code: 'PIN_REQUIRED' })
    t.match((await download(pinHeader('wrong'))).json(), { code: 'PIN_REQUIRED', attemptsLeft: 4 })
    t.match((await download(pinHeader(PIN))).json(), { code: 'NOT_COMPLETED' })
  },
)

t.test('refusals in order: 410, 409, 423, 401, 400', async (t) => {
  const api = await testApi(t)
  const broken = { body: '{', headers: { 'content-type': 'application/json' } }
  await seed(api, { phase: 'CANCELLED' })
  t.equal((await api.sign(1, {}, broken)).statusCode, 410)
  await seed(api, { signed: 1 })
  t.equal((await api.sign(1, {}, broken)).statusCode, 409)
  t.equal((await api.sign(2, {}, broken)).statusCode, 401)
  const withPin = { ...broken, headers: { ...broken.headers, ...pinHeader(PIN).headers } }
  t.equal((await api.sign(2, {}, withPin)).statusCode, 400)
  for (let tries = 0; tries < 5; tries++) await view(api, pinHeader('wrong'), 2)
  t.equal((await api.sign(2, {}, broken)).statusCode, 423)
})
