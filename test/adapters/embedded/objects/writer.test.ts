/** The thread that writes objects ends only after its writes. */
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setImmediate } from 'node:timers/promises'
import t from 'tap'
import { openObjectDatabase } from '../../../../adapters/embedded/objects/rows.ts'
import { ObjectWriter } from '../../../../adapters/embedded/objects/writer.ts'

const missing = { kind: 'delete', key: 'acme/none' } as const

t.test(
  'a process that closes while a write is committed lives until both have ended',
  async (t) => {
    const folder = t.testdir()
    openObjectDatabase(folder).close()
    const writer = new ObjectWriter(folder)
    await writer.write(missing)
    const written = writer.write(missing)
    // The write is sent in the next turn of the event loop.
    await setImmediate()
    await setImmediate()
    await writer.close()
    t.equal(await written, false)
  },
)

t.test('removed bytes that cannot be overwritten are reported', async (t) => {
  const folder = t.testdir()
  openObjectDatabase(folder).close()
  const reports: unknown[] = []
  const writer = new ObjectWriter(folder, {
    failed: (error) => void reports.push((error as Error).message),
    succeeded: () => void reports.push('succeeded'),
  })
  const put = (key: string) => {
    const bytes = new TextEncoder().encode(key)
    const facts = { size: bytes.length, contentType: 'text/plain', generation: key, updatedMs: 0 }
    return { kind: 'put', object: { key, ...facts, bytes, file: null }, current: 'any' } as const
  }
  t.ok(await writer.write(put('acme/one')))
  const reader = new DatabaseSync(join(folder, 'objects.sqlite'))
  reader.exec('BEGIN; SELECT * FROM object')
  t.ok(await writer.write({ kind: 'delete', key: 'acme/one' }))
  await writer.close()
  t.same(reports, ['another connection reads the database'])
  reader.close()
})
