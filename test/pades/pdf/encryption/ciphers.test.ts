/** Ciphers against published vectors; strings in source, and data that were encrypted here. */
import { Buffer } from 'node:buffer'
import t from 'tap'
import { decryptAes, hasAesPadding } from '../../../../pades/pdf/encryption/aes.ts'
import { type CryptMethod, DocumentCipher } from '../../../../pades/pdf/encryption/cipher.ts'
import { rc4 } from '../../../../pades/pdf/encryption/rc4.ts'
import { withStrings } from '../../../../pades/pdf/encryption/source-strings.ts'

const hex = (text: string) => Buffer.from(text, 'hex')
const toHex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex')

t.test('RC4 gives the key streams of RFC 6229, offset 0', async (t) => {
  const streams: readonly [key: string, stream: string][] = [
    ['0102030405', 'b2396305f03dc027ccc3524a0a1118a8'],
    ['01020304050607', '293f02d47f37c9b633f2af5285feb46b'],
    ['0102030405060708', '97ab8a1bf0afb96132f2f67258da15a8'],
    ['0102030405060708090a', 'ede3b04643e586cc907dc21851709902'],
    ['0102030405060708090a0b0c0d0e0f10', '9ac7cc9a609d1ef7b2932899cde41b97'],
  ]
  for (const [key, stream] of streams) t.equal(toHex(rc4(hex(key), Buffer.alloc(16))), stream)
  const longer = rc4(hex('0102030405'), Buffer.alloc(5_000))
  t.same(rc4(hex('0102030405'), longer), new Uint8Array(5_000))
})

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

t.test('AES data of a wrong length or padding are not decrypted', async (t) => {
  const key = Buffer.alloc(16, 7)
  const cipher = new DocumentCipher({
    key: Buffer.alloc(32, 7),
    strings: 'AESV3',
    streams: 'AESV3',
  })
  const owner = { number: 1, generation: 0 }
  const encrypted = cipher.encrypt('strings', owner, Buffer.alloc(20))
  for (const wrong of [encrypted.subarray(1), encrypted.subarray(0, 16), Buffer.alloc(48, 1)]) {
    t.equal(cipher.decrypt('strings', owner, wrong), undefined)
    t.equal(cipher.canDecrypt('strings', owner, wrong), false)
  }
  t.equal(decryptAes(key, Buffer.alloc(48, 1)), undefined)
  t.equal(hasAesPadding(key, Buffer.alloc(48, 1)), false)
})

t.test('strings in source are replaced, and nothing else', async (t) => {
  const reversed = (bytes: Uint8Array) => Uint8Array.from(bytes).reverse()
  const cases: readonly [before: string, after: string][] = [
    [
      '<< /A (ab) /B <4142> /C [(c\\)d) <</D()>>] >>',
      '<< /A <6261> /B <4241> /C [<642963> <</D<>>>] >>',
    ],
    ['<</A(a(b)c)/B 1 0 R>>', '<</A<6329622861>/B 1 0 R>>'],
    ['[ % (no) <string>\n (\\101\\\nb) ]', '[ % (no) <string>\n <6241> ]'],
    ['/Name 7 true', '/Name 7 true'],
  ]
  for (const [before, after] of cases) t.equal(withStrings(before, reversed), after)
})
