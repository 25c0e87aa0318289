/** Each process reads the keys that it is granted and no others; rotations go by steps. */
import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import {
  keySetPath,
  makeMissingKeySets,
  readKeySet,
  rotateKeySet,
} from '../../../adapters/embedded/key-sets.ts'
import {
  type FileKeyring,
  openKeyring,
  openWholeKeyring,
} from '../../../adapters/embedded/keyring.ts'
import { KEY_GRANTS, type KeyHolder, type KeySet } from '../../../domain/key-grants.ts'
import { KEY_PURPOSES } from '../../../domain/ports/keyring.ts'
import { keyringContract } from '../../contract/small-ports.ts'

const FACT = 'signature-fact'
const PUBLIC = 'signature-fact-public'
const MESSAGE = new TextEncoder().encode('fact')
const HOLDERS = Object.keys(KEY_GRANTS) as KeyHolder[]
const kidsOf = (folder: string, set: KeySet) => readKeySet(folder, set).map(({ kid }) => kid)

/** As a cluster mounts it: the granted files alone. */
function mounted(folder: string, holder: KeyHolder): FileKeyring {
  const granted: readonly string[] = KEY_GRANTS[holder]
  for (const set of [...KEY_PURPOSES, FACT, PUBLIC] as const) {
    if (!granted.includes(set)) rmSync(keySetPath(folder, set))
  }
  return openKeyring(folder, holder, { keepsObjects: true }) as unknown as FileKeyring
}

function newFolder(test: Test): string {
  const folder = join(test.testdir(), 'keyring')
  makeMissingKeySets(folder)
  return folder
}

keyringContract('FileKeyring', () => openWholeKeyring(newFolder(t)))

t.test('a keyring is made once, for its owner alone, and read again', async (t) => {
  const folder = join(t.testdir(), 'keyring')
  const { kid } = openWholeKeyring(folder).current('signing-link')
  t.equal(openWholeKeyring(folder).current('signing-link').kid, kid)
  for (const name of readdirSync(folder)) t.equal(statSync(join(folder, name)).mode & 0o777, 0o600)
  t.equal(statSync(folder).mode & 0o777, 0o700)
})

t.test('a keyring of an older version gets the sets that it lacks, once', async (t) => {
  const folder = newFolder(t)
  const [link] = kidsOf(folder, 'signing-link')
  for (const set of ['one-time-code', PUBLIC] as const) rmSync(keySetPath(folder, set))
  makeMissingKeySets(folder)
  const [added] = kidsOf(folder, 'one-time-code')
  const keyring = openWholeKeyring(folder)
  t.equal(keyring.current('one-time-code').kid, added)
  t.equal(keyring.current('signing-link').kid, link)
  t.ok(keyring.isFactSignature(MESSAGE, keyring.signFact(MESSAGE)))
})

t.test('only the API can sign a fact, and every process can check it', async (t) => {
  for (const holder of HOLDERS) {
    const folder = join(t.testdir(), holder)
    makeMissingKeySets(folder)
    const signature = openWholeKeyring(folder).signFact(MESSAGE)
    const keyring = mounted(folder, holder)
    t.ok(keyring.isFactSignature(MESSAGE, signature), holder)
    if (holder === 'api') t.ok(keyring.isFactSignature(MESSAGE, keyring.signFact(MESSAGE)))
    else
      t.throws(() => keyring.signFact(MESSAGE), {
        message: /does not have the keys of signature-fact$/,
      })
  }
})

t.test('a process cannot use keys that it was not given, though the folder has them', async (t) => {
  const folder = newFolder(t)
  for (const holder of HOLDERS) {
    const keyring = openKeyring(folder, holder, { keepsObjects: true }) as unknown as FileKeyring
    const granted: readonly string[] = KEY_GRANTS[holder]
    for (const purpose of KEY_PURPOSES) {
      const fault = { message: `this process does not have the keys of ${purpose}` }
      if (granted.includes(purpose)) t.ok(keyring.current(purpose).kid)
      else {
        t.throws(() => keyring.current(purpose), fault, `${holder} ${purpose}`)
        t.throws(() => keyring.find(purpose, 'any'), fault, `${holder} ${purpose}`)
      }
    }
  }
})

t.test('workers and controllers cannot forge sessions, tokens or codes', async (t) => {
  const forgeable = ['code-session', 'tenant-token', 'one-time-code', 'request-mac', FACT]
  for (const holder of ['controller', 'worker'] as const) {
    const granted: readonly string[] = KEY_GRANTS[holder]
    t.same(
      granted.filter((set) => forgeable.includes(set)),
      [],
      holder,
    )
  }
})

t.test('a process does not start without a set that it needs', async (t) => {
  for (const holder of HOLDERS) {
    for (const set of KEY_GRANTS[holder]) {
      const folder = join(t.testdir(), `${holder}-${set}`)
      makeMissingKeySets(folder)
      rmSync(keySetPath(folder, set))
      const open = (keepsObjects: boolean) => openKeyring(folder, holder, { keepsObjects })
      const fault = { message: new RegExp(`no usable key for ${set}: .*no ${set}.json`) }
      t.throws(() => open(true), fault, `${holder} ${set}`)
      if (set === 'object-url') t.doesNotThrow(() => open(false), 'the bucket signs its own URLs')
    }
  }
})

t.test('a set that cannot be used is refused, and no key is in the message', async (t) => {
  const secret = 'c2VjcmV0LXNlY3JldC1zZWNyZXQ'
  const bad = ['', '{', 'null', '{"keys":[]}', '{"keys":{}}', '{"keys":[null]}'].concat(
    JSON.stringify({ keys: [{ kty: 'oct', k: secret }] }),
    JSON.stringify({ keys: [{ kid: 'a', kty: 'oct', k: secret }] }),
    JSON.stringify({ keys: [{ kid: 'a', kty: 'RSA', k: secret }] }),
  )
  for (const text of bad) {
    const folder = join(t.testdir(), 'bad')
    makeMissingKeySets(folder)
    for (const set of ['signing-link', FACT, PUBLIC] as const) {
      const good = readFileSync(keySetPath(folder, set))
      writeFileSync(keySetPath(folder, set), text)
      try {
        openKeyring(folder, 'api', { keepsObjects: false })
        t.fail(`${set} ${text}`)
      } catch (error) {
        t.match(error, { message: `no usable key for ${set}` })
        t.notMatch(error, { message: secret })
      }
      writeFileSync(keySetPath(folder, set), good)
    }
  }
})

t.test('the API does not start with a key that the others cannot check', async (t) => {
  const folder = newFolder(t)
  const other = join(folder, 'other')
  makeMissingKeySets(other)
  writeFileSync(keySetPath(folder, PUBLIC), readFileSync(keySetPath(other, PUBLIC)))
  t.throws(() => openKeyring(folder, 'api', { keepsObjects: false }), {
    message: 'signature-fact-public.json lacks the first key of signature-fact.json',
  })
})

t.test('public keys of facts have no private member', async (t) => {
  const folder = newFolder(t)
  rotateKeySet(folder, FACT, 'add')
  for (const key of readKeySet(folder, PUBLIC)) {
    t.same(Object.keys(key).sort(), ['crv', 'kid', 'kty', 'x'])
  }
})

t.test('a key is added, used and retired; what it made before is still known', async (t) => {
  const folder = newFolder(t)
  const [old = ''] = kidsOf(folder, 'signing-link')
  t.throws(() => rotateKeySet(folder, 'signing-link', 'use'), { message: /has only one key/ })
  rotateKeySet(folder, 'signing-link', 'add')
  t.equal(openWholeKeyring(folder).current('signing-link').kid, old, 'added, and not used yet')
  rotateKeySet(folder, 'signing-link', 'use')
  const used = openWholeKeyring(folder)
  t.not(used.current('signing-link').kid, old)
  t.ok(used.find('signing-link', old))
  rotateKeySet(folder, 'signing-link', 'retire')
  t.equal(openWholeKeyring(folder).find('signing-link', old), undefined)
})

t.test('facts outlive their retired key, and not their revoked one', async (t) => {
  const folder = newFolder(t)
  const before = openWholeKeyring(folder).signFact(MESSAGE)
  for (const step of ['add', 'use', 'retire'] as const) rotateKeySet(folder, FACT, step)
  const after = openWholeKeyring(folder)
  t.not(after.signFact(MESSAGE).kid, before.kid)
  t.ok(after.isFactSignature(MESSAGE, before))
  t.equal(readKeySet(folder, FACT).length, 1)
  rotateKeySet(folder, FACT, 'revoke')
  const revoked = openWholeKeyring(folder)
  t.notOk(revoked.isFactSignature(MESSAGE, before))
  t.ok(revoked.isFactSignature(MESSAGE, after.signFact(MESSAGE)))
})
