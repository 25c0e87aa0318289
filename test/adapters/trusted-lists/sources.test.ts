import { Buffer } from 'node:buffer'
import { mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import type { RequestListener } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { readAnchors } from '../../../adapters/trusted-lists/anchors.ts'
import { FileTrustedLists } from '../../../adapters/trusted-lists/file-source.ts'
import { HttpTrustedLists } from '../../../adapters/trusted-lists/http-source.ts'
import { MAXIMUM_TRUSTED_LIST_OCTETS } from '../../../domain/limits.ts'
import { outboundHttp } from '../../fixtures/outbound.ts'
import { issuingCa, root } from '../../fixtures/pki.ts'
import { httpReceiver } from '../../fixtures/receiver.ts'

const anchors = { certificates: [root.certificate] }
const text = (octets: Uint8Array) => Buffer.from(octets).toString()

function folder(t: Test, files: Record<string, string | Uint8Array>): string {
  const path = mkdtempSync(join(tmpdir(), 'lists-'))
  t.teardown(() => rmSync(path, { recursive: true }))
  for (const [name, content] of Object.entries(files)) writeFileSync(join(path, name), content)
  return path
}

t.test('a file is found by its name, else by its territory', async (t) => {
  const path = folder(t, {
    'eu-lotl.xml': 'lotl',
    'pivot-1.xml': 'pivot',
    'named.xml': 'named',
    'tsl-be-2023.xml': 'old',
    'tsl-be-v6.xml': 'new',
    'AT.xml': 'at',
    'tsl-best.xml': 'other',
  })
  const source = new FileTrustedLists(path, anchors)
  const read = async (location: string, territory: string) =>
    text(await source.read({ location, territory }))
  t.equal(await read(source.location, 'EU'), 'lotl')
  t.equal(await read('https://x.example/tools/pivot-1.xml', 'EU'), 'pivot')
  t.equal(await read('https://x.example/named.xml', 'BE'), 'named')
  t.equal(await read('https://x.example/tsl.xml', 'BE'), 'new')
  t.equal(await read('https://x.example/', 'AT'), 'at')
  await t.rejects(read('https://x.example/pivot-2.xml', 'EU'), /no file for/)
  await t.rejects(read('https://x.example/tsl.xml', 'DE'), /no file for/)
  await t.rejects(read('https://x.example/../../etc/hostname', '..'), /no file for/)
  await t.rejects(read('https://x.example/tsl.xml', '.*'), /no file for/)
})

t.test('a file that is too large is not read', async (t) => {
  const path = folder(t, { 'eu-lotl.xml': '' })
  truncateSync(join(path, 'eu-lotl.xml'), MAXIMUM_TRUSTED_LIST_OCTETS + 1)
  const source = new FileTrustedLists(path, anchors)
  await t.rejects(source.read({ location: source.location, territory: 'EU' }), /too large/)
})

t.test('anchors are read from PEM and DER, each once', async (t) => {
  const pem = (der: Uint8Array) =>
    `-----BEGIN CERTIFICATE-----\n${Buffer.from(der).toString('base64')}\n` +
    `-----END CERTIFICATE-----\n`
  const path = folder(t, {
    'both.pem': pem(root.certificate) + pem(issuingCa.certificate),
    'root.cer': root.certificate,
    'readme.txt': 'not a certificate',
  })
  t.equal(readAnchors(path).length, 2)
  t.same(readAnchors(join(path, 'root.cer')), [root.certificate])
  t.throws(() => readAnchors(join(path, 'readme.txt')))
  t.throws(() => readAnchors(folder(t, {})), /no certificate/)
  t.throws(() => readAnchors(join(path, 'absent')))
})

async function served(t: Test, answer: RequestListener) {
  const receiver = await httpReceiver(answer)
  t.teardown(() => receiver.close())
  const location = `http://127.0.0.1:${receiver.port}/lotl.xml`
  return { receiver, source: new HttpTrustedLists(outboundHttp(t), location, anchors) }
}

t.test('a list is fetched, over a redirect if need be', async (t) => {
  const { receiver, source } = await served(t, (request, response) => {
    if (request.url === '/moved.xml') response.end('list')
    else response.writeHead(301, { location: '/moved.xml' }).end()
  })
  t.equal(text(await source.read({ location: source.location })), 'list')
  t.same(
    receiver.requests.map(({ method, url }) => `${method} ${url}`),
    ['GET /lotl.xml', 'GET /moved.xml'],
  )
})

t.test('errors, endless redirects and forbidden addresses are failures', async (t) => {
  const answers: Record<string, RequestListener> = {
    '/404': (_request, response) => void response.writeHead(404).end(),
    '/loop': (_request, response) => void response.writeHead(302, { location: '/loop' }).end(),
    '/inside': (_request, response) =>
      void response.writeHead(302, { location: 'http://169.254.169.254/' }).end(),
    '/nowhere': (_request, response) => void response.writeHead(302).end(),
  }
  const { receiver, source } = await served(t, (request, response) =>
    answers[request.url ?? '']?.(request, response),
  )
  const read = (path: string) =>
    source.read({ location: `http://127.0.0.1:${receiver.port}${path}` })
  await t.rejects(read('/404'), /answered 404/)
  await t.rejects(read('/loop'), /redirects too many times/)
  await t.rejects(read('/inside'), /address-forbidden/)
  await t.rejects(read('/nowhere'), /answered 302/)
  t.equal(receiver.requests.filter(({ url }) => url === '/loop').length, 4)
})

t.test('an answer that is too large is refused', async (t) => {
  const chunk = Buffer.alloc(1024 * 1024)
  const { source } = await served(t, (_request, response) => {
    for (let sent = 0; sent <= MAXIMUM_TRUSTED_LIST_OCTETS; sent += chunk.length)
      response.write(chunk)
    response.end()
  })
  await t.rejects(source.read({ location: source.location }), /too large/)
})
