/** Requests whose parts are met by several processes, while Redis loses what it has. */
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createClient } from 'redis'
import t, { type Test } from 'tap'
import type { VerificationUploadAnswer } from '../../domain/contract/answers.ts'
import { freePorts } from '../../adapters/shared/free-ports.ts'
import { Child } from '../../dev/local-cluster/child.ts'
import { watchCores } from '../fixtures/busy.ts'
import { smallDocument } from '../fixtures/signed-by-all.ts'
import { Kiosk } from '../fixtures/kiosk.ts'
import { RESTARTED, withLocalCluster, type TestCluster } from '../fixtures/local-cluster.ts'

t.setTimeout(600_000)

const LOOPBACK = '127.0.0.1'
/** Less than the minute in which a stream looks by itself. */
const SOON_MS = 40_000

/** Another replica of the API. @returns where it is */
async function secondApi({ api, folder }: TestCluster): Promise<{ child: Child; url: string }> {
  const [port, operationsPort] = (await freePorts(2)) as [number, number]
  const { command, environment } = api.options
  const child = new Child({
    name: 'api-2',
    command,
    environment: {
      ...environment,
      PORT: String(port),
      OPERATIONS_PORT: String(operationsPort),
    },
    log: join(folder, 'api-2.log'),
    readyUrl: `http://${LOOPBACK}:${operationsPort}/readyz`,
  })
  child.start()
  await child.ready()
  return { child, url: `http://${LOOPBACK}:${port}` }
}

async function flushAll({ redis }: TestCluster): Promise<void> {
  const { command } = redis.options
  const client = createClient({
    url: `redis://${LOOPBACK}:${command[command.indexOf('--port') + 1]}`,
  })
  await client.connect()
  await client.flushAll()
  client.destroy()
}

async function until(holds: () => boolean | Promise<boolean>, limitMs: number): Promise<void> {
  const deadline = Date.now() + limitMs
  while (!(await holds())) {
    if (Date.now() > deadline) throw new Error('it never came')
    await sleep(50)
  }
}

await withLocalCluster(RESTARTED, async (cluster) => {
  const second = await secondApi(cluster)
  t.teardown(() => second.child.end())
  const killWorkers = () => Promise.all(cluster.workers.map((worker) => worker.end('SIGKILL')))
  const startWorkers = () => cluster.workers.forEach((worker) => worker.start())

  /** A PDF that waits to be verified. @returns its key */
  const uploaded = async (pdf: Uint8Array): Promise<string> => {
    const client = await cluster.client()
    const answer = await client.request('POST', '/verify/uploads', { token: '' })
    const { key, upload } = (await answer.json()) as VerificationUploadAnswer
    await client.upload(upload.url, pdf, upload.headers)
    return key
  }
  const verify = async (key: string, url = cluster.url) => {
    const answer = await fetch(`${url}/verify`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ key }),
    })
    return { status: answer.status, body: (await answer.json()) as Record<string, unknown> }
  }

  t.test('what one API took up another has verified, by a worker elsewhere', async (t) => {
    const client = await cluster.client()
    const { case: made, upload } = await client.create('Contract', [{}], { quickSign: true })
    await client.upload(upload.url, await smallDocument())
    const [participant] = (await client.untilNot('NEW', made.id)).participants
    await client.sign(participant?.signerUrl ?? '')
    const done = await client.untilNot('IN_PROGRESS', made.id)
    const key = await uploaded(await client.download(done.signedDocument?.url ?? ''))
    const { status, body } = await verify(key, second.url)
    t.equal(status, 200)
    t.equal(body.issuedByService, true)
    t.match(body.signatures, [{ indication: 'TOTAL_PASSED' }, { indication: 'TOTAL_PASSED' }])
    t.match(await verify(key), { status: 404, body: { code: 'DOCUMENT_NOT_FOUND' } }, 'removed')
  })

  t.test('what is not a PDF is refused, and removed', async (t) => {
    const key = await uploaded(new TextEncoder().encode('no PDF'))
    t.match(await verify(key), { status: 422, body: { code: 'NOT_A_PDF' } })
    t.equal((await verify(key)).status, 404)
  })

  t.test('a request that was taken while no worker lives is met when one is back', async (t) => {
    await killWorkers()
    const key = await uploaded(await smallDocument())
    const asked = verify(key)
    await sleep(1_000)
    startWorkers()
    t.equal((await asked).status, 200)
  })

  t.test('a wipe while a verification waits: it is asked for again, and met', async (t) => {
    await killWorkers()
    const key = await uploaded(await smallDocument())
    const asked = verify(key, second.url)
    await sleep(1_000)
    await flushAll(cluster)
    startWorkers()
    t.equal((await asked).status, 200)
  })

  const openKiosk = async (t: Test) => {
    const client = await cluster.client(SOON_MS)
    const registered = await client.request('POST', '/tenant/devices', { body: { name: 'Desk' } })
    const { deviceId, token } = (await registered.json()) as { deviceId: string; token: string }
    const headers = { authorization: `Bearer ${token}` }
    const kiosk = new Kiosk(second.url, { deviceId, headers })
    t.teardown(() => kiosk.source.close())
    await kiosk.began()
    const { case: made, upload } = await client.create('Contract', [{}, {}], { quickSign: true })
    await client.upload(upload.url, await smallDocument())
    const { participants } = await client.untilNot('NEW', made.id)
    const open = async (index: number) => {
      const place = `/cases/${made.id}/participants/${participants[index]?.id}/open`
      const { status } = await client.request('POST', place, { body: { deviceId } })
      t.equal(status, 200)
      return performance.now()
    }
    return { kiosk, open, participants }
  }

  t.test('a kiosk receives through one API what was opened through another', async (t) => {
    const { kiosk, open, participants } = await openKiosk(t)
    const isBusy = watchCores()
    const opened = await open(0)
    t.match(await kiosk.nextEvent(1), { data: { participantId: participants[0]?.id } })
    t.ok(performance.now() - opened < 1_000 || isBusy(), 'within a second')
    await flushAll(cluster)
    const again = await open(1)
    t.match(await kiosk.nextEvent(2), { data: { participantId: participants[1]?.id } })
    t.ok(performance.now() - again < 1_000 || isBusy(), 'also right after a wipe')
  })

  t.test('a notification lost with Redis is made up for', async (t) => {
    const { kiosk, open, participants } = await openKiosk(t)
    // The second API misses what the first one publishes: it was stopped as Redis came back.
    second.child.signal('SIGSTOP')
    await cluster.redis.end('SIGKILL')
    cluster.redis.start()
    await open(0)
    second.child.signal('SIGCONT')
    const heardFrom = performance.now()
    await until(() => kiosk.events.length > 0, SOON_MS)
    t.comment(`${Math.round(performance.now() - heardFrom)} ms`)
    t.match(kiosk.events[0], { data: { participantId: participants[0]?.id } })
    t.equal(kiosk.asked.length, 1, 'by the same stream')
  })
})
