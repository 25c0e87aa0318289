/** Signatures with a right value and an unusual form are INDETERMINATE; wrong ones still fail. */
import { Buffer } from 'node:buffer'
import { createHash } from 'node:crypto'
import t, { type Test } from 'tap'
import { objectIdentifier, octetString, sequence, setOf, tlv, TAG } from '../../../pades/cms/der.ts'
import { readDer } from '../../../pades/cms/der-reader.ts'
import { OID } from '../../../pades/cms/object-identifiers.ts'
import { signedDataTemplate } from '../../../pades/cms/signed-data.ts'
import { validateSignatures } from '../../../pades/validate/validate-signatures.ts'
import { buildPdf, FIRST_EXTRA } from '../../fixtures/pdf.ts'
import { lubos } from '../../fixtures/pki.ts'
import { withEntry } from '../../fixtures/revisions.ts'
import { appendSigned, SIGNATURE } from './foreign-signer.ts'
import { OPTIONS } from './sample.ts'

type MakeContents = (signed: Buffer) => Promise<Uint8Array>

const template = signedDataTemplate(lubos)
const digestOf = (hash: string, octets: Uint8Array) => createHash(hash).update(octets).digest()

const EMPTY_FIELD = '<< /FT /Sig /T (a) /Type /Annot /Subtype /Widget /Rect [0 0 0 0] >>'
const FIELD = withEntry(EMPTY_FIELD, `/V ${SIGNATURE} 0 R`)
const ORIGINAL = buildPdf({
  objects: [EMPTY_FIELD],
  catalog: `/AcroForm << /Fields [${FIRST_EXTRA} 0 R] /SigFlags 3 >>`,
})

/** The report on one signature with contents of another maker. */
async function reportOn(makeContents: MakeContents, subFilter = 'ETSI.CAdES.detached') {
  const objects = { [FIRST_EXTRA]: FIELD }
  const file = await appendSigned(ORIGINAL, objects, { subFilter, makeContents })
  const [signature] = (await validateSignatures(file, OPTIONS)).signatures
  if (!signature) throw new Error('the field shows no signature')
  return signature
}

type Report = Awaited<ReturnType<typeof reportOn>>

const keysOf = ({ errors }: Report) => errors.map(({ key }) => key)

function isIndeterminate(t: Test, report: Report, ...keys: string[]) {
  t.equal(report.indication, 'INDETERMINATE')
  t.same(keysOf(report), keys)
  t.match(report.integrity, { digestMatch: true, signatureValueValid: true })
}

const plain: MakeContents = async (signed) => {
  const attributes = template.signedAttributes(digestOf(template.hash, signed))
  return template.encode(attributes, await lubos.sign(attributes))
}

t.test('the usual form passes', async (t) => {
  t.equal((await reportOn(plain)).indication, 'TOTAL_PASSED')
})

function reversed(attributes: Uint8Array): Uint8Array {
  const children = readDer(attributes).children.map(({ encoded }) => encoded)
  return tlv(TAG.set, Buffer.concat(children.toReversed()))
}

t.test('signed attributes out of order, signed as they are or in order', async (t) => {
  const make =
    (isSignedInOrder: boolean): MakeContents =>
    async (signed) => {
      const sorted = template.signedAttributes(digestOf(template.hash, signed))
      const value = await lubos.sign(isSignedInOrder ? sorted : reversed(sorted))
      return template.encode(reversed(sorted), value)
    }
  for (const isSignedInOrder of [false, true]) {
    isIndeterminate(t, await reportOn(make(isSignedInOrder)), 'SIGNED_ATTRIBUTES_NOT_DER')
  }
  const wrong = await reportOn(async (signed) =>
    template.encode(
      reversed(template.signedAttributes(digestOf(template.hash, signed))),
      await lubos.sign(signed),
    ),
  )
  t.match(wrong, { indication: 'TOTAL_FAILED', subIndication: 'SIG_CRYPTO_FAILURE' })
})

t.test('bytes after the CMS in Contents', async (t) => {
  const followed: MakeContents = async (signed) =>
    Buffer.concat([await plain(signed), Buffer.from('\n')])
  isIndeterminate(t, await reportOn(followed), 'CONTENTS_BYTES_AFTER_CMS')
})

t.test('a kind of signature that is not known', async (t) => {
  const national = 'PBAD.PAdES'
  isIndeterminate(t, await reportOn(plain, national), 'SUB_FILTER_UNKNOWN')
  const altered = await reportOn((signed) => plain(Buffer.from(signed.subarray(1))), national)
  t.match(altered, { indication: 'TOTAL_FAILED', subIndication: 'HASH_FAILURE' })
  const other = await reportOn(async () => Buffer.from('no CMS'), national)
  t.equal(other.indication, 'INDETERMINATE')
  t.same(keysOf(other), ['SUB_FILTER_UNKNOWN'])
})

/** With the SHA-1 digest of the signed bytes inside, and with signed attributes or without. */
const withSha1 =
  (hasAttributes: boolean, forge = (digest: Buffer) => digest): MakeContents =>
  async (signed) => {
    const content = forge(digestOf('sha1', signed))
    const attributes = template.signedAttributes(digestOf(template.hash, content))
    const cms = template.encode(attributes, await lubos.sign(hasAttributes ? attributes : content))
    const signedData = readDer(cms).child(1).child(0)
    const [version, algorithms, , certificates, signers] = signedData.children
    const inside = sequence(
      objectIdentifier(OID.data),
      tlv(TAG.contextConstructed, octetString(content)),
    )
    const parts = signers.child(0).children.map(({ encoded }) => encoded)
    if (!hasAttributes) parts.splice(3, 1)
    return sequence(
      objectIdentifier(OID.signedData),
      tlv(
        TAG.contextConstructed,
        sequence(
          version.encoded,
          algorithms.encoded,
          inside,
          certificates.encoded,
          setOf(sequence(...parts)),
        ),
      ),
    )
  }

t.test('adbe.pkcs7.sha1 is too weak, and wrong only where it is wrong', async (t) => {
  const subFilter = 'adbe.pkcs7.sha1'
  const good = await reportOn(withSha1(true), subFilter)
  isIndeterminate(t, good, 'ALGORITHM_TOO_WEAK')
  t.equal(good.subIndication, 'CRYPTO_CONSTRAINTS_FAILURE')
  const bare = await reportOn(withSha1(false), subFilter)
  isIndeterminate(t, bare, 'SIGNED_ATTRIBUTES_MISSING', 'ALGORITHM_TOO_WEAK')
  const other = (digest: Buffer) => Buffer.from(digest.map((octet) => octet ^ 1))
  for (const hasAttributes of [true, false]) {
    const altered = await reportOn(withSha1(hasAttributes, other), subFilter)
    t.match(altered, { indication: 'TOTAL_FAILED', subIndication: 'HASH_FAILURE' })
  }
  t.equal((await reportOn(withSha1(true))).indication, 'TOTAL_FAILED', 'in another kind')
})
