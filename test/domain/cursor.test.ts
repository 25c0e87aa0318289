/** Cursors open in their own listing alone, and only as they were given out. */
import { Buffer } from 'node:buffer'
import { createSecretKey } from 'node:crypto'
import t from 'tap'
import { openCursor, sealCursor } from '../../domain/cursor.ts'
import type { Keyring } from '../../domain/ports/keyring.ts'
import { keyring } from '../fixtures/signature-case.ts'

const LISTING = ['cases', 'acme', 'any']
const POSITION = { continue: 'x/y', after: 'ľščť' }

t.test('a cursor contains the position that was sealed', async (t) => {
  t.same(openCursor(keyring, LISTING, sealCursor(keyring, LISTING, POSITION)), POSITION)
})

t.test('a cursor of another listing is none', async (t) => {
  const cursor = sealCursor(keyring, LISTING, POSITION)
  for (const other of [
    ['cases', 'other', 'any'],
    ['cases', 'acme', 'NEW'],
    ['cases', 'acme'],
  ]) {
    t.equal(openCursor(keyring, other, cursor), undefined)
  }
})

t.test('no text but the one that was given out opens', async (t) => {
  const cursor = sealCursor(keyring, LISTING, POSITION)
  const [text = '', kid = '', mac = ''] = cursor.split('.')
  for (let at = 0; at < cursor.length; at++) {
    const other = cursor[at] === 'A' ? 'B' : 'A'
    const changed = cursor.slice(0, at) + other + cursor.slice(at + 1)
    t.equal(openCursor(keyring, LISTING, changed), undefined, changed)
  }
  const forged = ['', '.', '..', `${text}.${kid}`, `${cursor}.`, `${cursor}=`, `.${kid}.${mac}`]
  for (const one of forged) t.equal(openCursor(keyring, LISTING, one), undefined, one)
})

t.test(
  'a cursor made before the key was changed still opens, until that key is gone',
  async (t) => {
    const cursor = sealCursor(keyring, LISTING, POSITION)
    const fresh = { kid: 'fresh', secret: createSecretKey(Buffer.alloc(32, 9)) }
    const rotated: Keyring = { current: () => fresh, find: keyring.find }
    t.same(openCursor(rotated, LISTING, cursor), POSITION)
    t.equal(openCursor({ ...rotated, find: () => undefined }, LISTING, cursor), undefined)
  },
)
