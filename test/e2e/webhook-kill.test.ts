/**
 * Webhooks of a service that is killed again and again: no attempt too many, none lost, and no
 * secret where it does not belong.
 */
import { Buffer } from 'node:buffer'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import process from 'node:process'
import { setTimeout } from 'node:timers/promises'
import t from 'tap'
import { answering, openReceiver } from '../conformance/receiver.ts'
import { clientFor, dataDirectory } from './harness.ts'
import { seeded, seedOf } from './seeded.ts'
import { freePort, ready, spawnService, type ServiceProcess } from './service.ts'

const CASES = 12
const KILLS = 4
const ATTEMPTS = 8
const RETRY_MS = 400
const LONGEST_WAIT_MS = 1_500
const POLL_MS = 250
const PATIENCE_MS = 240_000
/** An attempt that a kill interrupted is given up after a minute; this clock is further ahead. */
const CLOCK_AHEAD = {
  CLOCK_SHIFT_MS: String(5 * 60 * 1000),
  NODE_OPTIONS: `--import=${join(import.meta.dirname, '../fixtures/shifted-clock.ts')}`,
}
t.setTimeout(600_000)

const SECRETS = {
  clientId: 'client-id-that-nobody-sees',
  clientSecret: 'client-secret-that-nobody-sees',
  signingSecret: 'signing-secret-that-nobody-sees-0123456789',
}
const HIDDEN = [
  ...Object.values(SECRETS),
  Buffer.from(`${SECRETS.clientId}:${SECRETS.clientSecret}`).toString('base64'),
]

interface Delivery {
  state: string
  attempts: { deliveryId: string; statusCode?: number; error?: string }[]
}

/** Files in the data directory that hold a text, those of the secret store excepted. */
async function filesWith(folder: string, texts: readonly string[]): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile() && !entry.name.startsWith('secrets.'))
  const found: string[] = []
  for (const { parentPath, name } of files) {
    const content = await readFile(join(parentPath, name))
    if (texts.some((text) => content.includes(text))) found.push(name)
  }
  return found
}

t.test(
  `${CASES} webhooks get ${ATTEMPTS} attempts each though the service is killed`,
  async (t) => {
    const seed = seedOf(process.env)
    t.comment(`SEED=${seed}`)
    const random = seeded(seed)
    const DATA_DIR = await dataDirectory(t)
    const port = String(await freePort())
    const baseUrl = `http://127.0.0.1:${port}`
    const environment = {
      PORT: port,
      DATA_DIR,
      LOG_LEVEL: 'trace',
      EGRESS_ALLOW: '127.0.0.1',
      WEBHOOK_RETRY_DELAY_MS: String(RETRY_MS),
    }
    const services: ServiceProcess[] = [spawnService(environment)]
    const last = () => services.at(-1) as ServiceProcess
    t.teardown(() => last().end('SIGKILL'))
    const restart = async (more: Record<string, string> = {}) => {
      await last().end('SIGKILL')
      services.push(spawnService({ ...environment, ...more }))
      await ready(last())
    }
    await ready(last())
    const receiver = await openReceiver(t)
    const client = await clientFor(DATA_DIR, () => baseUrl, PATIENCE_MS)
    const caseIds: string[] = []
    for (let index = 0; index < CASES; index++) {
      // The first one is never answered before the kill: it is lost with its process.
      const url = receiver.address(String(index), (response, attempt) => {
        if (index > 0 || attempt > 1) answering(500)(response, attempt)
      })
      const callback = { url, authType: 'BASIC', ...SECRETS }
      const created = await client.create(`Prípad ${index}`, [{}], { callback })
      await client.request('DELETE', `/cases/${created.case.id}`)
      caseIds.push(created.case.id)
    }
    while (receiver.at('0').length === 0) await setTimeout(POLL_MS)
    for (let kills = 1; kills <= KILLS; kills++) {
      await setTimeout(random() * LONGEST_WAIT_MS)
      // The time limits of the interrupted attempts are over for the last service.
      await restart(kills === KILLS ? CLOCK_AHEAD : {})
    }

    const readDelivery = async (caseId: string): Promise<Delivery> => {
      const answer = await client.request('GET', `/cases/${caseId}/deliveries`)
      return ((await answer.json()) as { deliveries: [Delivery] }).deliveries[0]
    }
    const deadlineMs = Date.now() + PATIENCE_MS
    let interrupted = 0
    for (const [index, caseId] of caseIds.entries()) {
      let delivery = await readDelivery(caseId)
      while (delivery.state === 'pending' && Date.now() < deadlineMs) {
        await setTimeout(POLL_MS)
        delivery = await readDelivery(caseId)
      }
      const { state, attempts } = delivery
      t.match([state, attempts.length], ['dead', ATTEMPTS], `webhook ${index}`)
      const received = receiver.at(String(index)).map(({ headers }) => headers['service-delivery'])
      const logged = attempts.map(({ deliveryId }) => deliveryId)
      t.equal(new Set(received).size, received.length, 'nothing is sent twice')
      t.same(
        received,
        logged.filter((one) => received.includes(one)),
        'in the order of the log',
      )
      const answered = attempts.filter(({ statusCode }) => statusCode === 500)
      t.ok(answered.every(({ deliveryId }) => received.includes(deliveryId)))
      t.ok(attempts.every(({ statusCode, error }) => statusCode === 500 || error === 'interrupted'))
      interrupted += attempts.length - answered.length
    }
    t.comment(`${interrupted} attempts were lost with their process`)
    t.ok(interrupted > 0, 'kills hit attempts that were under way')
    t.equal(await last().end('SIGTERM'), 0)
    const output = services.map((service) => service.output()).join('')
    t.match(output, /webhook sent/)
    t.same(
      HIDDEN.filter((secret) => output.includes(secret)),
      [],
      'no secret is in the log',
    )
    t.same(await filesWith(DATA_DIR, HIDDEN), [], 'nor beside the secret store')
  },
)
