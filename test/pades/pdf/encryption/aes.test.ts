import { Buffer } from 'node:buffer'
import t from 'tap'
import { decryptAes, hasAesPadding } from '../../../../pades/pdf/encryption/aes.ts'
import { DocumentCipher } from '../../../../pades/pdf/encryption/cipher.ts'

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
