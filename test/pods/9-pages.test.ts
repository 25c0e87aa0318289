/** Pages and event streams through the Service, while the pods of the API are replaced. */
import t from 'tap'
import { BASE_URL } from '../../dev/pods/layout.ts'
import { mintToken } from '../../dev/pods/release.ts'
import { Client } from '../e2e/client.ts'
import { Kiosk } from '../fixtures/kiosk.ts'
import { smallDocument } from '../fixtures/signed-by-all.ts'
import { cluster, kubectl, NAMESPACE, POD_LIMIT_MS, TENANT, until, untilWhole } from './cases.ts'

const PATIENCE_MS = 60_000
const CASE_LIMIT_MS = 120_000
const PERSON = { email: 'jana@example.com' }

const client = new Client({
  baseUrl: () => BASE_URL,
  token: await mintToken(cluster.folder, TENANT),
  patienceMs: PATIENCE_MS,
})

/** Creates a case and uploads its document. @returns the case when people can sign */
async function openCase() {
  const { case: created, upload } = await client.create('Contract', [PERSON], { quickSign: true })
  await client.upload(upload.url, await smallDocument())
  return client.untilNot('NEW', created.id, CASE_LIMIT_MS)
}

t.test('the signing page and all that it loads come through the Service', async (t) => {
  await untilWhole()
  const { participants } = await openCase()
  const link = new URL(participants[0]?.signerUrl ?? '')
  t.equal(link.origin, new URL(BASE_URL).origin, 'links lead to the Service')
  const page = await fetch(link)
  t.equal(page.status, 200)
  t.match(page.headers.get('content-security-policy'), /default-src/)
  const html = await page.text()
  const files = [...html.matchAll(/(?:src|href)="([^"#]+)"/g)].map(([, path]) => path ?? '')
  t.ok(files.length >= 2, 'a script and a style')
  for (const file of files) {
    const answer = await fetch(new URL(file, link))
    t.equal(answer.status, 200, file)
    await answer.arrayBuffer()
  }
})

t.test('a kiosk keeps listening while every pod of the API is replaced', async (t) => {
  t.setTimeout(400_000)
  const body = { name: 'Desk' }
  const registered = await client.request('POST', '/tenant/devices', { body })
  const { deviceId, token } = (await registered.json()) as { deviceId: string; token: string }
  const kiosk = new Kiosk(BASE_URL, { deviceId, headers: { authorization: `Bearer ${token}` } })
  t.teardown(() => kiosk.source.close())
  await kiosk.began()
  const readEvents = (count: number) =>
    until(`event ${count}`, async () => (kiosk.events.length >= count ? kiosk.events : undefined))

  const handOver = async () => {
    const { id, participants } = await openCase()
    const path = `/cases/${id}/participants/${participants[0]?.id}/open`
    t.equal((await client.request('POST', path, { body: { deviceId } })).status, 200)
    return { id, participants }
  }
  const first = await handOver()
  t.match((await readEvents(1))[0], { type: 'device.open_case', data: { caseId: first.id } })

  await kubectl.run('rollout', 'restart', 'deployment/sigcase-api', NAMESPACE)
  const limit = `--timeout=${POD_LIMIT_MS / 1000}s`
  await kubectl.run('rollout', 'status', 'deployment/sigcase-api', NAMESPACE, limit)
  await untilWhole()
  t.ok(kiosk.asked.length > 1, 'the stream ended with its pod, and the kiosk connected again')
  t.same(
    kiosk.errors.filter((code) => code !== undefined),
    [],
    'no connection was refused with a status',
  )

  t.equal((await client.sign(first.participants[0]?.signerUrl ?? '')).status, 200)
  const events = await readEvents(2)
  t.match(events[1], { type: 'device.close_case', data: { reason: 'SIGNED' } })
  t.equal(events.length, 2, 'no event came twice')
})
