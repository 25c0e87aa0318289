import { Buffer } from 'node:buffer'
import type { RequestListener } from 'node:http'
import t, { type Test } from 'tap'
import { HttpTrustedLists } from '../../../adapters/trusted-lists/http-source.ts'
import { MAXIMUM_TRUSTED_LIST_OCTETS } from '../../../domain/limits.ts'
import { outboundHttp } from '../../fixtures/outbound.ts'
import { root } from '../../fixtures/pki.ts'
import { httpReceiver } from '../../fixtures/receiver.ts'

const anchors = { certificates: [root.certificate] }

const text = (octets: Uint8Array) => Buffer.from(octets).toString()

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
