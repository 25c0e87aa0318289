/** Cases are erased by the service on one machine, over restarts. */
import { Buffer } from 'node:buffer'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import type { Tombstone } from '../../domain/cases/erasure.ts'
import { caseFolder, tombstoneKey } from '../../domain/cases/keys.ts'
import { decodeJson } from '../../domain/json-object.ts'
import { DAY_MS, HOUR_MS, person } from '../conformance/world.ts'
import { callTool } from '../fixtures/call-tool.ts'
import { runTool } from '../fixtures/run-tool.ts'
import { openObjects, TENANT } from './harness.ts'
import { restartable } from './restartable.ts'

const RETENTION_DAYS = 30
const MAXIMUM_OBJECTS = 1_000

const PERSON = {
  firstName: 'Zdislava',
  lastName: 'Kvapilíková-Žltá',
  email: 'zdislava.kvapilikova@post.example',
  phone: '+421907118227',
}
const TITLE = 'Dohoda č. 8841-QX'

/** Mails are copies that were sent, which no service can erase. */
const MAILS = 'mail/'
/** The same text as programs store it; PDFs and JSON have their own ways. */
function formsOf(text: string): Buffer[] {
  const utf16 = Buffer.from(text, 'utf16le')
  const escaped = JSON.stringify(text).replace(/[^ -~]/g, (letter) => {
    return `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`
  })
  return [
    Buffer.from(text),
    utf16,
    Buffer.from(utf16).swap16(),
    Buffer.from(escaped.slice(1, -1)),
    Buffer.from(Buffer.from(text).toString('base64').replace(/=+$/, '').slice(0, -1)),
  ]
}

/** Files below a folder whose octets hold a word, with the word. */
async function findWords(folder: string, words: readonly string[]): Promise<string[]> {
  const found: string[] = []
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue
    const path = join(entry.parentPath, entry.name)
    // The service may rename or remove a file meanwhile.
    const bytes = await readFile(path).catch(() => Buffer.alloc(0))
    for (const word of words) {
      if (formsOf(word).some((form) => bytes.includes(form)))
        found.push(`${path.slice(folder.length + 1)}: ${word}`)
    }
  }
  return found
}

/** A service that keeps cases for so many days. */
async function keeping(t: Test) {
  const world = await restartable(t, { RETENTION_DAYS: String(RETENTION_DAYS) })
  const { folder } = world
  /** Objects that are left of a case. */
  const left = async (caseId: string) => {
    const prefix = caseFolder({ tenant: TENANT, caseId })
    const found = await openObjects(folder).list(prefix, { limit: MAXIMUM_OBJECTS })
    return found.map(({ key }) => key.slice(prefix.length))
  }
  /** When the last of them was gone, as the tombstone says; undefined until then. */
  const erasedAt = async (caseId: string) => {
    const stored = await openObjects(folder).get(tombstoneKey({ tenant: TENANT, caseId }))
    return stored && decodeJson<Tombstone>(stored).erasedAt
  }
  return { ...world, left, erasedAt }
}

t.test('a case is kept for its days, then erased; later its resource is gone', async (t) => {
  const { clock, start, stop, left, erasedAt } = await keeping(t)
  let world = await start()
  const { id } = await world.done()
  await world.untilEvent(id, 'case.completed')
  await stop()
  clock.pass(RETENTION_DAYS * DAY_MS - HOUR_MS)
  world = await start()
  t.ok((await world.get(id)).signedDocument.url)
  t.notOk(await erasedAt(id))
  await stop()
  clock.pass(HOUR_MS)
  world = await start()
  await world.untilResynced('the erasure', () => erasedAt(id))
  t.equal((await world.get(id)).signedDocument.url, undefined)
  clock.pass(2 * HOUR_MS)
  await world.untilResynced('the end of the resource', async () => {
    return (await world.asTenant('GET', `/cases/${id}`)).status === 404 || undefined
  })
  t.same(
    (await left(id)).filter((name) => !name.includes('/')),
    ['tombstone.json'],
  )
})

t.test('npm run erase requests an erasure while the service is stopped', async (t) => {
  const { folder, start, stop, erasedAt } = await keeping(t)
  const env = { DATA_DIR: folder }
  const erase = (...words: string[]) => callTool('cli/erase.ts', words, { env })
  let world = await start()
  const { id } = await world.done()
  await world.untilEvent(id, 'case.completed')
  const running = await runTool('cli/erase.ts', ['--tenant', TENANT, id], { env })
  t.match(running, { code: 1, stderr: /another service uses/ })
  await stop()
  t.match(await erase(id), { code: 2, stderr: /a tenant is needed/ })
  t.match(await erase('--tenant', TENANT), { code: 2, stderr: /one case id is needed/ })
  t.match(await erase('--tenant', 'other', id), { code: 1, stderr: /other has no case/ })
  t.match(await erase('--tenant', TENANT, id), { code: 0, stdout: /after its next start\.\n$/ })
  world = await start()
  await world.untilResynced('the erasure', () => erasedAt(id))
})

t.test('no octet of a person is left in what the service stores', async (t) => {
  const { folder, clock, start, stop, erasedAt } = await keeping(t)
  const words = [PERSON.lastName, PERSON.email, PERSON.phone, TITLE]
  let world = await start()
  const { id } = await world.done({ title: TITLE, participants: [person(PERSON)] })
  await world.untilEvent(id, 'case.completed')
  t.ok((await findWords(folder, words)).length > 0, 'they are found while they are stored')
  await stop()
  clock.pass(RETENTION_DAYS * DAY_MS)
  world = await start()
  await world.untilResynced('the erasure', () => erasedAt(id))
  clock.pass(2 * HOUR_MS)
  await world.untilResynced('the end of the resource', async () => {
    return (await world.asTenant('GET', `/cases/${id}`)).status === 404 || undefined
  })
  const isLeft = (place: string) => !place.startsWith(MAILS)
  const left = async () => (await findWords(folder, words)).filter(isLeft)
  await world.until('the overwriting', async () => (await left()).length === 0 || undefined)
  await stop()
  t.same(await left(), [])
})
