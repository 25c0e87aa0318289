import { Buffer } from 'node:buffer'
import t from 'tap'
import { type CryptMethod, DocumentCipher } from '../../../../pades/pdf/encryption/cipher.ts'

t.test('data of every method are decrypted to what they were', async (t) => {
  const owner = { number: 70_000, generation: 3 }
  const methods: readonly [CryptMethod, keyBytes: number][] = [
    ['RC4', 5],
    ['RC4', 16],
    ['AESV2', 16],
    ['AESV3', 32],
    ['Identity', 16],
  ]
  for (const [method, keyBytes] of methods) {
    const key = Buffer.alloc(keyBytes, 7)
    const cipher = new DocumentCipher({
      key,
      strings: method,
      streams: method,
    })
    for (const length of [1, 15, 16, 17, 1_000]) {
      const data = Buffer.alloc(length, 'x')
      const encrypted = cipher.encrypt('streams', owner, data)
      t.equal(Buffer.from(encrypted).equals(data), method === 'Identity')
      t.same(cipher.encrypt('streams', owner, data), encrypted, 'always alike')
      t.ok(cipher.canDecrypt('streams', owner, encrypted))
      t.ok(data.equals(cipher.decrypt('streams', owner, encrypted) ?? Buffer.alloc(0)))
    }
    t.same(cipher.decrypt('strings', owner, Buffer.alloc(0)), Buffer.alloc(0))
  }
})

t.test('each object has a key of its own before AES of 256 bits', async (t) => {
  const [key, data] = [Buffer.alloc(16, 7), Buffer.alloc(32, 'x')]
  for (const method of ['RC4', 'AESV2'] as const) {
    const cipher = new DocumentCipher({
      key,
      strings: method,
      streams: method,
    })
    const encrypted = cipher.encrypt('strings', { number: 1, generation: 0 }, data)
    for (const other of [
      { number: 2, generation: 0 },
      { number: 1, generation: 1 },
    ]) {
      t.notSame(cipher.decrypt('strings', other, encrypted), data)
    }
  }
})
