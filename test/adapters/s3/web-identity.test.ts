/** The token of a pod becomes temporary credentials, which are replaced in time. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { WebIdentity } from '../../../adapters/s3/web-identity.ts'
import { emulatedServer, type EmulatedAnswer } from '../../../dev/emulators/http.ts'

const ROLE = 'arn:aws:iam::123456789012:role/sigcase-worker'
const MINUTE_MS = 60_000

/** The answer of the AWS documentation (AssumeRoleWithWebIdentity), with other values. */
const sessionAnswer = (number: number, expires: Date): EmulatedAnswer => ({
  status: 200,
  headers: { 'content-type': 'text/xml' },
  body:
    '<AssumeRoleWithWebIdentityResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/">' +
    '<AssumeRoleWithWebIdentityResult><Audience>client</Audience><Credentials>' +
    `<SessionToken>token/${number}&amp;</SessionToken><SecretAccessKey>secret</SecretAccessKey>` +
    `<Expiration>${expires.toISOString()}</Expiration><AccessKeyId>ASIA${number}</AccessKeyId>` +
    '</Credentials></AssumeRoleWithWebIdentityResult></AssumeRoleWithWebIdentityResponse>',
})

const refusal = (status: number, code: string): EmulatedAnswer => ({
  status,
  body: `<ErrorResponse><Error><Type>Sender</Type><Code>${code}</Code></Error></ErrorResponse>`,
})

async function open(t: Test) {
  let nowMs = Date.parse('2026-11-23T10:00:00Z')
  let sessions = 0
  const server = await emulatedServer(({ body }) => {
    const form = new URLSearchParams(body.toString())
    const isRight =
      form.get('Action') === 'AssumeRoleWithWebIdentity' &&
      form.get('Version') === '2011-06-15' &&
      form.get('RoleArn') === ROLE &&
      form.get('WebIdentityToken') === 'token of the pod'
    if (!isRight) return refusal(400, 'InvalidIdentityToken')
    sessions += 1
    return sessionAnswer(sessions, new Date(nowMs + Number(form.get('DurationSeconds')) * 1000))
  })
  t.teardown(() => server.close())
  const tokenFile = join(t.testdir({ token: 'token of the pod\n' }), 'token')
  const now = () => new Date(nowMs)
  const identity = new WebIdentity({ tokenFile, role: ROLE, endpoint: server.origin, now })
  const pass = (minutes: number) => void (nowMs += minutes * MINUTE_MS)
  return { identity, server, tokenFile, pass }
}

t.test('a session is shared, and replaced before it ends', async (t) => {
  const { identity, server, pass } = await open(t)
  const [first, second] = await Promise.all([identity.current(), identity.current()])
  t.same(first, { accessKeyId: 'ASIA1', secretAccessKey: 'secret', sessionToken: 'token/1&' })
  t.same(second, first)
  pass(49)
  t.same(await identity.current(), first)
  pass(2)
  t.match(await identity.current(), { accessKeyId: 'ASIA2' })
  t.equal(server.requests.length, 2)
})

t.test('a link gets a session that lasts', async (t) => {
  const { identity, pass } = await open(t)
  await identity.current()
  pass(4)
  t.match(await identity.current(60 * MINUTE_MS), { accessKeyId: 'ASIA1' }, 'not for each link')
  pass(2)
  t.match(await identity.current(30 * MINUTE_MS), { accessKeyId: 'ASIA1' }, 'it lasts')
  t.match(await identity.current(60 * MINUTE_MS), { accessKeyId: 'ASIA2' })
})

t.test('a refused session is replaced', async (t) => {
  const { identity } = await open(t)
  await identity.current()
  identity.forget()
  t.match(await identity.current(), { accessKeyId: 'ASIA2' })
})

t.test('short outages are retried, refusals are not', async (t) => {
  const { identity, server, tokenFile } = await open(t)
  const matches = () => true
  server.faults.push({ matches, answer: { status: 503 }, times: 1 })
  server.faults.push({ matches, answer: { status: 200, body: '<html></html>' }, times: 1 })
  server.faults.push({ matches, answer: refusal(400, 'Throttling'), times: 1 })
  t.match(await identity.current(), { accessKeyId: 'ASIA1' })
  identity.forget()
  writeFileSync(tokenFile, 'token of another')
  const before = server.requests.length
  await t.rejects(identity.current(), {
    name: 'S3RefusedError',
    message: /AWS_ROLE_ARN cannot be assumed: 400 InvalidIdentityToken; check its trust policy/,
  })
  t.equal(server.requests.length - before, 1)
  const none = { tokenFile: `${tokenFile}.none`, role: ROLE, endpoint: server.origin }
  const missing = new WebIdentity({ ...none, now: () => new Date() })
  await t.rejects(missing.current(), { message: 'AWS_WEB_IDENTITY_TOKEN_FILE cannot be read' })
})
