import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import t from 'tap'
import { KEY_SETS } from '../../adapters/embedded/key-sets.ts'
import { minimalPdf } from '../fixtures/minimal-pdf.ts'
import { clientFor, dataDirectory } from './harness.ts'
import { rawRequest } from './raw-request.ts'
import { ready, spawnService } from './service.ts'

t.setTimeout(600_000)

/** Until a line of the log has come. */
const SETTLE_MS = 500
const INJECTED = 'x\r\n{"level":60,"msg":"forged"}\r\nBcc: victim@example.com'
const RECTANGLE = { page: 1, x: 0, y: 0, width: 0.2, height: 0.1, unit: 'fraction' }

function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile())
}

t.test('no secret gets into the log or the data, nor a line of its own', async (t) => {
  const DATA_DIR = await dataDirectory(t)
  const settings = { PORT: '0', LOG_LEVEL: 'trace', TRUSTED_PROXIES: '127.0.0.1' }
  const service = spawnService({ DATA_DIR, ...settings })
  t.teardown(() => service.end('SIGKILL'))
  const url = await ready(service)
  const client = await clientFor(DATA_DIR, () => url)
  const secrets = new Map<string, string>()
  const keep = (address = '') => {
    const { searchParams, hash } = new URL(address)
    const signature = searchParams.get('signature') ?? hash.split('.')[2]
    if (signature) secrets.set(signature, address)
    return address
  }

  await t.rejects(client.create(INJECTED, []), /control characters/)
  const text = INJECTED.replaceAll('\r\n', ' ')
  const people = [{ firstName: text.slice(0, 90), signatureFields: [] }]
  const sender = { name: text, replyTo: 'office@example.com' }
  const created = await client.create(text, people, { sender })
  keep(created.upload.url)
  await client.upload(created.upload.url, minimalPdf({ bytes: 2_000 }))
  const read = await client.untilNot('NEW', created.case.id)
  const link = keep(read.participants[0]?.signerUrl)
  keep(read.originalDocument.url)
  const participant = `/participant/${read.participants[0]?.id}`
  const token = new URL(link).hash.slice(1)
  const definition = await client.request('GET', `${participant}/caseDefinition`, { token })
  const { document } = (await definition.json()) as { document: { url: string } }
  keep(document.url)
  t.equal((await client.sign(link, { signatures: [RECTANGLE] })).status, 200)
  const done = await client.untilNot('IN_PROGRESS', read.id)
  t.equal(done.status, 'DONE')
  keep(done.signedDocument?.url)
  keep(done.evidenceDocument?.url)

  const tenantToken = client.token
  secrets.set(tenantToken.split('.')[2] as string, 'the tenant')
  const { pathname, search } = new URL(created.upload.url)
  const headers = {
    authorization: `Bearer ${tenantToken}`,
    'user-agent': `x"}\t{"level":60}`,
    'x-forwarded-for': '<script>, {"level":60}',
  }
  for (const path of [
    `/nowhere${search}`,
    `/%zz${search}`,
    `/cases/${tenantToken}`,
    `/participant/${token}/caseDefinition`,
    pathname.replace('upload', '%00') + search,
  ]) {
    await fetch(url + path, { headers })
  }
  await fetch(created.upload.url, { method: 'POST', headers, body: '{' })
  const start = `GET ${pathname}${search} HTTP/1.1`
  const broken = `${start}\r\nAuthorization: Bearer ${tenantToken}\r\nx y\r\n\r\n`
  await rawRequest(url, [broken], 200)
  await rawRequest(url, [broken.replace('GET', 'PUT').replace('x y', 'Content-Length: 9')], 200)
  await setTimeout(SETTLE_MS)

  const output = service.output()
  t.ok(secrets.size >= 7, `${secrets.size} secrets are looked for`)
  const data = filesIn(DATA_DIR).filter((path) => !path.startsWith(join(DATA_DIR, 'mail')))
  const contents = data.map((path) => [path, readFileSync(path, 'latin1')] as const)
  for (const [secret, what] of secrets) {
    t.notOk(output.includes(secret), `the log is without ${what}`)
    const [where] = contents.find(([, content]) => content.includes(secret)) ?? []
    t.equal(where, undefined, `the data is without ${what}`)
  }
  t.notMatch(output, /eyJ|signature=|expires=/)
  const lines = output.split('\n').filter((line) => line !== '' && !line.startsWith('sigcase'))
  t.ok(lines.length > 10)
  for (const line of lines) {
    const { level, msg, ip } = JSON.parse(line) as { level: number; msg: string; ip?: string }
    t.ok(level <= 30, line)
    t.not(msg, 'forged')
    if (ip !== undefined) t.match(ip, /^[0-9a-f.:]+$/)
  }
  const mails = filesIn(join(DATA_DIR, 'mail')).map((path) => readFileSync(path, 'latin1'))
  t.ok(mails.length > 0)
  const heads = mails.map((mail) => mail.slice(0, mail.indexOf('\r\n\r\n')))
  for (const head of heads) t.notMatch(head, /^(Bcc|\{"level)/im)
})

t.test('the data is for its owner alone', async (t) => {
  const DATA_DIR = join(await dataDirectory(t), 'data')
  const service = spawnService({ PORT: '0', DATA_DIR })
  t.teardown(() => service.end('SIGKILL'))
  await ready(service)
  t.equal(statSync(DATA_DIR).mode & 0o077, 0)
  const keys = filesIn(DATA_DIR).filter((path) => /(\.key|keyring\/[^/]+\.json)$/.test(path))
  t.ok(keys.length >= 3 + KEY_SETS.length)
  for (const path of keys) t.equal(statSync(path).mode & 0o077, 0, path)
})
