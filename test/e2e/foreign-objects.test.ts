/** The whole service, and somebody who writes objects before the service does. */
import t from 'tap'
import { intakeKey } from '../../domain/cases/keys.ts'
import { startEmbedded } from '../../runtime/embedded/service.ts'
import { Forger } from '../fixtures/forger.ts'
import { sharedReader } from '../fixtures/shared-reader.ts'
import { smallDocument } from '../fixtures/signed-by-all.ts'
import { clientFor, configFor, dataDirectory, openObjects, TENANT } from './harness.ts'

t.setTimeout(600_000)
const PATIENCE_MS = 120_000

t.test('a verdict that no worker wrote keeps the tenant from no upload', async (t) => {
  const folder = await dataDirectory(t)
  const service = await startEmbedded(
    configFor(folder, { LOG_LEVEL: 'silent' }),
    undefined,
    sharedReader(),
  )
  t.teardown(() => service.close())
  const client = await clientFor(folder, () => service.url)
  const created = await client.create('Zmluva', [{ language: 'sk' }])
  const { id } = created.case
  const key = { tenant: TENANT, caseId: id }
  const objects = openObjects(folder)
  t.teardown(() => objects.close())
  await new Forger(objects, key).write(intakeKey(key), { outcome: 'accepted', size: 4_096 })
  await client.upload(created.upload.url, await smallDocument())
  const accepted = await client.untilNot('NEW', id, PATIENCE_MS)
  t.equal(accepted.status, 'IN_PROGRESS')
})
