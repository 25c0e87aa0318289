/** Errors of a full disk differ from others. */
import t from 'tap'
import { isDiskFull, nameFullDisk } from '../../../adapters/embedded/full-disk.ts'

t.test('a full disk and a full quota become errors that may be tried again', async (t) => {
  const SQLITE_FULL = 13
  const full = [{ code: 'ENOSPC' }, { code: 'EDQUOT' }, { errcode: SQLITE_FULL }]
  for (const facts of full) {
    const cause = Object.assign(new Error('no room'), facts)
    t.match(nameFullDisk(cause), { name: 'ServiceError', code: 'TIMEOUT', cause })
  }
})

t.test('other errors stay what they are', async (t) => {
  const SQLITE_BUSY = 5
  for (const facts of [{ code: 'EACCES' }, { errcode: SQLITE_BUSY }, {}]) {
    const error = Object.assign(new Error('other'), facts)
    t.notOk(isDiskFull(error))
    t.equal(nameFullDisk(error), error)
  }
})
