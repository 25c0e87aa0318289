import { Buffer } from 'node:buffer'
import t from 'tap'
import { rc4 } from '../../../../pades/pdf/encryption/rc4.ts'

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
