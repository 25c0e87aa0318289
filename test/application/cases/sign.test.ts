/** Specification 4.9 and 3.2: a participant signs. */
import { createHash } from 'node:crypto'
import t from 'tap'
import { headOf } from '../../../domain/audit/signature-check.ts'
import type { ApiDeps } from '../../../api/deps.ts'
import { acceptedSignatures } from '../../../domain/cases/facts.ts'
import { drawingKey, intakeKey } from '../../../domain/cases/keys.ts'
import { encodeJson } from '../../../domain/json-object.ts'
import { MAXIMUM_SIGNATURE_FACTS } from '../../../domain/limits.ts'
import { makePng } from '../../pades/appearance/make-png.ts'
import { A4, NOW, signing, testApi, type TestApi } from '../../fixtures/api.ts'
import { problemsIn } from '../../fixtures/problems.ts'
import {
  CASE_KEY,
  DOCUMENT_SHA256,
  keyring,
  participant,
  signature,
  VALID_UNTIL,
} from '../../fixtures/signature-case.ts'

const without = (number: number) => participant(number, { signatureFields: [] })
const rectangle = { page: 1, x: 100, y: 100, width: 200, height: 60, unit: 'pt' }
const LINK_TIME = Date.parse(VALID_UNTIL)

async function readFacts(api: TestApi) {
  return acceptedSignatures(keyring, (await api.stored())!)
}

const problemsOf = (api: TestApi, more: Record<string, unknown>) => problemsIn(api.sign(1, more))

t.test(
  '4.9: a signature is stored with consent, client and origin, and shows at once',
  async (t) => {
    const api = await testApi(t, { trustedProxies: ['127.0.0.1'] })
    api.seed({ phase: 'IN_PROGRESS' })
    const client = {
      timezone: 'Europe/Bratislava',
      language: 'sk',
      screen: { width: 390, height: 844 },
      viewedAllPages: true,
    }
    const consent = { textVersion: '2026-11', acceptedAt: '2026-11-02T09:29:59+01:00' }
    const headers = { 'x-forwarded-for': '198.51.100.7', 'user-agent': 'Phone/1.0' }
    const answer = await api.sign(1, { client, consent, fieldIds: ['f1'] }, { headers })
    t.equal(answer.statusCode, 200)
    t.same([answer.body, answer.headers['content-type']], ['', undefined], 'no body')
    const [fact, ...others] = await readFacts(api)
    t.same(others, [])
    const { factId: _, signature: __, drawing, trail, ...rest } = fact!
    t.same(trail, headOf((await api.trail.entries(CASE_KEY)).slice(0, trail.sequence)))
    t.equal(trail.sequence, 4, 'creation, two participants and the upload')
    t.same(rest, {
      participantId: participant(1).id,
      signedAt: NOW,
      documentSha256: DOCUMENT_SHA256,
      consent: { textVersion: '2026-11', acceptedAt: '2026-11-02T08:29:59.000Z' },
      client,
      fieldIds: ['f1'],
      ip: '198.51.100.7',
      userAgent: 'Phone/1.0',
    })
    const stored = api.objects.objects.get(drawingKey(CASE_KEY, drawing.sha256))
    t.equal(stored?.contentType, drawing.mediaType)
    t.equal(createHash('sha256').update(stored!.bytes).digest('hex'), drawing.sha256)
    const { participant: me, participants } = (
      await api.asParticipant(1, 'GET', 'caseDefinition')
    ).json()
    t.match(me, { status: 'SIGNED', signedAt: NOW })
    t.same(participants, { total: 2, signed: 1 })
  },
)

t.test('4.9: members that the contract does not name do not enter the fact', async (t) => {
  const api = await testApi(t)
  api.seed({ phase: 'IN_PROGRESS', participants: [without(1), participant(2)] })
  const odd = { odd: 1 }
  await api.sign(1, {
    odd,
    client: { language: 'sk', odd, screen: { width: 1, height: 1, odd } },
    consent: { textVersion: '2026-11', acceptedAt: NOW, odd },
    pageSize: { width: 595, height: 842, odd },
    signatures: [{ ...rectangle, odd }],
  })
  const [fact] = await readFacts(api)
  t.match(fact, { client: { language: 'sk' }, rectangles: [rectangle] })
  t.notMatch(JSON.stringify(fact), /odd/)
})

t.test('4.9: what a client left empty about itself reads as absent', async (t) => {
  const api = await testApi(t)
  api.seed({ phase: 'IN_PROGRESS' })
  const client = { timezone: '', language: '', viewedAllPages: true }
  t.equal((await api.sign(1, { client })).statusCode, 200)
  const [fact] = await readFacts(api)
  t.same(fact?.client, { viewedAllPages: true })
})

t.test('a drawing that the case has is not stored again', async (t) => {
  const api = await testApi(t)
  api.seed({ phase: 'IN_PROGRESS' })
  const writes: string[] = []
  api.objects.beforePut = (key) => void writes.push(key)
  for (const one of [1, 2]) t.equal((await api.sign(one)).statusCode, 200)
  t.equal(writes.filter((key) => /drawings/.test(key)).length, 1)
})

t.test('4.9: PNG with or without the prefix of a data URL is taken', async (t) => {
  const size = { width: 40, height: 20, colourType: 2, depth: 8 }
  const png = makePng({ ...size, pixel: (x) => [x, 0, 0] }).toString('base64')
  for (const encodedSignature of [png, `data:image/png;base64,${png}`]) {
    const api = await testApi(t)
    api.seed({ phase: 'IN_PROGRESS' })
    t.equal((await api.sign(1, { encodedSignature })).statusCode, 200)
    const [fact] = await readFacts(api)
    t.equal(fact?.drawing.mediaType, 'image/png')
  }
})

t.test('4.9: own rectangles, in points or fractions, by the page or by pageSize', async (t) => {
  const places = [
    { signatures: [rectangle] },
    { signatures: [{ ...rectangle, x: 395, y: 782 }], note: 'up to the edge' },
    { signatures: [{ page: 2, x: 0.5, y: 0.9, width: 0.5, height: 0.1, unit: 'fraction' }] },
    { signatures: [{ ...rectangle, x: 900 }], pageSize: { width: 1190, height: 1684 } },
    { signatures: [rectangle, { ...rectangle, page: 2 }] },
    { signatures: [rectangle, { ...rectangle, x: 300 }], note: 'side by side' },
    { signatures: [{ ...rectangle, height: 375 }], note: 'as large as can be' },
  ]
  for (const place of places) {
    const api = await testApi(t)
    api.seed({ phase: 'IN_PROGRESS', participants: [without(1), participant(2)] })
    t.equal((await api.sign(1, place)).statusCode, 200, JSON.stringify(place))
    const [fact] = await readFacts(api)
    t.same(fact?.rectangles, place.signatures)
    t.same(fact?.pageSize, place.pageSize)
    t.equal(fact?.fieldIds, undefined)
  }
})

t.test('4.9: fieldIds go before signatures; neither means all predefined fields', async (t) => {
  const api = await testApi(t)
  api.seed({ phase: 'IN_PROGRESS' })
  t.equal((await api.sign(1, { fieldIds: ['f1'], signatures: [rectangle] })).statusCode, 200)
  t.equal((await api.sign(2)).statusCode, 200)
  const [first, second] = await readFacts(api)
  t.same([first?.fieldIds, first?.rectangles], [['f1'], undefined])
  t.same([second?.fieldIds, second?.rectangles], [undefined, undefined])
})

t.test('4.9: every problem of a body but its drawing is found at once', async (t) => {
  const api = await testApi(t)
  api.seed({ phase: 'IN_PROGRESS' })
  t.same(
    await problemsOf(api, {
      encodedSignature: 'not a drawing',
      fieldIds: ['f1', 'other', 'f1'],
      consent: { textVersion: '1999', acceptedAt: 'yesterday' },
      client: { viewedAllPages: 'yes' },
    }),
    [
      '/client/viewedAllPages type',
      '/consent/acceptedAt format',
      '/consent/textVersion enum',
      '/fieldIds/1 enum',
      '/fieldIds/2 uniqueItems',
    ],
  )
  t.same((await api.sign(1, {}, { body: {} })).json().validationErrors.length, 2)
  t.same(await problemsOf(api, { consent: undefined }), [' required consent'])
  t.same(await readFacts(api), [])
  t.same(
    api.objects.under('tenants/acme/cases').filter((key) => /drawings/.test(key)),
    [],
  )
})

t.test('4.9: each broken rule is named with its place', async (t) => {
  const api = await testApi(t)
  const own = { participants: [without(1), participant(2)] }
  const bad: readonly (readonly [string[], Record<string, unknown>])[] = [
    [[' required signatures'], {}],
    [['/fieldIds/0 enum'], { fieldIds: ['f1'] }],
    [['/fieldIds minItems'], { fieldIds: [] }],
    [['/signatures minItems'], { signatures: [] }],
    [['/signatures/0/page insidePage'], { signatures: [{ ...rectangle, page: 3 }] }],
    [['/signatures/0 insidePage'], { signatures: [{ ...rectangle, x: 400 }] }],
    [['/signatures/0 insidePage'], { signatures: [{ ...rectangle, height: 800 }] }],
    [
      ['/signatures/1 insidePage'],
      {
        signatures: [
          rectangle,
          { ...rectangle, x: 0.9, y: 0, width: 0.2, height: 0.1, unit: 'fraction' },
        ],
      },
    ],
    [
      ['/signatures/0 insidePage'],
      { signatures: [rectangle], pageSize: { width: 250, height: 842 } },
    ],
    [['/signatures/0 minimumSize'], { signatures: [{ ...rectangle, width: 1e-9 }] }],
    [
      ['/signatures/1 minimumSize'],
      {
        signatures: [
          rectangle,
          { ...rectangle, x: 0, y: 0, width: 0.5, height: 1e-9, unit: 'fraction' },
        ],
      },
    ],
    [
      // 40 of 8,420 are 4 of 842.
      ['/signatures/0 minimumSize'],
      {
        signatures: [{ ...rectangle, height: 38 }],
        pageSize: { width: 595, height: 8_420 },
      },
    ],
    // 15 % of 595 × 842 are 75,148 square points.
    [['/signatures/0 maxArea'], { signatures: [{ ...rectangle, height: 377 }] }],
    [
      ['/signatures/0 maxArea'],
      { signatures: [{ page: 1, x: 0, y: 0.5, width: 1, height: 0.16, unit: 'fraction' }] },
    ],
    [
      ['/signatures/0 maxArea'],
      {
        signatures: [{ ...rectangle, width: 48, height: 400 }],
        pageSize: { width: 150, height: 842 },
      },
    ],
    [
      ['/signatures/2 overlap'],
      { signatures: [rectangle, { ...rectangle, page: 2 }, { ...rectangle, x: 299, y: 159 }] },
    ],
    [
      ['/signatures/1 overlap'],
      {
        signatures: [
          rectangle,
          { page: 1, x: 0.2, y: 0.13, width: 0.1, height: 0.1, unit: 'fraction' },
        ],
      },
    ],
    [['/signatures/0/x minimum'], { signatures: [{ ...rectangle, x: -1 }] }],
    [
      ['/pageSize/width exclusiveMinimum'],
      { signatures: [rectangle], pageSize: { width: 0, height: 1 } },
    ],
    [['/encodedSignature minLength'], { signatures: [rectangle], encodedSignature: '' }],
    [['/encodedSignature type'], { signatures: [rectangle], encodedSignature: 5 }],
    [
      ['/encodedSignature maxLength'],
      { signatures: [rectangle], encodedSignature: 'M'.repeat(524_289) },
    ],
    [['/consent type'], { signatures: [rectangle], consent: 'yes' }],
    [['/consent required textVersion'], { signatures: [rectangle], consent: { acceptedAt: NOW } }],
  ]
  for (const [expected, more] of bad) {
    api.seed({ phase: 'IN_PROGRESS', ...own })
    t.same(await problemsOf(api, more), expected)
  }
})

t.test('4.9: own rectangles are refused where the tenant forbids them', async (t) => {
  const api = await testApi(t)
  const definition = { ownPlaces: false }
  api.seed({ phase: 'IN_PROGRESS', definition })
  t.same(await problemsOf(api, { signatures: [rectangle] }), ['/signatures ownPlaces'])
  const view = (await api.asParticipant(1, 'GET', 'caseDefinition')).json()
  t.equal(view.case.ownPlaces, false)
  t.equal((await api.sign(1, { fieldIds: ['f1'], signatures: [rectangle] })).statusCode, 200)
  t.equal((await api.sign(2)).statusCode, 200)
})

t.test('4.9: a bad drawing says what can be done about it', async (t) => {
  const api = await testApi(t)
  api.seed({ phase: 'IN_PROGRESS' })
  const { validationErrors } = (await api.sign(1, { encodedSignature: 'AAAA' })).json()
  t.match(validationErrors, [
    { instancePath: '/encodedSignature', keyword: 'drawing', params: {}, message: /\w+ \w+/ },
  ])
})

t.test('4.9: a drawing is read last, and only when all else is right', async (t) => {
  let reads = 0
  const readDrawing: ApiDeps['readDrawing'] = async () => {
    reads++
    throw Object.assign(new Error('it is damaged'), { code: 'BAD_DRAWING' })
  }
  const api = await testApi(t, { readDrawing })
  api.seed({ phase: 'IN_PROGRESS', signed: 1 })
  t.equal((await api.sign(1)).statusCode, 409)
  t.same(await problemsIn(api.sign(2, { fieldIds: ['x'] })), ['/fieldIds/0 enum'])
  t.same(await problemsIn(api.sign(2, { consent: undefined })), [' required consent'])
  api.canary('failed')
  t.match((await api.sign(2)).json(), { code: 'SIGNING_UNAVAILABLE' })
  t.equal(reads, 0)
  api.canary('passed')
  t.same(await problemsIn(api.sign(2)), ['/encodedSignature drawing'])
  t.equal(reads, 1)
})

t.test('4.9: a second signature: 409, also before the body is looked at', async (t) => {
  const api = await testApi(t)
  api.seed({ phase: 'IN_PROGRESS', signed: 1 })
  for (const body of [signing(), {}, '{']) {
    const headers = { 'content-type': 'application/json' }
    const { statusCode, ...answer } = await api.sign(1, {}, { body, headers })
    t.equal(statusCode, 409)
    t.match(answer.json(), { code: 'ALREADY_SIGNED', message: String })
  }
  t.equal((await readFacts(api)).length, 1)
})

t.test('4.9: everyone signed, not sealed yet: still 409', async (t) => {
  const api = await testApi(t)
  api.seed({ phase: 'IN_PROGRESS', signed: 2 })
  await api.timers.moveTo(VALID_UNTIL)
  t.match((await api.sign(2)).json(), { code: 'ALREADY_SIGNED' })
})

t.test('4.9: refusals of link and case go before those of the body', async (t) => {
  const api = await testApi(t)
  const body = '{'
  const headers = { 'content-type': 'application/json' }
  t.equal((await api.sign(1, {}, { body, headers, token: 'x' })).statusCode, 401)
  t.equal((await api.sign(1, {}, { body, headers })).statusCode, 404)
  api.seed({ phase: 'NEW' })
  t.equal((await api.sign(1, {}, { body, headers })).statusCode, 401)
  api.seed({ phase: 'CANCELLED' })
  t.equal((await api.sign(1, {}, { body, headers })).statusCode, 410)
  api.seed({ phase: 'IN_PROGRESS' })
  t.equal((await api.sign(1, {}, { body, headers })).statusCode, 400)
})

t.test(
  '4.9: a signature must lie before validUntil, also within the grace of expiry',
  async (t) => {
    const api = await testApi(t)
    api.seed({ phase: 'IN_PROGRESS', definition: { sender: { name: 'ACME' } } })
    await api.timers.moveTo(LINK_TIME)
    t.match((await api.sign(1)).json(), {
      code: 'CASE_NOT_ACTIVE',
      status: 'EXPIRED',
      senderName: 'ACME',
    })
    api.canary('passed', new Date(LINK_TIME - 1).toISOString())
    await api.timers.moveTo(LINK_TIME - 1)
    t.equal((await api.sign(1)).statusCode, 200)
  },
)

t.test('4.9: a rectangle over a signature that the document already has is refused', async (t) => {
  const api = await testApi(t)
  api.seed({ phase: 'IN_PROGRESS' })
  const intake = {
    outcome: 'accepted',
    pages: [A4, A4],
    carriesSignatures: true,
    occupied: [{ page: 1, x: 90, y: 150, width: 30, height: 30 }],
  }
  api.objects.upload(intakeKey(CASE_KEY), encodeJson(intake), 'application/json')
  const answer = await api.sign(1, { signatures: [{ ...rectangle, x: 10 }, rectangle] })
  t.equal(answer.statusCode, 400)
  const [problem, ...others] = answer.json().validationErrors
  t.match(problem, { instancePath: '/signatures/0', keyword: 'overlap', message: /must not cover/ })
  t.match(others, [{ instancePath: '/signatures/1', keyword: 'overlap' }])
  const small = { page: 1, x: 0.16, y: 0.16, width: 0.1, height: 0.1, unit: 'fraction' }
  t.equal((await api.sign(1, { signatures: [small] })).statusCode, 400, 'also in fractions')
  t.equal((await api.stored())?.spec.signatures.length, 0)
  t.equal((await api.sign(1, { signatures: [{ ...rectangle, page: 2 }] })).statusCode, 200)
})

t.test('promise 6: signing is refused while the canary failed, is old or absent', async (t) => {
  const api = await testApi(t)
  api.seed({ phase: 'IN_PROGRESS' })
  const states: readonly (() => void)[] = [
    () => api.canary('failed'),
    () => api.canary('passed', '2026-11-02T08:26:59.999Z'),
    () => api.canary('passed', '2026-11-02T08:33:00.001Z'),
    () => api.canary('passed', 'never'),
    () => api.objects.objects.delete('canary.json'),
  ]
  for (const state of states) {
    state()
    const { statusCode, ...answer } = await api.sign(1)
    t.equal(statusCode, 503)
    t.match(answer.json(), { code: 'SIGNING_UNAVAILABLE', message: String, retryAfterSeconds: 60 })
    t.equal(answer.headers['retry-after'], '60')
    t.equal((await api.asParticipant(1, 'GET', 'caseDefinition')).statusCode, 200)
  }
  t.same(await readFacts(api), [])
  api.canary('passed', '2026-11-02T08:27:00.000Z')
  t.equal((await api.sign(1)).statusCode, 200)
})

t.test('a body that is refused is refused also while the canary fails', async (t) => {
  const api = await testApi(t)
  api.seed({ phase: 'IN_PROGRESS' })
  api.canary('failed')
  t.same(await problemsOf(api, { fieldIds: ['x'] }), ['/fieldIds/0 enum'])
})

t.test('a forged fact does not keep its participant from signing', async (t) => {
  const api = await testApi(t)
  const genuine = signature(participant(1))
  const forged = [
    { ...genuine, signature: { ...genuine.signature, value: '0'.repeat(128) } },
    { ...genuine, signedAt: '2026-11-01T00:00:00.000Z' },
    { ...genuine, signature: { ...genuine.signature, kid: 'unknown' } },
  ]
  api.seed({ phase: 'IN_PROGRESS', signatures: forged })
  const path = 'caseDefinition'
  t.match((await api.asParticipant(1, 'GET', path)).json(), {
    participant: { status: 'UNSIGNED' },
    participants: { signed: 0 },
  })
  t.equal((await api.sign(1)).statusCode, 200)
  t.match((await api.asParticipant(1, 'GET', path)).json(), {
    participant: { status: 'SIGNED', signedAt: NOW },
  })
  t.equal((await api.stored())?.spec.signatures.length, 4, 'facts are add-only')
})

t.test('a list full of forged facts takes no more: 503', async (t) => {
  const api = await testApi(t)
  const genuine = signature(participant(1))
  const forged = { ...genuine, signature: { ...genuine.signature, value: '0'.repeat(128) } }
  const signatures = Array.from({ length: MAXIMUM_SIGNATURE_FACTS }, () => forged)
  api.seed({ phase: 'IN_PROGRESS', signatures })
  t.match((await api.sign(1)).json(), { code: 'SIGNING_UNAVAILABLE' })
})

t.test('the verdict on the upload is read only for a participant who chose places', async (t) => {
  const api = await testApi(t)
  api.seed({ phase: 'IN_PROGRESS' })
  const readsOf = async (number: number, more: Record<string, unknown>) => {
    api.objects.gets = []
    t.equal((await api.sign(number, more)).statusCode, 200)
    return api.objects.gets.filter((key) => key === intakeKey(CASE_KEY)).length
  }
  t.equal(await readsOf(1, {}), 0)
  t.equal(await readsOf(2, { signatures: [rectangle] }), 1)
})

t.test('4.9: a write by another since the request read the case is judged anew', async (t) => {
  const api = await testApi(t)
  const seeded = api.seed({ phase: 'IN_PROGRESS' })
  let reads = 0
  const get = api.cases.get.bind(api.cases)
  api.cases.get = (key) => {
    reads += 1
    return get(key)
  }
  api.cases.beforeWrite = async () => {
    api.cases.beforeWrite = undefined
    await api.cases.replaceSpec({
      ...seeded,
      spec: { ...seeded.spec, signatures: [signature(participant(2))] },
    })
  }
  t.equal((await api.sign(1, { fieldIds: ['f1'] })).statusCode, 200)
  t.equal(reads, 2, 'by the route, and after the lost race')
  const signers = (await readFacts(api)).map(({ participantId }) => participantId)
  const both = [participant(1).id, participant(2).id]
  t.same(signers.sort(), both.sort(), 'no signature is lost')
})
