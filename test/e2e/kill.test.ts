import { mkdirSync, writeFileSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import process from 'node:process'
import { setTimeout } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { SqliteCaseStore } from '../../adapters/embedded/case-store.ts'
import { eventsOfReceipt, receiptFolder, receiptKey } from '../../domain/cases/keys.ts'
import { trailSealReceiptId } from '../../domain/cases/due-audit-events.ts'
import type { SignatureCase } from '../../domain/cases/signature-case.ts'
import { decodeJson } from '../../domain/json-object.ts'
import type { ObjectStore } from '../../domain/ports/object-store.ts'
import type { CaseKey } from '../../domain/ports/stores.ts'
import { mailFolder } from '../../runtime/embedded/paths.ts'
import { join } from 'node:path'
import { smallDocument } from '../fixtures/signed-by-all.ts'
import { wholeTrail } from '../fixtures/whole-trail.ts'
import type { CaseAnswer, Client } from './client.ts'
import { clientFor, dataDirectory, openObjects, TENANT } from './harness.ts'
import { seeded, seedOf } from './seeded.ts'
import { freePort, ready, spawnService, type ServiceProcess } from './service.ts'

const CASES = 9
const KILLS = 5
const IN_FLIGHT = 3
const PATIENCE_MS = 400_000
/**
 * A kill waits until its share of the cases is done, so that all of their life is hit, however fast
 * the machine is. Then it waits for as long as chance says.
 */
const LONGEST_WAIT_MS = 800
const POLL_MS = 5

/** The receipt of a mail, or of several that were sent at the same time. */
type Receipt = { type: string } | { mails: { type: string }[] }

/** One after the other; the last one lives on. */
class KilledService {
  readonly #environment: Record<string, string>
  readonly #random: () => number
  service: ServiceProcess

  constructor(environment: Record<string, string>, random: () => number) {
    this.#environment = environment
    this.#random = random
    this.service = spawnService(environment)
  }

  /**
   * @param done how many cases are done
   * @param onKill is called right before each kill
   */
  async killAgainAndAgain(done: () => number, onKill: () => void): Promise<void> {
    for (let kills = 0; kills < KILLS; kills++) {
      await ready(this.service)
      const share = Math.floor((kills / KILLS) * (CASES - IN_FLIGHT))
      while (done() < share) await setTimeout(POLL_MS)
      await setTimeout(this.#random() * LONGEST_WAIT_MS)
      onKill()
      await this.service.end('SIGKILL')
      this.service = spawnService(this.#environment)
    }
    await ready(this.service)
  }
}

/** One case from its creation to its end, by a tenant and two people who do not give up. */
async function drive(client: Client, index: number, pdf: Uint8Array): Promise<CaseAnswer> {
  const created = await client.create(`Prípad ${index}`, [{ language: 'sk' }, { language: 'en' }])
  return client.complete(created, pdf, PATIENCE_MS)
}

async function driveAll(
  client: Client,
  pdf: Uint8Array,
  onDone: () => void,
): Promise<CaseAnswer[]> {
  const ends: CaseAnswer[] = []
  let next = 0
  const lane = async () => {
    while (next < CASES) {
      ends.push(await drive(client, next++, pdf))
      onDone()
    }
  }
  await Promise.all(Array.from({ length: IN_FLIGHT }, lane))
  return ends
}

/** What a kill leaves while a mail is being written. */
function leaveUnfinishedMail(folder: string, kills: number): void {
  mkdirSync(mailFolder(folder), { recursive: true })
  writeFileSync(join(mailFolder(folder), `.${String(kills).padStart(24, '0')}.tmp`), 'https://')
}

const isSettled = ({ status }: SignatureCase) =>
  status?.conditions.some((one) => one.type === 'Settled' && one.status === 'True') ?? false

async function untilSettled(folder: string, keys: readonly CaseKey[]): Promise<void> {
  const cases = new SqliteCaseStore(join(folder, 'cases.sqlite'), () => new Date())
  const deadline = Date.now() + PATIENCE_MS
  try {
    for (const key of keys) {
      for (;;) {
        const one = await cases.get(key)
        if (one && isSettled(one)) break
        if (Date.now() > deadline) throw new Error(`case ${key.caseId} does not settle`)
        await setTimeout(50)
      }
    }
  } finally {
    cases.close()
  }
}

const ONCE = ['case.created', 'document.uploaded', 'case.finalised', 'case.completed']
const TWICE = [
  'participant.created',
  'participant.consented',
  'participant.signed',
  'participant.certificate_issued',
  'participant.signature_applied',
]

async function assertTrail(t: Test, objects: ObjectStore, key: CaseKey): Promise<void> {
  const entries = await wholeTrail(t, objects, key)
  for (const [times, types] of [
    [1, ONCE],
    [2, TWICE],
  ] as const) {
    for (const type of types) {
      t.equal(entries.filter((entry) => entry.type === type).length, times, `${type} × ${times}`)
    }
  }
}

/** For a machine that does much else. Alone it takes a minute, mostly for starts of the service. */
const TEST_LIMIT_MS = 540_000
t.setTimeout(TEST_LIMIT_MS)

t.test(`${CASES} cases end whole though the service is killed again and again`, async (t) => {
  t.setTimeout(TEST_LIMIT_MS)
  const seed = seedOf(process.env)
  t.comment(`SEED=${seed}`)
  const DATA_DIR = await dataDirectory(t)
  const port = String(await freePort())
  const baseUrl = `http://127.0.0.1:${port}`
  const killed = new KilledService({ PORT: port, DATA_DIR, LOG_LEVEL: 'fatal' }, seeded(seed))
  t.teardown(() => killed.service.end('SIGKILL'))
  await ready(killed.service)
  const client = await clientFor(DATA_DIR, () => baseUrl, PATIENCE_MS)
  let done = 0
  const doneAtKills: number[] = []
  const [ends] = await Promise.all([
    driveAll(client, await smallDocument(), () => {
      done += 1
    }),
    killed.killAgainAndAgain(
      () => done,
      () => {
        doneAtKills.push(done)
        leaveUnfinishedMail(DATA_DIR, doneAtKills.length)
      },
    ),
  ])
  t.comment(`cases done at each kill: ${doneAtKills.join(' ')}`)
  const hits = doneAtKills.filter((count) => count < CASES).length
  t.equal(hits, KILLS, 'every kill hit running cases')
  t.same(
    ends.filter(({ status }) => status !== 'DONE'),
    [],
    'every case is DONE',
  )

  const keys = ends.map(({ id }) => ({ tenant: TENANT, caseId: id }))
  await untilSettled(DATA_DIR, keys)
  t.equal(await killed.service.end('SIGTERM'), 0)

  const objects = openObjects(DATA_DIR)
  const issued = await objects.list('issued/', { limit: 10_000 })
  const registered = await Promise.all(
    issued.map(async ({ key }) => {
      const object = await objects.get(key)
      return { sha256: key.slice('issued/'.length), ...decodeJson<CaseKey>(object!) }
    }),
  )
  const mails = new Set(await readdir(mailFolder(DATA_DIR)))
  const unfinished = [...mails].filter((name) => !name.endsWith('.eml'))
  t.same(unfinished, [], 'a start removes unfinished mails')
  for (const end of ends) {
    const key = { tenant: TENANT, caseId: end.id }
    await t.test(`case ${end.id}`, async (t) => {
      await assertTrail(t, objects, key)
      const issued = registered.filter(({ caseId }) => caseId === end.id)
      t.same(
        new Set(issued.map(({ sha256 }) => sha256)),
        new Set([end.signedDocument?.sha256, end.evidenceDocument?.sha256]),
        'one signed PDF and its evidence',
      )
      const folder = receiptFolder(key)
      const receipts = await objects.list(folder, { limit: 1000 })
      const completions = []
      for (const { key: place } of receipts) {
        if (place === receiptKey(key, trailSealReceiptId(key.caseId))) continue
        const ids = eventsOfReceipt(key, place)
        for (const id of ids) t.ok(mails.has(`${id}.eml`), 'a receipt has its mail')
        const one = decodeJson<Receipt>((await objects.get(place))!)
        const receipted = 'mails' in one ? one.mails : [one]
        t.equal(receipted.length, ids.length)
        completions.push(...receipted.filter(({ type }) => type === 'completion'))
      }
      t.equal(completions.length, 2, 'both recorded the completion')
    })
  }
})
