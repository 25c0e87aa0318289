import t from 'tap'
import { limitOf, positionOf } from '../../application/paging.ts'
import { sealCursor } from '../../domain/cursor.ts'
import { MAXIMUM_PAGE_SIZE } from '../../domain/limits.ts'
import { keyring } from '../fixtures/signature-case.ts'

t.test('a limit is a whole number of the range', async (t) => {
  t.equal(limitOf({}), MAXIMUM_PAGE_SIZE)
  t.equal(limitOf({ limit: '1' }), 1)
  t.equal(limitOf({ limit: '0100' }), MAXIMUM_PAGE_SIZE, 'digits, as the specification says')
  for (const limit of ['', '0', '-1', '1.0', '1e1', '0x1', ' 1', '1000', 5, ['1', '2'], null]) {
    t.throws(() => limitOf({ limit }), { code: 'INVALID_LIMIT' }, JSON.stringify(limit))
  }
})

t.test('a cursor works in its own listing alone', async (t) => {
  const listing = ['acme', 'cases']
  const cursor = sealCursor(keyring, listing, { after: 'c-1' })
  t.same(positionOf({ cursor }, listing, keyring), { after: 'c-1' })
  t.equal(positionOf({}, listing, keyring), undefined)
  const invalid = { code: 'INVALID_CURSOR' }
  t.throws(() => positionOf({ cursor }, ['zoo', 'cases'], keyring), invalid)
  for (const other of ['', 'x', [cursor, cursor], `${cursor}x`]) {
    t.throws(() => positionOf({ cursor: other }, listing, keyring), invalid)
  }
})
