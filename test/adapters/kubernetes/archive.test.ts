/** Archiving and restoring with the rights of the controller at a real API server. */
import t from 'tap'
import { archiveCase } from '../../../application/archive/archive-case.ts'
import { withArchive } from '../../../application/archive/archived-cases.ts'
import { restoreCase } from '../../../application/archive/restore-case.ts'
import { KubernetesCaseStore } from '../../../adapters/kubernetes/case-store.ts'
import type { ApiServer } from '../../../adapters/kubernetes/api-server.ts'
import { FINALIZER } from '../../../domain/cases/complete.ts'
import { ERASE_ANNOTATION } from '../../../domain/cases/erasure.ts'
import { RecordingAlarm } from '../../fixtures/alarms.ts'
import { withRights } from '../../fixtures/kubernetes-api.ts'
import { MemoryObjectStore } from '../../fixtures/memory-objects.ts'
import { settledCase } from '../../fixtures/settled-case.ts'
import { CASE_ID, CASE_KEY, keyring, TENANT } from '../../fixtures/signature-case.ts'

const HOME = 'sigcase-system'
const AT = '2026-12-01T00:00:00.000Z'

const casesOf = (server: ApiServer) => new KubernetesCaseStore(server, { warn: () => {} })

await withRights(HOME, [TENANT], async ({ as, admin }) => {
  const [api, controller] = [casesOf(await as('api')), casesOf(await as('controller'))]
  const objects = new MemoryObjectStore(() => new Date(AT))
  const deps = { cases: controller, objects, keyring, alarm: new RecordingAlarm() }
  const reading = withArchive(api, deps)

  /** A settled case, with a label that users may have added. */
  async function createSettled() {
    const { spec, status, ...rest } = settledCase()
    const metadata = { name: CASE_ID, namespace: TENANT, labels: { team: 'a' } }
    const created = await api.create({ ...rest, spec, metadata })
    await controller.replaceStatus({ ...created, status: status! })
    return (await controller.get(CASE_KEY))!
  }

  t.test('an archived case reads as before, and a restored one is the same', async (t) => {
    const before = await createSettled()
    t.equal(await archiveCase(CASE_KEY, () => true, deps), 'archived')
    t.equal(await controller.get(CASE_KEY), undefined)
    const archived = (await reading.get(CASE_KEY))!
    t.same([archived.spec, archived.status], [before.spec, before.status])
    t.equal(await restoreCase(CASE_KEY, deps, AT), 'restored')
    const restored = (await controller.get(CASE_KEY))!
    t.same([restored.spec, restored.status], [before.spec, before.status])
    t.match(restored.metadata, { finalizers: [FINALIZER], labels: { team: 'a' } })
    t.not(restored.metadata.uid, before.metadata.uid)
    t.equal(await archiveCase(CASE_KEY, () => true, deps), 'archived', 'it can leave again')
  })

  t.test('a case that somebody annotates in the meantime stays', async (t) => {
    await restoreCase(CASE_KEY, deps)
    const path = `/apis/sigcase.dev/v1/namespaces/${TENANT}/signaturecases/${CASE_ID}`
    const annotate = () =>
      admin.send({
        method: 'PATCH',
        path,
        body: { metadata: { annotations: { [ERASE_ANNOTATION]: CASE_ID } } },
      })
    const cases = {
      get: controller.get.bind(controller),
      replaceSpec: controller.replaceSpec.bind(controller),
      async delete(key: typeof CASE_KEY, version?: string) {
        await annotate()
        await controller.delete(key, version)
      },
    }
    t.equal(await archiveCase(CASE_KEY, () => true, { ...deps, cases }), 'conflict')
    const kept = (await controller.get(CASE_KEY))!
    t.equal(kept.metadata.deletionTimestamp, undefined)
    t.match(kept.metadata, {
      finalizers: [FINALIZER],
      annotations: { [ERASE_ANNOTATION]: CASE_ID },
    })
    t.equal(await archiveCase(CASE_KEY, () => true, deps), 'kept')
  })
})
