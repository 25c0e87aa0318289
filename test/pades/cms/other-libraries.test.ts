/**
 * What we write by hand is read and verified by libraries that are not ours: pkijs and
 * @peculiar/x509.
 */
import 'reflect-metadata'
import { Buffer } from 'node:buffer'
import { createHash, webcrypto } from 'node:crypto'
import { X509Certificate, X509ChainBuilder } from '@peculiar/x509'
import { fromBER, Integer } from 'asn1js'
import * as pkijs from 'pkijs'
import t from 'tap'
import { signedDataTemplate } from '../../../pades/cms/signed-data.ts'
import { janka, lubos, NOW, root, seal, stamp, type Identity } from '../../fixtures/pki.ts'

const DOCUMENT = new TextEncoder().encode('what was signed')
const crypto = webcrypto as unknown as Crypto
pkijs.setEngine('node', new pkijs.CryptoEngine({ name: 'node', crypto }))

const bufferOf = (bytes: Uint8Array) => Uint8Array.from(bytes).buffer

async function sign(who: Identity, document = DOCUMENT): Promise<Uint8Array> {
  const template = signedDataTemplate(who)
  const digest = createHash(template.hash).update(document).digest()
  const attributes = template.signedAttributes(digest)
  return template.encode(attributes, await who.sign(attributes))
}

function signedDataOf(der: Uint8Array): pkijs.SignedData {
  const contentInfo = pkijs.ContentInfo.fromBER(bufferOf(der))
  return new pkijs.SignedData({ schema: contentInfo.content })
}

const verify = (der: Uint8Array, data: Uint8Array) =>
  signedDataOf(der)
    .verify({
      signer: 0,
      data: bufferOf(data),
      trustedCerts: [pkijs.Certificate.fromBER(bufferOf(root.certificate))],
      checkChain: true,
      checkDate: NOW,
    })
    // Version 4 of the library throws for a signature that does not verify.
    .catch(() => false)

t.test('pkijs verifies our signatures with their chain, and no other document', async (t) => {
  for (const who of [janka, lubos, seal]) {
    const der = await sign(who)
    t.equal(await verify(der, DOCUMENT), true)
    t.equal(await verify(der, new TextEncoder().encode('something else')), false)
    t.equal(await verify(await sign(who, new Uint8Array(1)), DOCUMENT), false)
  }
})

t.test('@peculiar/x509 reads our certificates and builds their chain to the root', async (t) => {
  const certificates = janka.certificates.map((der) => new X509Certificate(bufferOf(der)))
  const [leaf, issuing, top] = certificates
  t.match(leaf!.subject, /CN=Janka Žltá/)
  t.equal(await leaf!.verify({ publicKey: issuing!.publicKey, date: NOW }, crypto), true)
  t.equal(await leaf!.verify({ publicKey: top!.publicKey, date: NOW }, crypto), false)
  const chain = await new X509ChainBuilder({ certificates }).build(leaf!, crypto)
  t.same(
    [...chain].map(({ subject }) => subject),
    certificates.map(({ subject }) => subject),
  )
})

t.test(
  'pkijs reads our time-stamp token and finds digest, time and a whole signature',
  async (t) => {
    const digest = createHash('sha256').update(DOCUMENT).digest()
    const signedData = signedDataOf(await stamp(digest))
    const content = signedData.encapContentInfo.eContent!.getValue()
    const info = pkijs.TSTInfo.fromBER(content)
    t.same(Buffer.from(info.messageImprint.hashedMessage.getValue()), digest)
    t.equal(info.genTime.getTime(), NOW.getTime())
    t.ok(info.serialNumber instanceof Integer)
    t.equal(await signedData.verify({ signer: 0, data: bufferOf(DOCUMENT) }), true)
  },
)

t.test('asn1js finds nothing but whole DER in what we write', async (t) => {
  for (const der of [await sign(janka), janka.certificate, await stamp(new Uint8Array(32))]) {
    const { offset, result } = fromBER(bufferOf(der))
    t.equal(offset, der.length)
    t.same(new Uint8Array(result.toBER()), new Uint8Array(der))
  }
})
