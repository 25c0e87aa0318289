import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import {
  DataDirectoryError,
  DataDirectoryInUseError,
  takeDataDirectory,
} from '../../../adapters/embedded/data-directory.ts'

t.test('a second service does not start in the same data directory', async (t) => {
  const folder = t.testdir()
  const release = await takeDataDirectory(folder)
  await t.rejects(takeDataDirectory(folder), DataDirectoryInUseError)
  release()
  const again = await takeDataDirectory(folder)
  again()
})

t.test(
  'a folder that the system creates for no user is refused, not retried for ever',
  async (t) => {
    const error = await takeDataDirectory('/proc/nobody/below').then(String, (fault) => fault)
    t.type(error, DataDirectoryError)
    t.match(error.message, '/proc/nobody/below cannot be used (')
  },
)

t.test('a folder in which nothing can be kept is refused, and is not in use', async (t) => {
  const folder = t.testdir({ file: '', strange: { 'lock.sqlite': 'no database'.repeat(100) } })
  for (const place of ['file', 'file/below', 'strange']) {
    const error = await takeDataDirectory(join(folder, place)).then(String, (fault) => fault)
    t.type(error, DataDirectoryError)
    t.notOk(error instanceof DataDirectoryInUseError, place)
    t.match(error.message, `${join(folder, place)} cannot be used (`)
  }
})

t.test('taking a folder leaves nothing in it but the lock', async (t) => {
  const folder = t.testdir()
  const release = await takeDataDirectory(folder)
  t.teardown(release)
  t.same(
    readdirSync(folder).filter((name) => !name.startsWith('lock.sqlite')),
    [],
  )
})
