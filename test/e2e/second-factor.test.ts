/** Many who ask for codes, guess them or guess the PIN at the same instant, over HTTP. */
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import t, { type Test } from 'tap'
import {
  openFreshWorld,
  openWorld,
  person,
  type Answer,
  type Json,
  type World,
} from '../conformance/world.ts'

t.setTimeout(600_000)

const CROWD = 50
const CODE = /\b\d{6}\b/
const SMS_TOKEN = 'token-of-the-gateway'

/** What a gateway was sent, with the answer that it gave. */
interface Gateway {
  url: string
  messages: { authorization?: string | undefined; body: Json }[]
}

async function readBody(request: IncomingMessage): Promise<Json> {
  let text = ''
  for await (const chunk of request) text += String(chunk)
  return JSON.parse(text)
}

/** @param status of each answer */
async function openGateway(t: Test, status: () => number): Promise<Gateway> {
  const messages: Gateway['messages'] = []
  const server = createServer(async (request, response) => {
    const { authorization } = request.headers
    messages.push({ authorization, body: await readBody(request) })
    response.writeHead(status()).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => server.close())
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/sms`, messages }
}

const crowd = (ask: (index: number) => Promise<Answer>) =>
  Promise.all(Array.from({ length: CROWD }, (_, index) => ask(index)))

/** How often each answer came, by its code or status. */
function tally(answers: readonly Answer[]): Record<string, number> {
  const names = answers.map(({ status, json }) => json?.code ?? String(status))
  return Object.fromEntries(
    [...new Set(names)].map((name) => [name, names.filter((one) => one === name).length]),
  )
}

/** Another code of six digits, `by` further on. */
const other = (code: string, by: number) => String((Number(code) + by) % 1_000_000).padStart(6, '0')

async function ownEvents(world: World, caseId: string): Promise<string[]> {
  const types = (await world.events(caseId)).map(({ type }) => type)
  return types.filter((type) => type.startsWith('participant.otp_'))
}

t.test('fifty ask for a code at once: five mails', async (t) => {
  const world = await openFreshWorld(t)
  const { id, participants } = await world.inProgress({ multiFactorType: 'EMAIL' })
  const [one] = participants
  const answers = await crowd(() => world.asParticipant(one, 'POST', 'otp'))
  t.same(tally(answers), { 200: 5, OTP_RATE_LIMITED: 45 })
  const codes = (await world.mails(one.email)).filter((mail) => CODE.test(mail))
  t.equal(codes.length, 5)
  t.same(await ownEvents(world, id), Array(5).fill('participant.otp_sent'))
})

t.test('fifty guess a code at once: five tries, and the right one is too late', async (t) => {
  const world = await openWorld(t)
  const { id, participants } = await world.inProgress({ multiFactorType: 'EMAIL' })
  const [one] = participants
  await world.asParticipant(one, 'POST', 'otp')
  const code = await world.code(one.email)
  const verify = (guess: string) =>
    world.asParticipant(one, 'POST', 'otp/verify', { body: { code: guess } })
  const answers = await crowd((index) => verify(other(code, index + 1)))
  t.same(tally(answers), { OTP_INVALID: 5, OTP_LOCKED: 45 })
  t.equal((await verify(code)).status, 423)
  t.equal((await ownEvents(world, id)).filter((type) => type.endsWith('failed')).length, 5)
})

t.test('fifty guess a PIN at once: five tries, and the right one is too late', async (t) => {
  const world = await openWorld(t)
  const { id, participants } = await world.inProgress({ pin: '4711' })
  const [one] = participants
  const view = (pin: string) =>
    world.asParticipant(one, 'GET', 'caseDefinition', { headers: { 'service-pin': pin } })
  const answers = await crowd((index) => view(`guess ${index}`))
  t.same(tally(answers), { PIN_REQUIRED: 5, PIN_LOCKED: 45 })
  t.match(await view('4711'), { status: 423, json: { code: 'PIN_LOCKED' } })
  t.equal((await ownEvents(world, id)).length, 5)
})

t.test('codes go out by the SMS gateway of the configuration', async (t) => {
  let status = 202
  const gateway = await openGateway(t, () => status)
  const world = await openWorld(t, { SMS_GATEWAY_URL: gateway.url, SMS_GATEWAY_TOKEN: SMS_TOKEN })
  const { id, participants } = await world.inProgress({
    multiFactorType: 'SMS',
    participants: [person({ phone: '+421 905 123 456' })],
  })
  const [one] = participants
  const sent = await world.asParticipant(one, 'POST', 'otp')
  t.match(sent, { status: 200, json: { channel: 'SMS', destination: '+421 *** *** 456' } })
  const [message] = gateway.messages
  t.match(message, { authorization: `Bearer ${SMS_TOKEN}`, body: { to: '+421905123456' } })
  const code = CODE.exec(message?.body.text)?.[0]
  const verified = await world.asParticipant(one, 'POST', 'otp/verify', { body: { code } })
  t.equal(verified.status, 200)
  const headers = { 'service-otp-session': verified.json.otpSession }
  t.equal((await world.sign(one, {}, { headers })).status, 200)
  await world.untilStatus(id, 'DONE')

  status = 500
  const failing = await world.inProgress({
    multiFactorType: 'SMS',
    participants: [person({ phone: '+421 905 123 457' })],
  })
  const failed = await world.asParticipant(failing.participants[0], 'POST', 'otp')
  t.match(failed, { status: 503, json: { code: 'TIMEOUT' } })
  t.same(await ownEvents(world, failing.id), ['participant.otp_failed', 'participant.otp_sent'])
})
