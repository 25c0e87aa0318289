/** Both clients as participants, and the operations that need no case, against one service. */
import t from 'tap'
import {
  pairKiosk,
  ParticipantClient,
  SigcaseClient,
  type GetCaseResult,
  type SignInput,
} from '../../../clients/typescript/src/index.ts'
import { openWorld, person, type Json } from '../../conformance/world.ts'
import { missingPython, runPython } from '../python.ts'
import { caseInput } from '../world.ts'

t.setTimeout(300_000)
const skip = await missingPython()
const PETER = 'peter@example.com'
const PIN = 'žltý 7'

const world = await openWorld(t)
const client = new SigcaseClient({ baseUrl: world.url, token: () => world.token() })
const linksOf = ({ participants }: GetCaseResult) =>
  participants.map(({ signerUrl }) => `${signerUrl}`)
const signature: SignInput = {
  encodedSignature: 'M0 20 C20 0 40 40 60 20 S100 0 120 20',
  consent: { textVersion: '2026-11', acceptedAt: new Date().toISOString() },
}
const run: Json = { multiFactorType: 'EMAIL', participants: [person(), person({ email: PETER })] }

t.test('participants pass the code check, sign and download', { skip }, async (t) => {
  const made: GetCaseResult = await world.inProgress(run)
  const [janaLink = '', peterLink = ''] = linksOf(made)
  const jana = ParticipantClient.fromLink(janaLink)
  t.match(await jana.getCaseDefinition(), { otpRequired: true, document: { url: undefined } })
  await t.rejects(jana.sign(signature), { code: 'OTP_REQUIRED', status: 401 })
  t.match(await jana.sendCode(), { channel: 'EMAIL', destination: /^j\*+@/ })
  await jana.verifyCode(await world.code('jana@example.com'))
  t.match(await jana.getCaseDefinition(), { otpRequired: false, document: { url: String } })
  await jana.sign(signature)
  await t.rejects(jana.downloadSigned(), { code: 'NOT_COMPLETED', data: { status: 'IN_PROGRESS' } })

  const peter = ParticipantClient.fromLink(peterLink)
  await peter.sendCode()
  const args = ['sign', peterLink, await world.code(PETER)]
  const { signed } = JSON.parse(await runPython('drive_participants.py', args))
  t.match(signed, { before: true, after: false, early: 'NOT_COMPLETED' })
  await client.waitUntilDone(made.id)
  const document = await client.download(made.id, 'signed')
  t.same(await jana.downloadSigned(), document)
})

t.test('a PIN is sent as UTF-8, and a text that is not a link is refused', { skip }, async (t) => {
  const [link = ''] = linksOf(await world.inProgress({ pin: PIN }))
  const { pinRequired } = await ParticipantClient.fromLink(link, { pin: PIN }).getCaseDefinition()
  t.equal(pinRequired, false)
  const { opened } = JSON.parse(await runPython('drive_participants.py', ['pin', link, PIN]))
  t.same(opened, { pinRequired: false, noLink: 'ValueError' })
  t.throws(() => ParticipantClient.fromLink(world.url), TypeError)
})

t.test('reports, probes, authorities, GraphQL and pairing', { skip }, async (t) => {
  const { case: made } = await client.createCase(caseInput())
  const pdf = await world.download((await world.done()).signedDocument.url)
  const text = async (form: 'xml' | 'pdf') =>
    new TextDecoder('latin1').decode(await client.downloadReport(pdf, form))
  t.match(await text('xml'), /ValidationReport/)
  t.match(await text('pdf'), /^%PDF-/)
  t.same(await client.health(), { status: 'ok' })
  t.match(await client.readiness(), { status: 'ok', checks: { canary: {} } })
  const { authorities } = await client.authorities()
  const query = 'query ($id: ID!) { case(id: $id) { title } }'
  const { data } = await client.graphql({ query, variables: { id: made.id } })
  t.same(data, { case: { title: made.title } })
  const { deviceId, token } = await client.registerDevice('Desk')
  const paired = await pairKiosk({ baseUrl: world.url, token })
  t.match(paired, { device: { deviceId }, cookie: /^[\w-]+=./ })
  const forged = { baseUrl: world.url, token: 'x' }
  await t.rejects(pairKiosk(forged), { code: 'UNAUTHORIZED', status: 401 })

  const signed = t.testdir({ 'signed.pdf': Buffer.from(pdf) })
  const args = ['service', world.url, await world.token(), `${signed}/signed.pdf`, made.id, token]
  t.same(JSON.parse(await runPython('drive_participants.py', args)), {
    xml: true,
    pdf: '%PDF-',
    health: 'ok',
    readiness: 'ok',
    authorities: authorities.length,
    title: made.title,
    paired: [deviceId, paired.cookie?.split('=')[0]],
    missing: [],
  })
})
