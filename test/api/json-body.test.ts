/** Bodies are JSON that says one thing, and all else is refused in the shape of the contract. */
import { Buffer } from 'node:buffer'
import { gzipSync } from 'node:zlib'
import t from 'tap'
import { findInexactNumber } from '../../api/inexact-numbers.ts'
import { input, testApi } from '../fixtures/api.ts'
import { TENANT } from '../fixtures/signature-case.ts'
import { problemsIn, problemsOf, type Problem } from '../fixtures/problems.ts'
import { cpuMs } from '../fixtures/cpu-time.ts'

const CALLBACK = { url: 'https://acme.example/hook', authType: 'NONE' }

t.test('text that is not Unicode is refused in every place', async (t) => {
  const api = await testApi(t)
  const headers = { 'content-type': 'application/json' }
  const body = JSON.stringify(
    input({ title: 'a\udc00', sender: { name: '\ud800b' }, 'x/~y': ['\ud800'] }),
  )
  const answer = await api.ask('POST', '/cases', { body, headers })
  t.equal(answer.statusCode, 400)
  const problems = answer.json().validationErrors as Problem[]
  t.same(problems.map(({ instancePath }) => instancePath).sort(), [
    '/sender/name',
    '/title',
    '/x~1~0y/0',
  ])
  t.match(problems[0], { keyword: 'format', params: { format: 'unicode' } })
  t.same(await problemsOf(api, input({ title: '🖋️ ŠČŤŽ' })), [])
})

t.test('a body that nests without end is judged, not run into', async (t) => {
  const api = await testApi(t)
  const deep = `${'['.repeat(200_000)}1e5${']'.repeat(200_000)}`
  const body = `${JSON.stringify(input()).slice(0, -1)},"deep":${deep}}`
  const headers = { 'content-type': 'application/json' }
  const { statusCode } = await api.ask('POST', '/cases', { body, headers })
  t.ok(statusCode === 200 || statusCode === 400, String(statusCode))
})

t.test('what is not JSON is refused in the same shape', async (t) => {
  const api = await testApi(t)
  const headers = { 'content-type': 'application/json' }
  for (const body of ['{', '{"a":1,}', "{'a':1}", '{"__proto__":{"a":1}}', '\ufeff{}']) {
    const answer = await api.ask('POST', '/cases', { body, headers })
    t.equal(answer.statusCode, 400)
    t.match(answer.json(), {
      message: String,
      validationErrors: [{ instancePath: '', keyword: String, params: {}, message: String }],
    })
  }
})

t.test('a name that an object has twice is refused with its place', async (t) => {
  const api = await testApi(t)
  const headers = { 'content-type': 'application/json' }
  for (const [body, path] of [
    ['{"title":"a","title":5}', '/title'],
    ['{"a":[{},{"b":{"x/y":1,"c":"\\"}{:,","x\\u002fy":2}}]}', '/a/1/b/x~1y'],
    ['{"callback":{"data":{"__proto__":1,"__proto__":1}}}', '/callback/data/__proto__'],
  ]) {
    const answer = await api.ask('POST', '/cases', { body, headers })
    t.equal(answer.statusCode, 400)
    t.match(answer.json(), {
      validationErrors: [{ instancePath: path, keyword: 'uniqueNames', message: String }],
    })
  }
  const body = JSON.stringify(input({ callback: { ...CALLBACK, data: { a: { a: ['a', 'a'] } } } }))
  t.equal((await api.ask('POST', '/cases', { body, headers })).statusCode, 200)
})

t.test('octets that are not UTF-8 are refused, and a body that was compressed', async (t) => {
  const api = await testApi(t)
  const json = { 'content-type': 'application/json' }
  const latin = Buffer.from(JSON.stringify(input({ title: 'Zmluva žltá' })), 'latin1')
  for (const type of ['application/json', 'application/json; charset=iso-8859-1']) {
    const headers = { 'content-type': type }
    const answer = await api.ask('POST', '/cases', { body: latin, headers })
    t.equal(answer.statusCode, 400)
    t.match(answer.json(), { validationErrors: [{ params: { format: 'utf-8' } }] })
  }
  const packed = gzipSync(JSON.stringify(input()))
  for (const encoding of ['gzip', 'br', 'GZIP, identity']) {
    const headers = { ...json, 'content-encoding': encoding }
    const answer = await api.ask('POST', '/cases', { body: packed, headers })
    t.equal(answer.statusCode, 415)
    t.match(answer.json(), { code: 'UNSUPPORTED_MEDIA_TYPE', message: /Content-Encoding/ })
  }
  const plain = { ...json, 'content-encoding': 'identity' }
  t.equal((await api.ask('POST', '/cases', { body: input(), headers: plain })).statusCode, 200)
})

t.test('4.1: members of data come back by whatever name', async (t) => {
  const api = await testApi(t)
  const headers = { 'content-type': 'application/json' }
  const data = '{"__proto__":{"a":1},"constructor":{"prototype":2},"toString":"x"}'
  const body = JSON.stringify(input({ callback: CALLBACK })).replace(
    '"authType"',
    `"data":${data},"authType"`,
  )
  const created = await api.ask('POST', '/cases', { body, headers })
  t.equal(created.statusCode, 200)
  const { id } = created.json().case
  const read = await api.ask('GET', `/cases/${id}`)
  t.ok(read.body.includes(`"data":${data}`), read.body)
  const stored = await api.cases.get({ tenant: TENANT, caseId: id })
  t.equal(stored?.spec.definition.callback?.data, data)
})

t.test('no body, or one of another kind', async (t) => {
  const api = await testApi(t)
  const none = await api.ask('POST', '/cases')
  t.match([none.statusCode, none.json()], [400, { validationErrors: [{ keyword: 'type' }] }])
  for (const type of ['text/plain', 'application/xml', 'application/x-www-form-urlencoded']) {
    const other = await api.ask('POST', '/cases', {
      body: 'a=b',
      headers: { 'content-type': type },
    })
    t.equal(other.statusCode, 415)
    t.match(other.json(), { code: 'UNSUPPORTED_MEDIA_TYPE', message: /application\/json/ })
  }
})

t.test('4.1: a number in data comes back as it came, or is refused', async (t) => {
  const api = await testApi(t)
  const headers = { 'content-type': 'application/json' }
  const callback = { ...CALLBACK, data: { n: 0 } }
  const ask = (number: string) => {
    const body = JSON.stringify(input({ callback })).replace('"n":0', `"n":${number}`)
    return api.ask('POST', '/cases', { body, headers })
  }
  for (const number of [
    '9007199254740991',
    '-1e5',
    '0.1',
    '1.5E+300',
    '5e-324',
    '0e-400',
    '1.2500',
    '100000000000000000000000',
    '0.1234567890123456',
    '1.7976931348623157e308',
    '"1e400\\" 99999999999999999"',
  ]) {
    const { statusCode, ...answer } = await ask(number)
    t.equal(statusCode, 200, number)
    t.same(answer.json().case.callback.data, { n: JSON.parse(number) as unknown })
  }
  for (const number of [
    '9007199254740993',
    '-12345678901234567890',
    '1e400',
    '-1e400',
    '1e-400',
    '-1e-400',
    '0.1234567890123456789',
    '1234567.1234567891234',
    '0.10000000000000001',
  ]) {
    const { statusCode, ...answer } = await ask(number)
    t.equal(statusCode, 400, number)
    const instancePath = '/callback/data/n'
    const problem = { instancePath, keyword: 'format', params: { format: 'double', number } }
    t.match(answer.json().validationErrors, [problem])
  }
})

t.test('a number of a million digits is judged at once', async (t) => {
  const zeros = '0'.repeat(1_000_000)
  const startedMs = cpuMs()
  const number = `0.${zeros}1${zeros}1`
  t.same(findInexactNumber(`{"a":${number}}`, []), { instancePath: '/a', number })
  t.equal(findInexactNumber(`[0.${zeros}]`, ['a']), undefined)
  t.ok(cpuMs() - startedMs < 2_000)
})

t.test('7: the problem with a number points at it', async (t) => {
  const number = '12345678901234567890'
  for (const [text, path] of [
    [`[[1,"2",{}],{"a":{"b/~c":[0,${number}]}}]`, '/1/a/b~1~0c/1'],
    [`{"a":[],"\\"b":[{},[]],"c":${number}}`, '/c'],
    [`{"__proto__":{"":${number}}}`, '/__proto__/'],
    [number, ''],
  ] as const) {
    t.same(findInexactNumber(text, []), { instancePath: path, number }, text)
  }
})

t.test('digits that a number has too many matter in data alone', async (t) => {
  const api = await testApi(t)
  const headers = { 'content-type': 'application/json' }
  const field = { id: 'f', page: 1, x: 0, y: 0.5, width: 0.2, height: 0.1, unit: 'fraction' }
  const [person] = input().participants
  const body = (data: string, x: string) => {
    const participants = [{ ...person, signatureFields: [field] }]
    const callback = { ...CALLBACK, data: { '"callback"': ['x'], n: 'DATA' } }
    return JSON.stringify(input({ participants, callback }))
      .replace('"DATA"', data)
      .replace('"x":0', `"x":${x}`)
  }
  const long = '0.10000000000000001'
  const longInteger = '12345678901234567890'
  const ask = (data: string, x: string) =>
    api.ask('POST', '/cases', { body: body(data, x), headers })
  const newer = body('0.1', '0').replace('"title"', `"newer":[${longInteger}],"title"`)
  t.equal((await api.ask('POST', '/cases', { body: newer, headers })).statusCode, 200)
  t.same(await problemsIn(ask('0.1', longInteger)), [
    '/participants/0/signatureFields/0 insidePage',
    '/participants/0/signatureFields/0/x maximum',
  ])
  t.same(await problemsIn(ask(longInteger, '0.1')), ['/callback/data/n format'])
  t.equal((await ask('0.1', long)).statusCode, 200)
  t.equal((await ask(`[{"m":${long}}]`, '0.1')).statusCode, 400)
  t.equal((await ask('0.1', '1e-400')).statusCode, 400, 'no double holds it')
})

t.test('where nothing comes, its type does not matter', async (t) => {
  const headers = { 'content-type': 'application/x-www-form-urlencoded', 'content-length': '0' }
  const api = await testApi(t)
  api.seed({ phase: 'IN_PROGRESS', definition: { multiFactorType: 'EMAIL' } })
  t.equal((await api.asParticipant(1, 'POST', 'otp', { headers })).statusCode, 200)
  const none = await api.ask('POST', '/cases', { headers })
  t.match([none.statusCode, none.json()], [400, { validationErrors: [{ keyword: 'type' }] }])
})

t.test('a body that is too large: 413', async (t) => {
  const api = await testApi(t)
  const large = await api.ask('POST', '/cases', { body: input({ title: 'x'.repeat(3_000_000) }) })
  t.equal(large.statusCode, 413)
  t.match(large.json(), { code: 'BODY_TOO_LARGE', message: /\w+/ })
})
