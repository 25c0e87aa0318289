/** Attributes of CAdES that must have one value have one. */

import { Buffer } from 'node:buffer'
import { createHash } from 'node:crypto'
import t from 'tap'
import {
  objectIdentifier,
  octetString,
  sequence,
  sortedSet,
  TAG,
  tlv,
} from '../../../pades/cms/der.ts'
import { readDer } from '../../../pades/cms/der-reader.ts'
import { OID } from '../../../pades/cms/object-identifiers.ts'
import { signedDataTemplate } from '../../../pades/cms/signed-data.ts'
import { readSignedData } from '../../../pades/cms/signed-data-reader.ts'
import { checkSigner } from '../../../pades/cms/signer-info.ts'
import { readCertificate } from '../../../pades/cms/certificate-reader.ts'

import { conclude } from '../../../pades/findings.ts'
import { janka } from '../../fixtures/pki.ts'

const digest = createHash('sha256').update('what was signed').digest()

/** A CMS whose signed attributes are the usual ones after a change; the value is right. */
async function signedWith(change: (attributes: readonly Uint8Array[]) => readonly Uint8Array[]) {
  const template = signedDataTemplate(janka)
  const usual = readDer(template.signedAttributes(digest)).children.map(({ encoded }) => encoded)
  const attributes = tlv(TAG.set, ...sortedSet([...change(usual)]))
  return readSignedData(template.encode(attributes, await janka.sign(attributes)))
}

const check = (signedData: Awaited<ReturnType<typeof signedWith>>) =>
  checkSigner(signedData, {
    certificate: readCertificate(janka.certificate),
    contentType: OID.data,
    digestOf: () => digest,
  })

const typeOf = (attribute: Uint8Array) => readDer(attribute).child(0).encoded

/** The attribute with its first value twice. */
function doubled(attribute: Uint8Array): Uint8Array {
  const value = readDer(attribute).child(1).child(0).encoded
  return sequence(typeOf(attribute), tlv(TAG.set, value, value))
}

const isOf = (type: string) => (attribute: Uint8Array) =>
  Buffer.from(typeOf(attribute)).equals(objectIdentifier(type))

t.test('the usual attributes have one value each', async (t) => {
  t.same(check(await signedWith((usual) => usual)).problems, [])
})

for (const [name, type] of Object.entries({
  'content type': OID.contentType,
  'message digest': OID.messageDigest,
  'signing certificate': OID.signingCertificateV2,
  'algorithm protection': OID.algorithmProtection,
})) {
  t.test(`two values of the ${name} are a format failure`, async (t) => {
    const isMeant = isOf(type)
    const inOne = (usual: readonly Uint8Array[]) =>
      usual.map((one) => (isMeant(one) ? doubled(one) : one))
    const twice = (usual: readonly Uint8Array[]) => [...usual, ...usual.filter(isMeant)]
    for (const change of [inOne, twice]) {
      const { problems } = check(await signedWith(change))
      t.ok(problems.includes('ATTRIBUTE_VALUES_WRONG'))
      t.match(conclude(problems), { indication: 'TOTAL_FAILED', subIndication: 'FORMAT_FAILURE' })
    }
  })
}

t.test('an attribute without a value is a format failure', async (t) => {
  const empty = sequence(objectIdentifier(OID.mimeType), tlv(TAG.set))
  const { problems } = check(await signedWith((usual) => [...usual, empty]))
  t.same(problems, ['ATTRIBUTE_VALUES_WRONG'])
})

t.test('an attribute that is not known may have several values', async (t) => {
  const value = octetString(Uint8Array.of(1))
  const several = sequence(objectIdentifier('1.3.6.1.4.1.99999.8'), tlv(TAG.set, value, value))
  t.same(check(await signedWith((usual) => [...usual, several])).problems, [])
})
