import t from 'tap'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { waitFor } from '../../../cli/demo/client.ts'
import { callTool } from '../../fixtures/call-tool.ts'

const SIGNED = 'the signed bytes'
const EVIDENCE = 'the evidence bytes'
const sha256Of = (text: string) => createHash('sha256').update(text).digest('hex')

interface Seen {
  route: string
  body: string
  authorization?: string
}

interface Script {
  /** Status of the case after the upload. */
  afterUpload?: object
  afterSigning?: object
  /** Answers 503 to so many signatures. */
  unavailable?: number
  /** Refuses every token. */
  isForeign?: boolean
}

async function readBody(request: IncomingMessage): Promise<string> {
  let body = ''
  for await (const chunk of request) body += String(chunk)
  return body
}

/** A service that answers by script. */
async function stub(script: Script) {
  const seen: Seen[] = []
  let signatures = 0
  let uploaded = false
  let { unavailable = 0 } = script
  const server = createServer((request, response) => void answer(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const participants = ['p1', 'p2'].map((id, index) => ({
    id,
    firstName: `N${index}`,
    lastName: 'X',
    signerUrl: `${baseUrl}/sign/${id}#token-${id}`,
  }))
  const document = (name: string, text: string) => ({
    url: `${baseUrl}/${name}`,
    sha256: sha256Of(text),
    level: 'PAdES-BASELINE-LTA',
  })
  const theCase = () => {
    if (!uploaded) return { id: 'c1', status: 'NEW', participants }
    const during = { status: 'IN_PROGRESS', ...script.afterUpload }
    if (signatures < 2) return { id: 'c1', participants, ...during }
    return {
      id: 'c1',
      participants,
      status: 'DONE',
      ...script.afterSigning,
      signedDocument: document('signed', SIGNED),
      evidenceDocument: document('evidence', EVIDENCE),
    }
  }
  const routes: Record<string, () => unknown> = {
    'GET /healthz': () => ({}),
    'POST /cases': () => ({ case: theCase(), upload: { type: 'PUT', url: `${baseUrl}/upload` } }),
    'PUT /upload': () => ((uploaded = true), undefined),
    'GET /cases/c1': theCase,
    'GET /participant/p1/caseDefinition': () => definition([{ id: 'f1' }]),
    'GET /participant/p2/caseDefinition': () => definition([]),
    'POST /participant/p1/signature': () => (signatures++, undefined),
    'POST /participant/p2/signature': () => (signatures++, undefined),
    'GET /signed': () => SIGNED,
    'GET /evidence': () => EVIDENCE,
  }
  const definition = (signatureFields: object[]) => ({
    consentText: { version: '2026-11' },
    participant: { signatureFields },
  })
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const route = `${request.method} ${request.url}`
    const { authorization } = request.headers
    const body = await readBody(request)
    seen.push({ route, body, ...(authorization ? { authorization } : {}) })
    if (route.endsWith('/signature') && unavailable-- > 0) {
      return response.writeHead(503).end('{"code":"SIGNING_UNAVAILABLE"}')
    }
    if (script.isForeign && authorization) {
      return response.writeHead(401).end('{"message":"Unauthorized"}')
    }
    const value = routes[route]?.()
    response.end(typeof value === 'string' ? value : JSON.stringify(value))
  }
  return { baseUrl, seen, close: () => server.close() }
}

async function demo(cwd: string, script: Script) {
  const service = await stub(script)
  writeFileSync(join(cwd, 'Zmluva č. 1.pdf'), '%PDF-1.7 and so on')
  const env = { BASE_URL: service.baseUrl, DATA_DIR: join(cwd, 'data') }
  const result = await callTool('cli/demo.ts', ['Zmluva č. 1.pdf'], { cwd, env })
  service.close()
  return { ...result, seen: service.seen }
}

t.test('the flow runs to its end and leaves both files where it was called', async (t) => {
  const cwd = t.testdir()
  const { code, stdout, stderr, seen } = await demo(cwd, { unavailable: 2 })
  t.equal(code, 0, stderr)
  for (const [kind, text] of [
    ['signed', SIGNED],
    ['evidence', EVIDENCE],
  ] as const) {
    const path = join(cwd, `Zmluva č. 1-${kind}.pdf`)
    t.equal(readFileSync(path, 'utf8'), text)
    t.ok(stdout.includes(path), path)
  }
  const created = JSON.parse(seen.find(({ route }) => route === 'POST /cases')?.body ?? '')
  t.equal(created.title, 'Zmluva č. 1')
  t.same(
    created.participants.map(
      ({ firstName, lastName }: Record<string, string>) => `${firstName} ${lastName}`,
    ),
    ['Jana Nováková', 'Ľuboš Šťastný'],
  )
  const signing = seen.filter(({ route }) => route.endsWith('/signature'))
  t.equal(signing.length, 4, 'refused twice, then two signatures')
  const [first, second] = [signing[2], signing[3]].map((one) => JSON.parse(one?.body ?? ''))
  t.same(first.fieldIds, ['f1'])
  t.equal(second.signatures.length, 1)
  t.equal(signing[3]?.authorization, 'Bearer token-p2')
  const puts = seen.filter(({ route }) => route === 'PUT /upload')
  t.same(puts, [{ route: 'PUT /upload', body: '%PDF-1.7 and so on' }], 'without authorization')
})

t.test('a service with other keys: what was used, and what to set', async (t) => {
  const cwd = t.testdir()
  const { code, stderr } = await demo(cwd, { isForeign: true })
  t.equal(code, 1)
  t.match(stderr, `The token was made with the keys in ${join(cwd, 'data')}`)
  t.match(stderr, 'set DATA_DIR')
})

t.test('a rejected document ends the demo with its reason and exit code 1', async (t) => {
  const cwd = t.testdir()
  const rejectReason = 'The PDF is protected with a password'
  const { code, stderr } = await demo(cwd, {
    afterUpload: { status: 'UPLOAD_REJECTED', rejectReason },
  })
  t.equal(code, 1)
  t.match(stderr, `the document was rejected: ${rejectReason}`)
  t.notOk(existsSync(join(cwd, 'Zmluva č. 1-signed.pdf')))
})

t.test('a case that fails ends the demo with its reason and exit code 1', async (t) => {
  const { code, stderr } = await demo(t.testdir(), {
    afterSigning: { status: 'FAILED', failureReason: 'no key' },
  })
  t.equal(code, 1)
  t.match(stderr, 'the case is FAILED: no key')
})

t.test('bad usage is answered with a sentence and exit code 2', async (t) => {
  for (const args of [[], ['missing.pdf'], ['a.pdf', 'b.pdf'], ['--else']]) {
    const { code, stderr } = await callTool('cli/demo.ts', args, { cwd: t.testdir() })
    t.equal(code, 2)
    t.match(stderr, 'usage: npm run demo')
  }
})

t.test('every wait has an end', async (t) => {
  const never = waitFor(
    'nothing',
    20,
    async () => 1,
    () => false,
  )
  await t.rejects(never, { message: 'nothing: not within 0.02 seconds' })
})
