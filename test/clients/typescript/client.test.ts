/** The TypeScript client against the running service: from a case to its verified documents. */
import { Buffer } from 'node:buffer'
import t from 'tap'
import {
  API_VERSION,
  SigcaseClient,
  SigcaseError,
  type Case,
  type WebhookEvent,
  readWebhook,
} from '../../../clients/typescript/src/index.ts'
import { httpReceiver } from '../../fixtures/receiver.ts'
import { smallDocument } from '../../fixtures/signed-by-all.ts'
import { caseInput, openClientWorld, SIGNING_SECRET, waitFor } from '../world.ts'

t.setTimeout(300_000)
const UNKNOWN_ID = '00000000-0000-4000-8000-000000000000'

const world = await openClientWorld(t)
const pdf = new Uint8Array(await smallDocument())
const client = new SigcaseClient({ baseUrl: `${world.url}/`, token: () => world.token() })

async function failure(call: Promise<unknown>): Promise<SigcaseError> {
  try {
    await call
  } catch (error) {
    if (error instanceof SigcaseError) return error
    throw error
  }
  throw new Error('nothing was thrown')
}

/** Waits until the case has its document. */
const inProgress = (caseId: string): Promise<Case> =>
  waitFor('the document', async () => {
    const seen = await client.getCase(caseId)
    return seen.status === 'IN_PROGRESS' ? seen : undefined
  })

t.test('a case is created, uploaded, signed, awaited, downloaded and verified', async (t) => {
  const webhooks: WebhookEvent[] = []
  const receiver = await httpReceiver()
  t.teardown(() => receiver.close())
  const url = `http://127.0.0.1:${receiver.port}/hook`
  const callback = { url, authType: 'NONE', signingSecret: SIGNING_SECRET, data: { n: 7 } } as const
  const created = await client.createCase(caseInput({ callback }))
  const { id } = created.case
  const progress: number[] = []
  await client.uploadDocument(created, pdf, {
    onProgress: ({ sentBytes, totalBytes }) => {
      t.equal(totalBytes, pdf.length)
      progress.push(sentBytes)
    },
  })
  t.equal(progress.at(-1), pdf.length)

  const running = await inProgress(id)
  t.equal((await world.sign(running.participants[0])).status, 200)
  const looks: string[] = []
  const done = await client.waitUntilDone(id, { onLook: ({ status }) => looks.push(status) })
  t.equal(done.status, 'DONE')
  t.equal(looks.at(-1), 'DONE')

  t.same(await client.download(id, 'original'), pdf)
  const signed = await client.download(id, 'signed')
  const evidence = await client.download(id, 'evidence')
  for (const bytes of [signed, evidence])
    t.equal(Buffer.from(bytes).toString('latin1', 0, 5), '%PDF-')

  const report = await client.verify(signed)
  t.equal(report.issuedByService, true)
  t.equal(report.signatures[0]?.indication, 'TOTAL_PASSED')
  t.equal((await client.verify(new Blob([pdf]))).signatures.length, 0)

  const types: string[] = []
  for await (const { type } of client.events(id, { limit: 3 })) types.push(type)
  t.equal(types.at(-1), 'case.created', 'the last page was read')
  t.ok(types.includes('case.completed'))
  t.ok(types.length > 6)

  await waitFor('both webhooks', async () => receiver.requests.length === 2 || undefined)
  for (const { headers, body } of receiver.requests) {
    const request = new Request(url, {
      method: 'POST',
      headers: { 'service-signature': String(headers['service-signature']) },
      body,
    })
    webhooks.push(await readWebhook(request, SIGNING_SECRET))
  }
  t.match(webhooks, [
    { type: 'participant-signed', caseId: id, data: { n: 7 } },
    { type: 'case-completed', caseId: id, status: 'DONE', signedDocument: { url: String } },
  ])
  const { deliveries } = await client.listDeliveries(id)
  t.same(deliveries.map(({ eventId }) => eventId).sort(), webhooks.map((event) => event.id).sort())
})

t.test('a repeated create with one key answers one case', async (t) => {
  const options = { idempotencyKey: 'contract-118' }
  const input = caseInput()
  const first = await client.createCase(input, options)
  const again = await client.createCase(input, options)
  t.equal(again.case.id, first.case.id)
  const other = await failure(client.createCase(caseInput({ title: 'Other' }), options))
  t.match(other, { code: 'IDEMPOTENCY_KEY_REUSED', status: 409 })
  await client.uploadDocument(again, pdf)
  await inProgress(first.case.id)
  const late = await client.createCase(input, options)
  t.equal(late.upload, undefined)
  await client.uploadDocument(late, pdf)
})

t.test('an expired upload URL is replaced', async (t) => {
  const created = await client.createCase(caseInput())
  const url = `${created.upload?.url}`.replace(/signature=[^&]+/, 'signature=00')
  t.not(url, created.upload?.url)
  await client.uploadDocument({ ...created, upload: { type: 'PUT', url } }, pdf)
  t.equal((await inProgress(created.case.id)).originalDocument.size, pdf.length)
})

t.test('cases are listed, page by page and by status', async (t) => {
  const made = await Promise.all([1, 2, 3].map(() => client.createCase(caseInput())))
  const page = await client.listCases({ limit: 2 })
  t.equal(page.cases.length, 2)
  t.type(page.nextCursor, 'string')
  const found: string[] = []
  for await (const { id, status } of client.cases({ limit: 2, status: 'NEW' })) {
    t.equal(status, 'NEW')
    found.push(id)
  }
  for (const { case: one } of made) t.ok(found.includes(one.id))
  t.equal(new Set(found).size, found.length)
})

t.test('a case is cancelled, again without an error, and a wait for it ends', async (t) => {
  const { case: made } = await client.createCase(caseInput())
  const early = await failure(client.download(made.id, 'signed'))
  t.match(early, { code: 'NO_DOCUMENT', data: { status: 'NEW' } })
  const waiting = failure(client.waitUntilDone(made.id))
  const cancelled = await client.cancelCase(made.id, { reason: 'Other price' })
  t.match(cancelled, { status: 'CANCELLED', cancelReason: 'Other price' })
  t.match(await client.cancelCase(made.id), { status: 'CANCELLED', cancelReason: 'Other price' })
  t.match(await waiting, {
    code: 'CASE_ENDED',
    data: { status: 'CANCELLED', reason: 'Other price', case: { id: made.id } },
  })
})

t.test('a wait ends by its time limit and by its signal', async (t) => {
  const { case: made } = await client.createCase(caseInput())
  const late = await failure(client.waitUntilDone(made.id, { timeoutMs: 300 }))
  t.match(late, { code: 'WAIT_TIMEOUT', data: { status: 'NEW' } })
  const signal = AbortSignal.timeout(100)
  await t.rejects(client.waitUntilDone(made.id, { signal }), { name: 'TimeoutError' })
})

t.test('a participant is reminded', async (t) => {
  const created = await client.createCase(caseInput())
  await client.uploadDocument(created, pdf)
  const { id, participants } = await inProgress(created.case.id)
  const participantId = `${participants[0]?.id}`
  t.same(await client.remind(id, participantId), { caseId: id, participantId })
})

t.test('errors have the code, the status and the details of the response', async (t) => {
  t.match(await failure(client.getCase(UNKNOWN_ID)), { code: 'NOT_FOUND', status: 404 })
  const invalid = caseInput({ participants: [] })
  t.match(await failure(client.createCase({ ...invalid, title: 7 as never })), {
    code: 'VALIDATION_FAILED',
    status: 400,
    message: /400 VALIDATION_FAILED .*; \/title must be string/,
    data: { validationErrors: [{ instancePath: '/title' }] },
  })
  t.match(await failure(client.listEvents(UNKNOWN_ID, { cursor: 'x' })), { status: 404 })
  t.match(await failure(client.listCases({ cursor: 'x' })), { code: 'INVALID_CURSOR', status: 400 })
  const stranger = new SigcaseClient({ baseUrl: world.url, token: 'x' })
  t.match(await failure(stranger.getCase(UNKNOWN_ID)), { code: 'UNAUTHORIZED', status: 401 })
  t.match(await failure(client.verify(new Uint8Array(2000))), { code: 'NOT_A_PDF', status: 422 })
})

t.test('the client has the version of the API', async (t) => {
  const { json } = await world.ask('GET', '/openapi.json')
  t.equal(API_VERSION, json.info.version)
})
