/** A watch over gaps in the history, failures and watchers that fail. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { KubernetesCaseStore } from '../../../adapters/kubernetes/case-store.ts'
import { signatureCase, TENANT } from '../../fixtures/signature-case.ts'
import { stubbedApiServer } from '../../fixtures/kubernetes-api.ts'

const LIMIT_MS = 60_000

type Handle = (url: URL, response: ServerResponse) => void

/**
 * @param handle answers watches
 * @param items what a listing gives, at version 100
 * @param failing numbers of the listings that the server answers with 503
 */
async function store(t: Test, items: object[], handle: Handle, failing: readonly number[] = []) {
  const watches: URL[] = []
  let listings = 0
  const server = createServer((request: IncomingMessage, response: ServerResponse) => {
    const url = new URL(request.url!, 'http://localhost')
    const isWatch = url.searchParams.has('watch')
    if (!isWatch) listings++
    const isFailing = !isWatch && failing.includes(listings)
    response.writeHead(isFailing ? 503 : 200, { 'content-type': 'application/json' })
    if (isFailing) return void response.end('{}')
    if (!isWatch) {
      const version = watches.length === 0 ? '10' : '100'
      response.end(JSON.stringify({ metadata: { resourceVersion: version }, items }))
      return
    }
    watches.push(url)
    handle(url, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const warnings: string[] = []
  const api = stubbedApiServer((server.address() as AddressInfo).port)
  const cases = new KubernetesCaseStore(api, { warn: (_, message) => void warnings.push(message) })
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  return { cases, watches, warnings }
}

const at = (name: string, resourceVersion: string) => {
  const one = signatureCase()
  return { ...one, metadata: { name, namespace: TENANT, resourceVersion } }
}

const event = (type: string, object: object) => `${JSON.stringify({ type, object })}\n`

async function until(condition: () => boolean): Promise<boolean> {
  const deadlineMs = performance.now() + LIMIT_MS
  while (!condition() && performance.now() < deadlineMs) await sleep(10)
  return condition()
}

t.test('after a gap it reports what changed in it, and continues from there', async (t) => {
  const items = [at('before', '15'), at('within', '25'), at('other', 'opaque')]
  const { cases, watches } = await store(t, items, (_, response) => {
    if (watches.length > 1) return void response.flushHeaders()
    response.write(event('MODIFIED', at('seen', '20')))
    response.end(event('ERROR', { kind: 'Status', code: 410, metadata: {} }))
  })
  const received: string[] = []
  t.teardown(cases.watch(({ caseId }) => void received.push(caseId)))
  t.ok(await until(() => watches.length === 2))
  t.same(received, ['seen', 'within', 'other'])
  t.same(
    watches.map(({ searchParams }) => searchParams.get('resourceVersion')),
    ['10', '100'],
  )
})

t.test('a gap whose listing fails is listed again', async (t) => {
  const items = [at('before', '15'), at('within', '25')]
  const onWatch: Handle = (_, response) => {
    if (watches.length > 1) return void response.flushHeaders()
    response.write(event('MODIFIED', at('seen', '20')))
    response.end(event('ERROR', { kind: 'Status', code: 410, metadata: {} }))
  }
  // The first listing reads the version, the second one that of the gap, the third its objects.
  const { cases, watches, warnings } = await store(t, items, onWatch, [2, 4])
  const received: string[] = []
  t.teardown(cases.watch(({ caseId }) => void received.push(caseId)))
  t.ok(await until(() => watches.length === 2))
  t.same(received, ['seen', 'within'])
  t.same(warnings, ['watch ended', 'watch ended'])
})

t.test('a watch that starts late reports what was created before it', async (t) => {
  const items = [at('early', '5'), at('also', '7')]
  const failing = [1, 2]
  const onWatch: Handle = (_, response) => void response.flushHeaders()
  const { cases, watches, warnings } = await store(t, items, onWatch, failing)
  const received: string[] = []
  t.teardown(cases.watch(({ caseId }) => void received.push(caseId)))
  t.ok(await until(() => watches.length === 1))
  t.same(received, ['early', 'also'])
  t.equal(warnings.length, failing.length)
})

t.test('it goes on behind the last event, bookmarks among them', async (t) => {
  const { cases, watches } = await store(t, [], (_, response) => {
    if (watches.length > 2) return void response.flushHeaders()
    if (watches.length === 1) response.write(event('ADDED', at('one', '20')))
    response.end(event('BOOKMARK', { metadata: { resourceVersion: `${watches.length}0` } }))
  })
  const received: string[] = []
  t.teardown(cases.watch(({ caseId }) => void received.push(caseId)))
  t.ok(await until(() => watches.length === 3))
  t.same(received, ['one'], 'a bookmark is not a change')
  t.same(
    watches.map(({ searchParams }) => searchParams.get('resourceVersion')),
    ['10', '10', '20'],
  )
  t.ok(watches.every(({ searchParams }) => searchParams.get('allowWatchBookmarks') === 'true'))
})

t.test('a failure is logged and it starts again; a watcher that throws ends nothing', async (t) => {
  const { cases, watches, warnings } = await store(t, [], (_, response) => {
    if (watches.length === 1) {
      response.end(event('ERROR', { kind: 'Status', code: 500, metadata: {} }))
      return
    }
    response.write(event('ADDED', at('one', '20')))
    response.write(event('ADDED', at('two', '21')))
  })
  const received: string[] = []
  const stop = cases.watch(({ caseId }) => {
    received.push(caseId)
    throw new Error('a watcher that throws')
  })
  t.ok(await until(() => received.length === 2))
  stop()
  t.same(received, ['one', 'two'])
  t.same(warnings, ['watch ended', 'a watch callback failed', 'a watch callback failed'])
  await sleep(500)
  t.equal(watches.length, 2, 'a watch that was stopped does not start again')
})
