/** The whole service, and somebody who writes its objects past it. */
import t from 'tap'
import { auditFolder, outcomeKey } from '../../domain/cases/keys.ts'
import { startEmbedded } from '../../runtime/embedded/service.ts'
import { Forger } from '../fixtures/forger.ts'
import { sharedReader } from '../fixtures/shared-reader.ts'
import { smallDocument } from '../fixtures/signed-by-all.ts'
import { until } from '../fixtures/until.ts'
import { clientFor, configFor, dataDirectory, openObjects, TENANT } from './harness.ts'

t.setTimeout(600_000)

/** Removes the newest object of the trail. */
async function removeLastObject(forger: Forger): Promise<void> {
  const parts = await forger.parts()
  await forger.truncate(parts.slice(0, -1).flatMap(({ entries }) => entries).length)
}

const PATIENCE_MS = 120_000

for (const [what, fault, forge] of [
  [
    'an entry is removed and the chain is recomputed',
    'wrongMac',
    (forger: Forger) => forger.remove(({ sequence }) => sequence === 2),
  ],
  ['the end is removed', 'missingHead', (forger: Forger) => forger.truncate(2)],
  // The case does not name the head after a view, so only the witness can miss it.
  ['the last view is removed', 'missingHead', removeLastObject],
  ['everything is removed', 'missingHead', (forger: Forger) => forger.truncate(0)],
] as const) {
  t.test(`${what} while the service is down: the case fails and is never sealed`, async (t) => {
    const folder = await dataDirectory(t)
    let service = await startEmbedded(
      configFor(folder, { LOG_LEVEL: 'silent' }),
      undefined,
      sharedReader(),
    )
    t.teardown(() => service.close())
    const client = await clientFor(folder, () => service.url)
    const created = await client.create('Zmluva', [{ language: 'sk' }, { language: 'en' }])
    const { id } = created.case
    await client.upload(created.upload.url, await smallDocument())
    const invited = await client.untilNot('NEW', id, PATIENCE_MS)
    const [first, second] = invited.participants.map(({ signerUrl }) => signerUrl)
    t.equal((await client.sign(first!)).status, 200)
    const typesOf = async () => (await client.events(id)).map(({ type }) => type)
    await until(async () => {
      return (await typesOf()).filter((type) => type === 'participant.invited').length === 2
    })
    t.equal((await client.view(second!)).status, 200)
    t.equal((await typesOf()).at(-1), 'participant.viewed')
    await service.close()
    const forger = new Forger(openObjects(folder), { tenant: TENANT, caseId: id })
    await forge(forger)
    service = await startEmbedded(
      configFor(folder, { LOG_LEVEL: 'silent' }),
      undefined,
      sharedReader(),
    )
    const failed = await client.untilNot('IN_PROGRESS', id, PATIENCE_MS)
    t.equal(failed.status, 'FAILED')
    t.match(failed.failureReason, fault)
    t.equal((await client.sign(second!)).status, 410)
    const objects = openObjects(folder)
    const key = { tenant: TENANT, caseId: id }
    t.equal(await objects.stat(outcomeKey(key)), undefined)
    const heads = auditFolder(key).replace('audit/', 'audit-heads/')
    t.same(await objects.list(heads, { limit: 10 }), [])
    const answer = await client.request('GET', `/cases/${id}/events`)
    t.match(await answer.json(), { trailFault: { fault } })
  })
}
