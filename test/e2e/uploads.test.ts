import { readdir, readFile } from 'node:fs/promises'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { KIBIBYTE, MAXIMUM_PDF_BYTES, MINIMUM_PDF_BYTES } from '../../domain/limits.ts'
import { startEmbedded } from '../../runtime/embedded/service.ts'
import { HOSTILE_PDFS } from '../fixtures/hostile-pdfs.ts'
import { minimalPdf } from '../fixtures/minimal-pdf.ts'
import { buildPdf } from '../fixtures/pdf.ts'
import { sharedReader } from '../fixtures/shared-reader.ts'
import { smallDocument } from '../fixtures/signed-by-all.ts'
import type { Client } from './client.ts'
import { clientFor, configFor, dataDirectory, openObjects } from './harness.ts'
import { rawRequest, type Said } from './raw-request.ts'
import { ready, spawnService } from './service.ts'

t.setTimeout(600_000)

const QUIET = { notify: false, signatureFields: [] }
/** What an upload in memory would take many times over. */
const MEMORY_LIMIT_MEGABYTES = 200
const PARALLEL = 12
const MAXIMUM_OBJECTS = 10_000

async function startClient(t: Pick<Test, 'teardown'>) {
  const folder = await dataDirectory(t)
  const service = await startEmbedded(configFor(folder), undefined, sharedReader())
  t.teardown(() => service.close())
  return { folder, url: service.url, client: await clientFor(folder, () => service.url) }
}

let shared: ReturnType<typeof startClient> | undefined

/** One service for all tests that do not look into its folder. */
const sharedClient = () => (shared ??= startClient(t))

/** A PDF of exactly so many octets. */
function pdfOf(bytes: number): Uint8Array<ArrayBuffer> {
  const empty = minimalPdf().length
  for (let filling = bytes - empty; ; filling--) {
    const pdf = minimalPdf({ bytes: filling })
    if (pdf.length <= bytes) return new Uint8Array(pdf)
  }
}

async function caseFor(client: Client, title: string) {
  const { case: one, upload } = await client.create(title, [QUIET])
  const { pathname, search } = new URL(upload.url)
  return { id: one.id, url: upload.url, target: pathname + search }
}

const head = (target: string, ...lines: string[]) =>
  [`PUT ${target} HTTP/1.1`, 'Host: x', 'Content-Type: application/pdf', ...lines, '', ''].join(
    '\r\n',
  )

const put = (url: string, pdf: Uint8Array<ArrayBuffer>) =>
  fetch(url, { method: 'PUT', body: pdf, headers: { 'content-type': 'application/pdf' } })

/** What tenants put and what has not been removed. */
async function uploadsIn(folder: string): Promise<string[]> {
  const found = await openObjects(folder).list('', { limit: MAXIMUM_OBJECTS })
  return found.map(({ key }) => key).filter((key) => key.includes('upload.pdf'))
}

/** Files that were begun and stay so; what the service is just writing is done a moment later. */
async function leftovers(folder: string): Promise<string[]> {
  for (let look = 1; ; look += 1) {
    const begun = await readdir(join(folder, 'objects', '.aside')).catch(() => [])
    if (begun.length === 0 || look === 600) return begun
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}

t.test('an upload counts from 1,024 to 26,214,400 octets, both included', async (t) => {
  const { client } = await sharedClient()
  for (const [bytes, answered, status] of [
    [MINIMUM_PDF_BYTES - 1, 200, 'UPLOAD_REJECTED'],
    [MINIMUM_PDF_BYTES, 200, 'IN_PROGRESS'],
    [MAXIMUM_PDF_BYTES, 200, 'IN_PROGRESS'],
    [MAXIMUM_PDF_BYTES + 1, 413, 'UPLOAD_REJECTED'],
  ] as const) {
    const pdf = pdfOf(bytes)
    t.equal(pdf.length, bytes)
    const { id, url } = await caseFor(client, 'Sizes')
    t.equal((await client.request('PUT', url, { bytes: pdf })).status, answered, `${bytes}`)
    const read = await client.untilNot('NEW', id)
    t.equal(read.status, status, `${bytes} octets`)
    if (status === 'UPLOAD_REJECTED') t.match(read.rejectReason, /bytes/)
  }
})

t.test('an upload that breaks off, or is not HTTP, leaves nothing', async (t) => {
  const { client, folder, url } = await startClient(t)
  const pdf = pdfOf(5_000)
  const broken: Record<string, (target: string) => Said[]> = {
    'hung up on': (target) => [head(target, 'Content-Length: 5000'), pdf.subarray(0, 3_000), 100],
    'two lengths': (target) => [
      head(target, 'Content-Length: 5000', 'Transfer-Encoding: chunked'),
      pdf,
    ],
    'a negative length': (target) => [head(target, 'Content-Length: -1'), pdf],
    'a broken chunk': (target) => [
      head(target, 'Transfer-Encoding: chunked'),
      '5\r\n%PDF-\r\nxyz\r\n',
    ],
  }
  for (const [name, parts] of Object.entries(broken)) {
    const { id, target } = await caseFor(client, name)
    const { received } = await rawRequest(url, parts(target), 500)
    t.notMatch(received, /^HTTP\/1.1 (200|500)/, name)
    if (received !== '')
      t.match(received, /\r\n\r\n\{"message":"[^"]+"\}$/, `${name}: the shape of 7`)
    t.equal((await client.get(id)).status, 'NEW', name)
    await client.request('PUT', target, { bytes: pdf })
    t.equal((await client.untilNot('NEW', id)).status, 'IN_PROGRESS', `${name}: then done right`)
  }
  t.same(await leftovers(folder), [])
})

t.test('a body without end is hung up on, and the case is rejected', async (t) => {
  const { client, url } = await sharedClient()
  const { id, target } = await caseFor(client, 'Endless')
  const chunk = `10000\r\n${'A'.repeat(0x10000)}\r\n`
  function* endless(): Generator<Said> {
    yield head(target, 'Transfer-Encoding: chunked')
    for (;;) yield chunk
  }
  const { hungUpBy, sentBytes } = await rawRequest(url, endless(), 60_000)
  t.equal(hungUpBy, 'server')
  t.ok(sentBytes < 6 * MAXIMUM_PDF_BYTES, `after ${sentBytes} octets`)
  t.match(await client.untilNot('NEW', id), {
    status: 'UPLOAD_REJECTED',
    rejectReason: /at most 26214400 bytes/,
  })
})

t.test('the memory of the service does not grow with the uploads', async (t) => {
  const DATA_DIR = await dataDirectory(t)
  const service = spawnService({ PORT: '0', DATA_DIR, LOG_LEVEL: 'error' })
  t.teardown(() => service.end('SIGKILL'))
  const url = await ready(service)
  const status = `/proc/${service.child.pid}/status`
  if (!existsSync(status)) return t.pass('no /proc to read the memory of a process from')
  const megabytes = async () => {
    const [, kibibytes] = /VmHWM:\s+(\d+) kB/.exec(await readFile(status, 'utf8')) ?? []
    return Number(kibibytes) / KIBIBYTE
  }
  const client = await clientFor(DATA_DIR, () => url)
  const cases = await Promise.all(Array.from({ length: PARALLEL }, () => caseFor(client, 'Much')))
  const before = await megabytes()
  // Too large: intake does not read it.
  const body = new Uint8Array(MAXIMUM_PDF_BYTES + 1)
  const put = (target: string) => client.request('PUT', target, { bytes: body })
  const answers = await Promise.all(cases.map(({ target }) => put(target)))
  t.ok(answers.every((answer) => answer.status === 413))
  const grown = (await megabytes()) - before
  t.ok(grown < MEMORY_LIMIT_MEGABYTES, `${PARALLEL} uploads took ${Math.round(grown)} MB`)
})

t.test('a presigned URL is good for its own object, method and type alone', async (t) => {
  const { client, url } = await sharedClient()
  const one = await caseFor(client, 'One')
  const other = await caseFor(client, 'Other')
  const pdf = pdfOf(2_000)
  const keyOf = (target: string) => target.slice('/objects/'.length, target.indexOf('?'))
  const swapped = (key: string) => one.target.replace(keyOf(one.target), key)
  const tricks: Record<string, string> = {
    'another case': swapped(keyOf(other.target)),
    'a frozen document': one.target.replace('upload.pdf', 'document.pdf'),
    'the way up': swapped(`x/../${keyOf(one.target)}`),
    'the way up, escaped': swapped(`%2e%2e/${keyOf(one.target)}`),
    'the keyring': swapped('../keyring/object-url.json'),
    'a NUL': one.target.replace('upload.pdf', 'upload.pdf%00'),
    'a slash more': one.target.replace('/objects/', '/objects//'),
    'another type': one.target.replace('application%2Fpdf', 'text%2Fhtml'),
    'another time': one.target.replace(/expires=\d/, 'expires=9'),
    'another time first': one.target.replace('?', '?expires=99999999999999&'),
    'another key': one.target.replace(/kid=[^&]+/, 'kid=__proto__'),
    'no signature': one.target.replace(/signature=[^&]+/, 'signature='),
    'a longer signature': `${one.target}A`,
    'a spelling of the signature': `${one.target}=`,
  }
  for (const [name, target] of Object.entries(tricks)) {
    // `fetch` would normalise a path before it is sent.
    const said = [head(target, `Content-Length: ${pdf.length}`), pdf, 100]
    t.match((await rawRequest(url, said, 400, true)).received, /^HTTP\/1.1 40[034] /, name)
  }
  for (const method of ['GET', 'HEAD']) {
    const { status } = await fetch(one.url, { method })
    t.ok(status === 403 || status === 404, `${method}: ${status}`)
  }
  for (const method of ['POST', 'DELETE', 'PATCH']) {
    t.equal((await fetch(one.url, { method })).status, 405, method)
  }
  const typed = (type: string) =>
    fetch(one.url, { method: 'PUT', body: 'x', headers: { 'content-type': type } })
  t.equal((await typed('text/html')).status, 403)
  t.equal((await client.get(one.id)).status, 'NEW')
  t.equal((await client.get(other.id)).status, 'NEW')
})

t.test('an upload that is compressed or in part is refused, and the case waits on', async (t) => {
  const { client, folder } = await startClient(t)
  const pdf = pdfOf(2_000)
  const { id, url } = await caseFor(client, 'Headers')
  const send = (headers: Record<string, string>) =>
    fetch(url, {
      method: 'PUT',
      body: pdf,
      headers: { 'content-type': 'application/pdf', ...headers },
    })
  const refused: [Record<string, string>, number, string][] = [
    [{ 'content-encoding': 'gzip' }, 415, 'UNSUPPORTED_MEDIA_TYPE'],
    [{ 'content-encoding': 'BR' }, 415, 'UNSUPPORTED_MEDIA_TYPE'],
    [{ 'content-range': 'bytes 0-1999/4000' }, 400, 'UPLOAD_PARTIAL'],
    [{ 'content-type': 'text/html' }, 403, 'UPLOAD_TYPE_WRONG'],
    [{ 'content-type': 'application/pdfx' }, 403, 'UPLOAD_TYPE_WRONG'],
  ]
  for (const [headers, status, code] of refused) {
    const answer = await send(headers)
    t.equal(answer.status, status, JSON.stringify(headers))
    t.match(await answer.json(), { code, message: /\w/ })
  }
  t.equal((await client.get(id)).status, 'NEW')
  t.same(await uploadsIn(folder), [])
  t.equal((await send({ 'content-encoding': 'identity' })).status, 200)
  t.equal((await client.untilNot('NEW', id)).status, 'IN_PROGRESS')
})

t.test('media types ignore case, and parameters do not matter', async (t) => {
  const { client } = await sharedClient()
  for (const type of ['Application/PDF', 'application/pdf; charset=binary', 'application/pdf ;x']) {
    const { id, url } = await caseFor(client, type)
    const headers = { 'content-type': type }
    const { status } = await fetch(url, { method: 'PUT', body: pdfOf(2_000), headers })
    t.equal(status, 200, type)
    t.equal((await client.untilNot('NEW', id)).status, 'IN_PROGRESS', type)
  }
})

t.test('errors of presigned URLs are JSON with a code', async (t) => {
  const { client, url: baseUrl } = await sharedClient()
  const { url } = await caseFor(client, 'Errors')
  const done = await client.complete(
    await client.create('Done', [{}]),
    await smallDocument(),
    60_000,
  )
  const signedUrl = done.signedDocument?.url as string
  const cases: [string, RequestInit, number, string][] = [
    [url, { method: 'GET' }, 403, 'OBJECT_LINK_INVALID'],
    [`${baseUrl}/objects/x`, {}, 403, 'OBJECT_LINK_INVALID'],
    [signedUrl, { headers: { range: 'bytes=99999999-' } }, 416, 'RANGE_NOT_SATISFIABLE'],
    [`${baseUrl}/nothing`, {}, 404, 'PATH_NOT_FOUND'],
    [`${baseUrl}/cases/%`, {}, 404, 'PATH_NOT_FOUND'],
  ]
  for (const [target, request, status, code] of cases) {
    const answer = await fetch(target, request)
    t.equal(answer.status, status, target)
    t.match(answer.headers.get('content-type'), /^application\/json/)
    t.match(await answer.json(), { code, message: /\w/ })
  }
})

t.test('a case that has ended takes no upload, and keeps none', async (t) => {
  const { client, folder } = await startClient(t)
  const rejected = await caseFor(client, 'Rejected')
  await client.upload(rejected.url, new Uint8Array(2_000))
  t.equal((await client.untilNot('NEW', rejected.id)).status, 'UPLOAD_REJECTED')
  const cancelled = await caseFor(client, 'Cancelled')
  await client.request('DELETE', `/cases/${cancelled.id}`)
  for (const { url } of [rejected, cancelled]) {
    const answer = await put(url, pdfOf(2_000))
    t.equal(answer.status, 410)
    t.match(await answer.json(), { code: 'CASE_NOT_ACTIVE', status: /./ })
  }
  t.same(await uploadsIn(folder), [])
  t.same(await leftovers(folder), [])
})

t.test('an upload after the acceptance changes nothing that anybody sees or signs', async (t) => {
  const { client, folder } = await startClient(t)
  const { id, url } = await caseFor(client, 'Twice')
  await client.upload(url, pdfOf(2_000))
  const accepted = await client.untilNot('NEW', id)
  t.equal((await put(url, pdfOf(3_000))).status, 409)
  t.equal((await put(url, new Uint8Array(5))).status, 409)
  t.same(await uploadsIn(folder), [], 'nor is the accepted one kept twice')
  const link = accepted.participants[0]?.signerUrl as string
  const signatures = [{ page: 1, x: 0, y: 0, width: 0.2, height: 0.1, unit: 'fraction' }]
  t.equal((await client.sign(link, { signatures })).status, 200)
  const done = await client.untilNot('IN_PROGRESS', id)
  t.equal(done.status, 'DONE')
  t.equal(done.originalDocument.sha256, accepted.originalDocument.sha256)
  const original = await client.download(done.originalDocument.url as string)
  t.equal(original.length, 2_000)
  const signed = await client.download(done.signedDocument?.url as string)
  t.same(signed.subarray(0, original.length), original)
})

t.test('a hostile PDF is rejected with a reason, or the case can be signed', async (t) => {
  const { client } = await sharedClient()
  const padded = (pdf: Uint8Array) => {
    const whole = new Uint8Array(Math.max(pdf.length, MINIMUM_PDF_BYTES)).fill(0x20)
    whole.set(pdf)
    return whole
  }
  const files: [string, () => Uint8Array][] = [
    ['encrypted', () => buildPdf({ trailer: '/Encrypt 99 0 R', catalog: '/AcroForm 98 0 R' })],
    ['cut in the middle', () => pdfOf(4_000).subarray(0, 3_900)],
    ...Object.entries(HOSTILE_PDFS).map(([name, [, build]]): [string, () => Uint8Array] => [
      name,
      build,
    ]),
  ]
  const signatures = [{ page: 1, x: 0, y: 0, width: 0.2, height: 0.1, unit: 'fraction' }]
  for (const [name, build] of files) {
    const { id, url } = await caseFor(client, name)
    await client.upload(url, padded(build()))
    const read = await client.untilNot('NEW', id)
    if (read.status === 'UPLOAD_REJECTED') {
      t.match(read.rejectReason, /^[A-Z].{10,}/, `${name}: ${read.rejectReason}`)
      continue
    }
    const link = read.participants[0]?.signerUrl as string
    t.equal((await client.sign(link, { signatures })).status, 200, name)
    t.equal((await client.untilNot('IN_PROGRESS', id)).status, 'DONE', name)
  }
})
