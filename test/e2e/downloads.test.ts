/** Downloads and uploads by presigned URL, asked for in ways that no browser would. */
import { Buffer } from 'node:buffer'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync } from 'node:fs'
import { connect } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { startEmbedded } from '../../runtime/embedded/service.ts'
import { minimalPdf } from '../fixtures/minimal-pdf.ts'
import { sharedReader } from '../fixtures/shared-reader.ts'
import { clientFor, configFor, dataDirectory } from './harness.ts'
import { rawRequest } from './raw-request.ts'

t.setTimeout(600_000)

const SIZE = 4_000_000
const ABORTED = 60
const PARALLEL = 20
const OPEN_FILES = '/proc/self/fd'
const QUIET = { notify: false, signatureFields: [] }
/** What a header, a file system, a shell or a terminal could take for something else. */
const TITLE = 'Zmluva "x"; filename=evil.exe ..%2f$(id)`id` č. 7'

async function uploaded(t: Pick<Test, 'teardown'>) {
  const folder = await dataDirectory(t)
  const service = await startEmbedded(configFor(folder), undefined, sharedReader())
  t.teardown(() => service.close())
  const client = await clientFor(folder, () => service.url)
  const created = await client.create(TITLE, [QUIET])
  const pdf = minimalPdf({ bytes: SIZE })
  await client.upload(created.upload.url, pdf)
  const { originalDocument } = await client.untilNot('NEW', created.case.id)
  return { client, pdf, base: service.url, url: originalDocument.url as string }
}

let shared: ReturnType<typeof uploaded> | undefined

/** One document for all tests that only ask for it. */
const sharedUpload = () => (shared ??= uploaded(t))

/** Ranges (RFC 9110, 14.2) with the first and the last octet of the answer, or its status. */
const RANGES: readonly (readonly [string, readonly [number, number] | 200 | 416])[] = [
  ['bytes=0-0', [0, 0]],
  ['bytes=-5', [-5, -1]],
  ['bytes=0-999999999999999999999', [0, -1]],
  ['bytes=-99999999999999999999', [0, -1]],
  ['bytes=99999999999999999999-', 416],
  ['bytes=-0', 416],
  ['bytes=5-2', 416],
  ['bytes=0-0,2-3', 200],
  [`bytes=${'0-,'.repeat(3_000)}0-`, 200],
  ['items=0-1', 200],
  ['bytes=1e3-', 200],
  ['bytes=0x1-', 200],
  ['bytes=٣-', 200],
]

t.test('a download states its length, and takes a range or none', async (t) => {
  const { pdf, url } = await sharedUpload()
  const head = await fetch(url, { method: 'HEAD' })
  t.equal(head.headers.get('content-length'), String(pdf.length))
  t.equal(head.headers.get('cache-control'), 'no-store')
  t.equal(head.headers.get('referrer-policy'), 'no-referrer')
  for (const [range, expected] of RANGES) {
    const name = range.slice(0, 40)
    // `fetch` would refuse what is beyond ASCII.
    const latin = Buffer.from(range).toString('latin1')
    const answer = await fetch(url, { headers: { range: latin } })
    const bytes = Buffer.from(await answer.arrayBuffer())
    if (expected === 416) {
      t.equal(answer.status, 416, name)
      t.match(JSON.parse(bytes.toString()), { code: 'RANGE_NOT_SATISFIABLE' }, name)
      continue
    }
    if (expected === 200) {
      t.equal(answer.status, 200, name)
      t.equal(bytes.length, pdf.length, name)
      continue
    }
    const [first, last] = expected.map((at) => (at < 0 ? pdf.length + at : at)) as [number, number]
    t.equal(answer.status, 206, name)
    t.equal(answer.headers.get('content-range'), `bytes ${first}-${last}/${pdf.length}`, name)
    t.equal(Buffer.compare(bytes, pdf.subarray(first, last + 1)), 0, name)
  }
})

t.test('the conditions of a request count (RFC 9110, 13.1 and 14.2)', async (t) => {
  const { pdf, url } = await sharedUpload()
  const first = await fetch(url)
  await first.arrayBuffer()
  const etag = first.headers.get('etag') as string
  t.match(etag, /^"[^"]+"$/)

  const range = 'bytes=0-9'
  const lengths: [string, Record<string, string>, number, string][] = [
    ['GET', { range, 'if-range': etag }, 206, '10'],
    ['GET', { range, 'if-range': '"another"' }, 200, String(pdf.length)],
    ['GET', { range, 'if-range': `W/${etag}` }, 200, String(pdf.length)],
    ['GET', { range, 'if-range': new Date().toUTCString() }, 200, String(pdf.length)],
    ['HEAD', { range }, 200, String(pdf.length)],
  ]
  for (const [method, headers, status, length] of lengths) {
    const answer = await fetch(url, { method, headers })
    await answer.arrayBuffer()
    const name = `${method} ${JSON.stringify(headers)}`
    t.equal(answer.status, status, name)
    t.equal(answer.headers.get('content-length'), length, name)
  }
  for (const known of [etag, `W/${etag}`, `"another", ${etag}`, '*']) {
    for (const method of ['GET', 'HEAD']) {
      const answer = await fetch(url, { method, headers: { 'if-none-match': known, range } })
      t.equal(answer.status, 304, `${method} ${known}`)
      t.equal(answer.headers.get('etag'), etag)
      t.equal(await answer.text(), '')
    }
  }
  // What the cache of the client would take over from this answer is the ETag alone.
  const known = await fetch(url, { headers: { 'if-none-match': etag } })
  t.equal(known.headers.get('content-type'), null)
  const matches: [string, number][] = [
    [etag, 206],
    ['*', 206],
    [`"another", ${etag}`, 206],
    ['"another"', 412],
    [`W/${etag}`, 412],
  ]
  for (const [expected, status] of matches) {
    const answer = await fetch(url, { headers: { 'if-match': expected, range } })
    const text = await answer.text()
    t.equal(answer.status, status, `If-Match: ${expected}`)
    if (status === 412) t.match(JSON.parse(text), { code: 'PRECONDITION_FAILED' })
  }
  const both = { 'if-match': '"another"', 'if-none-match': etag }
  t.equal((await fetch(url, { method: 'HEAD', headers: both })).status, 412, 'If-Match goes first')
  const changed = await fetch(url, { headers: { 'if-none-match': '"another"' } })
  t.equal(changed.status, 200)
  t.equal((await changed.arrayBuffer()).byteLength, pdf.length)
})

t.test('a title cannot add a header or a folder to the name that it is saved under', async (t) => {
  const { url } = await sharedUpload()
  const { headers } = await fetch(url, { method: 'HEAD' })
  const disposition = headers.get('content-disposition') ?? ''
  const [, plain = '', encoded = ''] =
    /^attachment; filename="([^"\\]*)"; filename\*=UTF-8''([A-Za-z0-9%._~-]*)$/.exec(disposition) ??
    []
  t.match(plain, /\.pdf$/)
  t.notMatch(decodeURIComponent(encoded), /[\\/"<>|:*?]/)
})

const TRICKS: Readonly<Record<string, (target: string) => string>> = {
  'another time': (target) => target.replace(/expires=\d/, 'expires=9'),
  'another time first': (target) => target.replace('?', '?expires=99999999999999&'),
  'another name': (target) => target.replace(/name=[^&]+/, 'name=evil.html'),
  'no name': (target) => target.replace(/&name=[^&]+/, ''),
  'a type': (target) => `${target}&type=text/html`,
  'another key': (target) => target.replace(/kid=[^&]+/, 'kid=__proto__'),
  'no key': (target) => target.replace(/kid=[^&]+/, 'kid='),
  'another object': (target) => target.replace('document.pdf', 'intake.json'),
  'the trail': (target) => target.replace('document.pdf', 'audit/0'),
  'a way up': (target) => target.replace('document.pdf', 'x/../document.pdf'),
  'a slash more': (target) => target.replace('document.pdf', '/document.pdf'),
  'another case of letters': (target) => target.replace('document.pdf', 'Document.pdf'),
  'a NUL': (target) => target.replace('document.pdf', 'document.pdf%00'),
  'another tenant': (target) => target.replace('/acme/', '/globex/'),
  'the same signature, spelt otherwise': (target) => `${target}=`,
  'no signature': (target) => target.replace(/signature=[^&]+/, 'signature='),
}

t.test('a link to a document leads to this document alone', async (t) => {
  const { base, url } = await sharedUpload()
  const { pathname, search } = new URL(url)
  const asked = async (method: string, target: string) => {
    const lines = [`${method} ${target} HTTP/1.1`, 'Host: x', 'Content-Length: 0']
    const text = [...lines, 'Content-Type: application/pdf', 'Connection: close', '', ''].join(
      '\r\n',
    )
    return (await rawRequest(base, [text], 60_000)).received
  }
  t.match(await asked('GET', pathname + search), /^HTTP\/1\.1 200 /)
  for (const [name, trick] of Object.entries(TRICKS)) {
    const target = trick(pathname + search)
    t.not(target, pathname + search, name)
    t.match(await asked('GET', target), /^HTTP\/1\.1 40[03] /, name)
  }
  for (const method of ['PUT', 'POST', 'DELETE', 'PATCH', 'OPTIONS', 'TRACE']) {
    t.match(await asked(method, pathname + search), /^HTTP\/1\.1 4\d\d /, method)
  }
})

/** Asks for the document and hangs up when the first of it has come. */
async function abortDownload(url: string): Promise<void> {
  const { hostname, port, pathname, search } = new URL(url)
  const { promise, resolve } = Promise.withResolvers<void>()
  const socket = connect(Number(port), hostname)
  socket.write(`GET ${pathname}${search} HTTP/1.1\r\nHost: x\r\n\r\n`)
  socket.once('data', () => socket.destroy()).on('error', () => {})
  socket.once('close', () => resolve())
  return promise
}

t.test('downloads that are broken off leave no file open', async (t) => {
  if (!existsSync(OPEN_FILES)) return t.pass('open files cannot be counted here')
  const { url } = await uploaded(t)
  await abortDownload(url)
  const before = readdirSync(OPEN_FILES).length
  await Promise.all(Array.from({ length: ABORTED }, () => abortDownload(url)))
  for (let look = 0; look < 600 && readdirSync(OPEN_FILES).length > before + 5; look++) {
    await setTimeout(100)
  }
  t.ok(readdirSync(OPEN_FILES).length <= before + 5)
})

t.test('of uploads to one URL at once, one whole document is accepted', async (t) => {
  const { client } = await uploaded(t)
  const { case: one, upload } = await client.create('At once', [QUIET])
  const pdfs = Array.from({ length: PARALLEL }, (_, index) =>
    minimalPdf({ bytes: 500_000 + index }),
  )
  const answers = await Promise.all(
    pdfs.map((body) =>
      fetch(upload.url, {
        method: 'PUT',
        headers: { 'content-type': 'application/pdf' },
        body: new Uint8Array(body),
      }),
    ),
  )
  const statuses = answers.map((answer) => answer.status)
  // The store receives a few uploads to one URL at once and refuses the others (decision 172).
  for (const status of statuses) t.ok([200, 409, 429].includes(status), String(status))
  t.ok(statuses.includes(200))
  const { status, originalDocument } = await client.untilNot('NEW', one.id)
  t.equal(status, 'IN_PROGRESS')
  const digests = pdfs.map((pdf) => createHash('sha256').update(pdf).digest('hex'))
  t.ok(digests.includes(originalDocument.sha256 as string), 'no mixture of them')
})
