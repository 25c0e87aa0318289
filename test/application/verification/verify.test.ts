/** `/verify` over a queue that a test works off: what is answered, and what is left. */
import { Buffer } from 'node:buffer'
import t, { type Test } from 'tap'
import { VALIDATION_REPORT } from '../../../domain/contract/report-example.ts'
import { encodeJson } from '../../../domain/json-object.ts'
import { MAXIMUM_PDF_BYTES } from '../../../domain/limits.ts'
import type { JobPayloads } from '../../../domain/ports/jobs.ts'
import {
  VERIFICATION_FAILED,
  verificationChannel,
  verificationResultKey,
  verificationUploadKey,
  type VerificationKey,
  type VerificationTask,
  type VerificationResult,
} from '../../../domain/verification.ts'
import { testApi, type TestApi } from '../../fixtures/api.ts'

const PDF = Buffer.from('%PDF-1.7')
/** Longer than any machine needs for an answer. */
const BUDGET_MS = 60_000
/** For requests whose budget ends. */
const SHORT_BUDGET_MS = 150

/** An API whose jobs do this. */
async function apiThat(
  t: Test,
  work: (key: VerificationKey, api: TestApi) => Promise<void>,
  requestBudgetMs = BUDGET_MS,
) {
  const api: TestApi = await testApi(t, {
    requestBudgetMs,
    jobs: { add: async (_kind, _id, payload) => work(payload as JobPayloads['verify'], api) },
  })
  const { key } = (await api.ask('POST', '/verify/uploads', { token: '' })).json()
  return { api, key: key as string, place: verificationUploadKey(key as string) }
}

const leave =
  (result: VerificationResult) =>
  async (key: VerificationKey, { objects }: TestApi) => {
    await objects.putIfAbsent(verificationResultKey(key), encodeJson(result), 'application/json')
  }

const verify = ({ app }: TestApi, key: string, accept?: string) =>
  app.inject({
    method: 'POST',
    url: '/verify',
    payload: { key },
    headers: accept === undefined ? {} : { accept },
  })

t.test('the report of the worker is the answer, and nothing is left', async (t) => {
  const { api, key, place } = await apiThat(t, leave({ report: VALIDATION_REPORT }))
  api.objects.upload(place, PDF)
  const answer = await verify(api, key)
  t.equal(answer.statusCode, 200)
  t.same(answer.json(), VALIDATION_REPORT, 'every member is returned')
  t.same(await api.objects.list('verifications/', { limit: 10 }), [])
})

t.test('a job says until when somebody waits, and that is not before the answer', async (t) => {
  const { api, key, place } = await apiThat(t, async (asked, at) => {
    const leftMs = (asked as VerificationTask).untilMs - at.timers.now().getTime()
    t.ok(leftMs >= 25_000 && leftMs <= 60_000, `${leftMs} ms`)
    await leave({ refusal: 'NOT_A_PDF' })(asked, at)
  })
  api.objects.upload(place, PDF)
  t.match((await verify(api, key)).json(), { code: 'NOT_A_PDF' })
})

t.test('a later result is awaited, and a notification announces it', async (t) => {
  const { api, key, place } = await apiThat(t, async (asked, { ephemeral, ...rest }) => {
    setImmediate(async () => {
      await leave({ refusal: 'NOT_A_PDF' })(asked, rest as TestApi)
      await ephemeral.publish(verificationChannel(asked.requestId), '')
    })
  })
  api.objects.upload(place, PDF)
  t.match((await verify(api, key)).json(), { code: 'NOT_A_PDF' })
  t.notOk(await api.objects.stat(place), 'what cannot be verified is not kept')
})

t.test('a lost notification is made up for by reading', async (t) => {
  const { api, key, place } = await apiThat(t, async (asked, own) => {
    setImmediate(async () => {
      await leave({ report: VALIDATION_REPORT })(asked, own)
      await own.timers.moveTo(own.timers.nowMs() + 1_000)
    })
  })
  api.objects.upload(place, PDF)
  t.equal((await verify(api, key)).statusCode, 200)
})

t.test('a queue that was wiped is asked again', async (t) => {
  let asked = 0
  const { api, key, place } = await apiThat(t, async (one, own) => {
    if (++asked > 1) return leave({ report: VALIDATION_REPORT })(one, own)
    setImmediate(() => void own.timers.moveTo(own.timers.nowMs() + 5_000))
  })
  api.objects.upload(place, PDF)
  t.equal((await verify(api, key)).statusCode, 200)
  t.equal(asked, 2)
})

t.test('a worker that does not answer: 503, and the upload is kept for another try', async (t) => {
  const { api, key, place } = await apiThat(t, async () => {}, SHORT_BUDGET_MS)
  api.objects.upload(place, PDF)
  const { statusCode, ...answer } = await verify(api, key)
  t.equal(statusCode, 503)
  t.match(answer.json(), { code: 'TIMEOUT' })
  t.ok(await api.objects.stat(place))
})

t.test('a failed worker is reported at once: 503, and the upload is kept', async (t) => {
  const { api, key, place } = await apiThat(t, async ({ requestId }, { ephemeral }) => {
    setImmediate(() => void ephemeral.publish(verificationChannel(requestId), VERIFICATION_FAILED))
  })
  api.objects.upload(place, PDF)
  const startedMs = performance.now()
  const { statusCode, ...answer } = await verify(api, key)
  t.equal(statusCode, 503)
  t.match(answer.json(), { code: 'TIMEOUT' })
  t.ok(performance.now() - startedMs < 50_000, 'before the budget of 60 s ends')
  t.ok(await api.objects.stat(place))
})

t.test('an existing result counts, though a second run failed', async (t) => {
  const { api, key, place } = await apiThat(t, async (asked, own) => {
    setImmediate(async () => {
      await leave({ report: VALIDATION_REPORT })(asked, own)
      await own.ephemeral.publish(verificationChannel(asked.requestId), VERIFICATION_FAILED)
    })
  })
  api.objects.upload(place, PDF)
  t.equal((await verify(api, key)).statusCode, 200)
})

t.test('what is too large is refused without a worker, and removed', async (t) => {
  const { api, key, place } = await apiThat(t, async () => void t.fail('no job is needed'))
  api.objects.upload(place, new Uint8Array(MAXIMUM_PDF_BYTES + 1))
  t.match((await verify(api, key)).json(), { code: 'DOCUMENT_TOO_LARGE' })
  t.notOk(await api.objects.stat(place))
})

t.test('an upload of an hour ago is not found any more', async (t) => {
  const { api, key, place } = await apiThat(t, async () => void t.fail('no job is needed'))
  api.objects.upload(place, PDF)
  await api.timers.moveTo(api.timers.nowMs() + 60 * 60 * 1000)
  const { statusCode, headers, ...answer } = await verify(api, key)
  t.equal(statusCode, 404)
  t.match(headers['content-type'], 'application/json')
  t.match(answer.json(), { code: 'DOCUMENT_NOT_FOUND' })
})

const FILES = [
  ['application/pdf', 'pdf', '%PDF-1.7 \xff', 'validation-report.pdf'],
  ['application/xml', 'etsi', '<ValidationReport/>', 'validation-report.xml'],
] as const

t.test('a file is answered as it is, with its type and a name to save it under', async (t) => {
  for (const [accept, format, text, fileName] of FILES) {
    const octets = Buffer.from(text, 'latin1')
    const { api, key, place } = await apiThat(t, async (asked, at) => {
      t.equal((asked as VerificationTask).format, format)
      await leave({ file: octets.toString('base64') })(asked, at)
    })
    api.objects.upload(place, PDF)
    const answer = await verify(api, key, accept)
    t.equal(answer.statusCode, 200)
    t.equal(answer.headers['content-type'], accept)
    t.equal(answer.headers['content-disposition'], `attachment; filename="${fileName}"`)
    t.equal(answer.headers['cache-control'], 'no-store')
    t.same(answer.rawPayload, octets)
    t.same(await api.objects.list('verifications/', { limit: 10 }), [], 'nothing is left')
  }
})

t.test('JSON is asked of workers without a format, which those before this one know', async (t) => {
  const { api, key, place } = await apiThat(t, async (asked, at) => {
    t.notOk('format' in asked)
    await leave({ report: VALIDATION_REPORT })(asked, at)
  })
  api.objects.upload(place, PDF)
  const answer = await verify(api, key, '*/*')
  t.equal(answer.headers['content-type'], 'application/json; charset=utf-8')
  t.same(answer.json(), VALIDATION_REPORT)
})

t.test('errors are JSON, whatever the client accepts', async (t) => {
  for (const accept of ['application/pdf', 'application/xml', 'image/png']) {
    const { api, key, place } = await apiThat(t, leave({ refusal: 'NOT_A_PDF' }))
    api.objects.upload(place, PDF)
    const answer = await verify(api, key, accept)
    t.equal(answer.statusCode, 422)
    t.match(answer.headers['content-type'], 'application/json')
    t.match(answer.json(), { code: 'NOT_A_PDF', message: /\w/ })
    t.match((await verify(api, key, accept)).json(), { code: 'DOCUMENT_NOT_FOUND' })
  }
})

t.test('a worker of an earlier version: 503, and the upload is kept', async (t) => {
  const { api, key, place } = await apiThat(t, leave({ report: VALIDATION_REPORT }))
  api.objects.upload(place, PDF)
  t.match((await verify(api, key, 'application/pdf')).json(), { code: 'TIMEOUT' })
  t.ok(await api.objects.stat(place))
})
