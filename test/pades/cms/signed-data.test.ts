/** The CMS of a signature is what OpenSSL accepts as CAdES and what RFC 5652 demands. */

import { Buffer } from 'node:buffer'
import { createHash } from 'node:crypto'
import t from 'tap'
import {
  contextConstructed,
  NULL,
  objectIdentifier,
  octetString,
  sequence,
  tlv,
} from '../../../pades/cms/der.ts'
import { readDer } from '../../../pades/cms/der-reader.ts'
import { isDer } from '../../../pades/cms/der-form.ts'
import { OID } from '../../../pades/cms/object-identifiers.ts'
import { signedDataTemplate } from '../../../pades/cms/signed-data.ts'
import {
  algorithmProtectionHolds,
  certificateReference,
  findSignerCertificate,
  readSignedData,
  referenceIsByMd5,
} from '../../../pades/cms/signed-data-reader.ts'
import { readCertificate } from '../../../pades/cms/certificate-reader.ts'
import { checkSigner } from '../../../pades/cms/signer-info.ts'
import type { Identity } from '../../fixtures/pki.ts'
import { curveKey, janka, lubos, root, rsaKey, signer, stamp } from '../../fixtures/pki.ts'
import { AT_TIME, openssl, pem, skip } from './openssl.ts'

const DOCUMENT = Buffer.from('what was signed')

async function signAs(who: Identity, stamped = false): Promise<Uint8Array> {
  const template = signedDataTemplate(who)
  const digest = createHash(template.hash).update(DOCUMENT).digest()
  const attributes = template.signedAttributes(digest)
  const value = await who.sign(attributes)
  const token = stamped ? await stamp(createHash('sha256').update(value).digest()) : undefined
  return template.encode(attributes, value, token)
}

t.test('OpenSSL verifies it as CAdES with each algorithm', { skip }, async (t) => {
  const people = [
    janka,
    await signer('RSA', { key: rsaKey() }),
    await signer('P-384', { key: curveKey('P-384') }),
  ]
  for (const who of people) {
    for (const stamped of [false, true]) {
      const cms = await signAs(who, stamped)
      const { status, output } = openssl(
        { 'cms.der': cms, document: DOCUMENT, 'root.pem': pem(root.certificate) },
        'cms',
        '-verify',
        '-cades',
        '-binary',
        '-inform',
        'DER',
        '-in',
        'cms.der',
        '-content',
        'document',
        '-CAfile',
        'root.pem',
        '-purpose',
        'any',
        ...AT_TIME,
      )
      t.equal(status, 0, `${who.algorithm} ${output}`)
      t.match(output, 'CAdES Verification successful')
      t.ok(isDer(readDer(cms)), 'all of it is DER')
    }
  }
})

t.test('the signed attributes are the four of the baseline, without a signing time', async (t) => {
  const [own] = readSignedData(await signAs(janka)).signers
  t.same(
    [...(own.signedAttributes?.values.keys() ?? [])].sort(),
    [OID.contentType, OID.messageDigest, OID.algorithmProtection, OID.signingCertificateV2].sort(),
  )
  t.ok(own.signedAttributes?.isDer)
  t.ok(algorithmProtectionHolds(own))
  const certificate = readCertificate(janka.certificate)
  t.equal(certificateReference(own.signedAttributes, certificate), 'matches')
  const other = readCertificate(lubos.certificate)
  t.equal(certificateReference(own.signedAttributes, other), 'differs')
})

t.test('the bound on its size holds and is not far off', async (t) => {
  const template = signedDataTemplate(janka)
  const attributes = template.signedAttributes(new Uint8Array(32))
  const token = await stamp(new Uint8Array(32))
  for (let round = 0; round < 50; round++) {
    const size = template.encode(attributes, await janka.sign(attributes), token).length
    t.ok(size <= template.maxBytes(token.length) && size >= template.maxBytes(token.length) - 8)
  }
  t.ok(template.maxBytes(0) < template.maxBytes(1))
})

const problemsOf = (cms: Uint8Array, document = DOCUMENT) => {
  const signedData = readSignedData(cms)
  return checkSigner(signedData, {
    certificate: readCertificate(janka.certificate),
    contentType: OID.data,
    digestOf: (hash) => createHash(hash).update(document).digest(),
  }).problems
}

t.test('a right signer has no problems, and a wrong one the right ones', async (t) => {
  const cms = await signAs(janka)
  t.same(problemsOf(cms), [])
  t.same(problemsOf(cms, Buffer.from('something else')), ['DIGEST_DIFFERS'])
  const value = readSignedData(cms).signers[0].signature
  const at = Buffer.from(cms).indexOf(value)
  const broken = Uint8Array.from(cms)
  broken[at + value.length - 1] ^= 1
  t.same(problemsOf(broken), ['SIGNATURE_VALUE_WRONG'])
})

t.test('signed attributes in another order are refused, be their signature right', async (t) => {
  const template = signedDataTemplate(janka)
  const digest = createHash('sha256').update(DOCUMENT).digest()
  const sorted = template.signedAttributes(digest)
  const children = readDer(sorted).children.map(({ encoded }) => encoded)
  const header = sorted.subarray(0, sorted.length - Buffer.concat(children).length)
  const reversed = Buffer.concat([header, ...children.toReversed()])
  const cms = template.encode(reversed, await janka.sign(reversed))
  t.same(problemsOf(cms), ['SIGNED_ATTRIBUTES_NOT_DER'])
})

t.test('no flipped octet of the signed attributes goes unnoticed', async (t) => {
  const cms = await signAs(janka)
  const { signedAttributes } = readSignedData(cms).signers[0]
  const content = Buffer.from(signedAttributes?.encoded ?? []).subarray(3)
  const start = Buffer.from(cms).indexOf(content)
  t.ok(start > 0)
  for (let at = start; at < start + content.length; at++) {
    const broken = Uint8Array.from(cms)
    broken[at] ^= 1 + (at % 255)
    try {
      if (problemsOf(broken).length === 0) t.fail(`octet ${at - start} was not noticed`)
    } catch (error) {
      t.equal((error as { code?: string }).code, 'BAD_CMS')
    }
  }
})

t.test('of two certificates with one key identifier, the signed reference decides', async (t) => {
  const former = await signer('Renewed')
  const renewed = await signer('Renewed', { key: former.key })
  const [info] = readSignedData(await signAs(renewed)).signers
  const both = [former, renewed].map(({ certificate }) => readCertificate(certificate))
  const keyIdentifier = both[0]!.subjectKeyIdentifier!
  t.same(both[1]!.subjectKeyIdentifier, keyIdentifier)
  const found = (signedAttributes = info!.signedAttributes) =>
    findSignerCertificate({ ...info!, identifier: { keyIdentifier }, signedAttributes }, both)
  t.equal(found(), both[1])
  const none = readSignedData(await signAs(lubos)).signers[0]?.signedAttributes
  t.equal(found(none), both[0], 'without a reference to one of them, the first')
})

/** The encoding with other children of the element to which the indices lead. */
function withChildren(
  der: Uint8Array,
  [index, ...rest]: readonly number[],
  change: (children: Uint8Array[]) => readonly Uint8Array[],
): Uint8Array {
  const { tag, children } = readDer(der)
  const encodings = children.map(({ encoded }) => encoded)
  if (index === undefined) return tlv(tag, ...change(encodings))
  encodings[index] = withChildren(encodings[index]!, rest, change)
  return tlv(tag, ...encodings)
}

t.test('a container with more than its type has is not read', async (t) => {
  const cms = await signAs(janka)
  const again = (children: Uint8Array[]) => [...children, children[0]!]
  const inside = [octetString(DOCUMENT), octetString(Buffer.from('something else'))]
  const odd: Readonly<Record<string, Uint8Array>> = {
    'two SignedData': withChildren(cms, [1], again),
    'two contents': withChildren(cms, [1, 0, 2], (own) => [
      ...own,
      contextConstructed(0, ...inside),
    ]),
    'more than a content': withChildren(cms, [1, 0, 2], (own) => [
      ...own,
      contextConstructed(0, octetString(DOCUMENT)),
      NULL,
    ]),
    'more than issuer and serial number': withChildren(cms, [1, 0, 4, 0, 1], again),
    'more than an algorithm': withChildren(cms, [1, 0, 4, 0, 2], (own) => [...own, NULL, NULL]),
  }
  for (const [what, der] of Object.entries(odd)) {
    t.throws(() => readSignedData(der), { code: 'BAD_CMS' }, what)
  }
})

t.test('the digest of the signer is one of those that the container announces', async (t) => {
  const cms = await signAs(janka)
  t.same(problemsOf(withChildren(cms, [1, 0, 1], () => [])), ['ALGORITHMS_DISAGREE'])
})

t.test('an algorithm of a signer that cannot be read is a problem, not an error', async (t) => {
  const cms = await signAs(janka)
  const odd = sequence(objectIdentifier(OID.sha256), NULL, NULL)
  const pss = sequence(objectIdentifier(OID.rsaPss), sequence(contextConstructed(0, odd)))
  const asPss = withChildren(cms, [1, 0, 4, 0], (own) => own.with(4, pss))
  t.same(problemsOf(asPss), ['SIGNATURE_ALGORITHM_UNKNOWN', 'ALGORITHMS_DISAGREE'])
  const { signedAttributes } = readSignedData(cms).signers[0]!
  const [value] = signedAttributes!.values.get(OID.signingCertificateV2)!
  const der = withChildren(value!.encoded, [0, 0], (own) => [odd, ...own])
  const values = new Map(signedAttributes!.values).set(OID.signingCertificateV2, [readDer(der)])
  t.equal(referenceIsByMd5({ ...signedAttributes!, values }), false)
})

t.test('a reference to the certificate with more than its type has refers to none', async (t) => {
  const certificate = readCertificate(janka.certificate)
  const own = readSignedData(await signAs(janka)).signers[0]!.signedAttributes!
  const [value] = own.values.get(OID.signingCertificateV2)!
  const changed = (path: readonly number[]) => {
    const der = withChildren(value!.encoded, path, (children) => [...children, NULL, NULL])
    const values = new Map([[OID.signingCertificateV2, [readDer(der)]]])
    return certificateReference({ ...own, values }, certificate)
  }
  t.equal(certificateReference(own, certificate), 'matches')
  t.equal(changed([]), 'differs', 'behind the policies')
  t.equal(changed([0, 0]), 'differs', 'behind the issuer')
})
