/** Signatures are those of the examples in Amazon's documentation of Signature Version 4. */
import t from 'tap'
import { presignedUrl, sha256Hex, signedHeaders } from '../../../adapters/s3/signature.ts'

/** "Signature Calculations for the Authorization Header: examples", Amazon S3 API Reference. */
const BY = {
  credentials: {
    accessKeyId: 'AKIAIOSFODNN7EXAMPLE',
    secretAccessKey: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
  },
  region: 'us-east-1',
  at: new Date('2013-05-24T00:00:00Z'),
}
const ORIGIN = 'https://examplebucket.s3.amazonaws.com'

const signatureOf = (authorization: string | undefined) =>
  /Signature=([0-9a-f]{64})$/.exec(authorization ?? '')?.[1]

t.test('a read of a part of an object', async (t) => {
  const request = {
    method: 'GET',
    url: new URL(`${ORIGIN}/test.txt`),
    headers: { range: 'bytes=0-9' },
  }
  const headers = signedHeaders(request, sha256Hex(''), BY)
  t.equal(
    headers.authorization,
    'AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request,' +
      'SignedHeaders=host;range;x-amz-content-sha256;x-amz-date,' +
      'Signature=f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41',
  )
  t.equal(headers['x-amz-date'], '20130524T000000Z')
})

t.test('a write with headers', async (t) => {
  const request = {
    method: 'PUT',
    url: new URL(`${ORIGIN}/test%24file.text`),
    headers: {
      date: 'Fri, 24 May 2013 00:00:00 GMT',
      'x-amz-storage-class': 'REDUCED_REDUNDANCY',
    },
  }
  const { authorization } = signedHeaders(request, sha256Hex('Welcome to Amazon S3.'), BY)
  t.equal(
    signatureOf(authorization),
    '98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd',
  )
})

t.test('a listing, whose query is signed in order', async (t) => {
  const url = new URL(`${ORIGIN}/?prefix=J&max-keys=2`)
  const { authorization } = signedHeaders({ method: 'GET', url, headers: {} }, sha256Hex(''), BY)
  t.equal(
    signatureOf(authorization),
    '34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7',
  )
})

t.test('a URL that expires', async (t) => {
  const request = { method: 'GET', url: new URL(`${ORIGIN}/test.txt`), headers: {} }
  t.equal(
    presignedUrl(request, 86_400, BY),
    `${ORIGIN}/test.txt?X-Amz-Algorithm=AWS4-HMAC-SHA256` +
      '&X-Amz-Credential=AKIAIOSFODNN7EXAMPLE%2F20130524%2Fus-east-1%2Fs3%2Faws4_request' +
      '&X-Amz-Date=20130524T000000Z&X-Amz-Expires=86400&X-Amz-SignedHeaders=host' +
      '&X-Amz-Signature=aeeed9bbccd4d02ee5c0109b86d86835f995330da4c265957d157751f604d404',
  )
})

t.test('the token of a session is signed', async (t) => {
  const by = { ...BY, credentials: { ...BY.credentials, sessionToken: 'session/token' } }
  const request = { method: 'GET', url: new URL(`${ORIGIN}/test.txt`), headers: {} }
  const headers = signedHeaders(request, sha256Hex(''), by)
  t.equal(headers['x-amz-security-token'], 'session/token')
  t.match(
    headers.authorization,
    'SignedHeaders=host;x-amz-content-sha256;x-amz-date;x-amz-security-token',
  )
  t.match(presignedUrl(request, 1, by), '&X-Amz-Security-Token=session%2Ftoken&')
})
