/** Containers with unusual algorithms: the second judge confirms no more than what is written. */
import { Buffer } from 'node:buffer'
import { createHash } from 'node:crypto'
import t from 'tap'
import {
  contextConstructed,
  integer,
  NULL,
  objectIdentifier,
  octetString,
  sequence,
  setOf,
} from '../../../pades/cms/der.ts'
import { readDer } from '../../../pades/cms/der-reader.ts'
import { OID } from '../../../pades/cms/object-identifiers.ts'
import { signedDataTemplate } from '../../../pades/cms/signed-data.ts'
import { judgeSignatureContainer } from '../../../pades/second-judge/container.ts'
import { janka, rsaKey, signer } from '../../fixtures/pki.ts'

const DOCUMENT = Buffer.from('what was signed')
const digestOf = (hash: string) => createHash(hash).update(DOCUMENT).digest()

const rsaSigner = await signer('RSA', { key: rsaKey('rsa-pss-sha256') })

/** Parts of the only SignerInfo, from the version to the value. */
type EditParts = (parts: Uint8Array[]) => Uint8Array[]

/** A signature of a document, the parts of whose SignerInfo are changed afterwards. */
async function opinionOn(who: typeof janka, edit: EditParts = (parts) => parts) {
  const template = signedDataTemplate(who)
  const attributes = template.signedAttributes(digestOf(template.hash))
  const cms = readDer(template.encode(attributes, await who.sign(attributes)))
  const partsOf = (element: typeof cms) => element.children.map(({ encoded }) => encoded)
  const signedData = cms.child(1).child(0)
  const [info] = signedData.children.at(-1)!.children
  const edited = sequence(...edit(partsOf(info!)))
  const whole = sequence(...partsOf(signedData).slice(0, -1), setOf(edited))
  const contents = sequence(objectIdentifier(OID.signedData), contextConstructed(0, whole))
  return (await judgeSignatureContainer(contents, digestOf)).value
}

const ATTRIBUTES = 3
const ALGORITHM = 4
const withAlgorithm =
  (type: string, ...parameters: readonly Uint8Array[]): EditParts =>
  (parts) =>
    parts.with(ALGORITHM, sequence(objectIdentifier(type), ...parameters))

/** RSASSA-PSS-params of SHA-256 with another mask or trailer. */
function pss(maskHash: string, trailer = 1): EditParts {
  const hash = (type: string) => sequence(objectIdentifier(type), NULL)
  const fields = [
    hash(OID.sha256),
    sequence(objectIdentifier(OID.mgf1), hash(maskHash)),
    integer(32),
    integer(trailer),
  ]
  const parameters = fields.map((field, number) => contextConstructed(number, field))
  return withAlgorithm(OID.rsaPss, sequence(...parameters))
}

t.test('parameters of PSS count, all of them', async (t) => {
  t.equal(await opinionOn(rsaSigner), 'right')
  t.equal(await opinionOn(rsaSigner, pss(OID.sha256)), 'right')
  t.equal(await opinionOn(rsaSigner, pss(OID.sha1)), 'unknown', 'another mask')
  t.equal(await opinionOn(rsaSigner, pss(OID.sha256, 2)), 'unknown', 'another trailer')
})

t.test('the algorithm of the key in place of that of the signature', async (t) => {
  t.equal(await opinionOn(janka), 'right')
  t.equal(await opinionOn(janka, withAlgorithm(OID.ecPublicKey)), 'right')
  const other: EditParts = (parts) =>
    withAlgorithm(OID.ecPublicKey)(parts).with(ALGORITHM + 1, octetString(Buffer.alloc(70)))
  t.equal(await opinionOn(janka, other), 'wrong')
})

t.test('a value without signed attributes cannot be judged by a digest', async (t) => {
  t.equal(await opinionOn(janka, (parts) => parts.toSpliced(ATTRIBUTES, 1)), 'unknown')
})
