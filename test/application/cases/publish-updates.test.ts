import t from 'tap'
import { parseUpdate, publishWrites } from '../../../application/cases/publish-updates.ts'
import { CASE_UPDATED } from '../../../domain/ports/pub-sub.ts'
import { MemoryCaseStore } from '../../fixtures/memory-cases.ts'
import { MemoryEphemeral } from '../../fixtures/memory-ephemeral.ts'
import { CASE_KEY, signatureCase } from '../../fixtures/signature-case.ts'

t.test('each successful write is published', async (t) => {
  const ephemeral = new MemoryEphemeral()
  const updates: unknown[] = []
  await ephemeral.subscribe(CASE_UPDATED, (message) => updates.push(parseUpdate(message)))
  const store = new MemoryCaseStore()
  const cases = publishWrites(store, ephemeral)
  t.equal(cases, store)
  const created = await cases.create(signatureCase())
  t.same(updates, [CASE_KEY])
  const replaced = await cases.replaceStatus({ ...created, status: { phase: 'NEW' } as never })
  await t.rejects(cases.replaceSpec(created), 'an older version')
  t.equal(updates.length, 2, 'a lost race is not published')
  await cases.replaceSpec(replaced)
  await cases.get(CASE_KEY)
  t.equal(updates.length, 3)
  await cases.delete(CASE_KEY)
  t.equal(updates.length, 4)
})

t.test('a store that cannot publish still writes', async (t) => {
  const ephemeral = new MemoryEphemeral()
  ephemeral.publish = () => Promise.reject(new Error('the store is down'))
  const cases = publishWrites(new MemoryCaseStore(), ephemeral)
  await t.resolves(cases.create(signatureCase()))
})

t.test('an invalid message is ignored', async (t) => {
  for (const message of ['', 'null', '{}', '{"tenant":1,"caseId":"x"}']) {
    t.equal(parseUpdate(message), undefined, message)
  }
})
