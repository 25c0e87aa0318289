/** The thread that writes objects ends only after its writes. */
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
