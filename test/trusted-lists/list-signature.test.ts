import { Buffer } from 'node:buffer'
import { constants, generateKeyPairSync, sign } from 'node:crypto'
import t from 'tap'
import { importKey } from '../../pades/index.ts'
import { TrustedListError, type TrustedListErrorCode } from '../../trusted-lists/errors.ts'
import { verifyListSignature } from '../../trusted-lists/list-signature.ts'
import { readTrustedList } from '../../trusted-lists/read-list.ts'
import { oddIdentity } from '../fixtures/odd-bit-string.ts'
import { identity } from '../fixtures/pki.ts'
import { base64, listSigner, listText, octetsOf, signList } from '../fixtures/trusted-lists.ts'

const signer = await listSigner('Operator')
const stranger = await listSigner('Stranger')
const named = [signer.certificate]
const text = listText()
const good = await signList(text, signer)

const verify = (file: string, certificates = named) =>
  verifyListSignature(octetsOf(file), certificates)

async function findCode(
  file: string,
  certificates = named,
): Promise<TrustedListErrorCode | 'none'> {
  try {
    await verify(file, certificates)
    return 'none'
  } catch (error) {
    if (error instanceof TrustedListError) return error.code
    throw error
  }
}

const SIGNATURE = /<ds:Signature .*<\/ds:Signature>/
const signatureOf = (file: string) => SIGNATURE.exec(file)?.[0] ?? ''
const withoutRoot = (file: string) => file.replace(/^<TrustServiceStatusList[^>]*>/, '')
const readSequence = async (file: string) =>
  readTrustedList((await verify(file)).root).header.sequence

t.test('a list that is signed by a named key is read, by ECDSA and RSA', async (t) => {
  const { root, signer: found, sha256 } = await verify(good)
  t.equal(Buffer.compare(found.der, signer.certificate), 0)
  t.match(sha256, /^[0-9a-f]{64}$/)
  t.match(readTrustedList(root).header, { territory: 'SK', sequence: 7, version: 6 })
  const rsa = await listSigner('RSA', true)
  t.equal(await findCode(await signList(text, rsa), [rsa.certificate]), 'none')
  t.equal(await findCode(await signList(text, signer, { uri: '#list' })), 'none')
})

t.test('a signer is read whose own certificate has a signature with unused bits', async (t) => {
  const odd = oddIdentity(signer)
  t.equal(await findCode(await signList(text, odd), [odd.certificate]), 'none')
})

t.test('RSA-PSS is verified as well, with the salt that its name says', async (t) => {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const key = importKey(new Uint8Array(privateKey.export({ type: 'pkcs8', format: 'der' })))
  const rsa = await identity({ key })
  const method = 'http://www.w3.org/2007/05/xmldsig-more#sha256-rsa-MGF1'
  const signed = (saltLength: number) => {
    const padding = constants.RSA_PKCS1_PSS_PADDING
    const pss = (data: Uint8Array) => sign('sha256', data, { key: privateKey, padding, saltLength })
    return signList(text, { ...rsa, sign: pss }, { method })
  }
  t.equal(await findCode(await signed(32), [rsa.certificate]), 'none')
  t.equal(await findCode(await signed(20), [rsa.certificate]), 'SIGNATURE_WRONG')
})

t.test('what is not covered cannot be read: there is no signature in what is given', async (t) => {
  const { root } = await verify(good)
  t.same(
    root.children.map(({ name }) => name),
    ['SchemeInformation', 'TrustServiceProviderList'],
  )
})

t.test('altered text, a swapped element, a flipped attribute and a cut file fail', async (t) => {
  const altered: Record<string, string> = {
    text: good.replace('Test Provider', 'Best Provider'),
    sequence: good.replace('<TSLSequenceNumber>7', '<TSLSequenceNumber>8'),
    element: good.replace(
      /(<SchemeTerritory>.*?<\/SchemeTerritory>)(<PointersToOtherTSL>.*?<\/PointersToOtherTSL>)/,
      '$2$1',
    ),
    attribute: good.replace('TSLTag="http://', 'TSLTag="https://'),
    language: good.replace('xml:lang="sk"', 'xml:lang="cs"'),
    namespace: good.replace('xmlns="http://uri.etsi.org/02231/v2#"', 'xmlns="http://x/"'),
    properties: good.replace('2026-05-01T10:00:00Z</xades', '2026-05-02T10:00:00Z</xades'),
    signed: good.replace(/(<ds:DigestValue>)./, '$1A'),
    value: good.replace(/<ds:SignatureValue>.{8}/, '<ds:SignatureValue>AAAAAAAA'),
  }
  for (const [name, file] of Object.entries(altered)) {
    t.not(file, good, name)
    t.equal(await findCode(file), 'SIGNATURE_WRONG', name)
  }
  for (const share of [0.1, 0.5, 0.99]) {
    t.equal(await findCode(good.slice(0, good.length * share)), 'MALFORMED_XML')
  }
})

t.test('a key that no list names is refused, whatever certificate is shown', async (t) => {
  t.equal(await findCode(await signList(text, stranger)), 'SIGNER_NOT_NAMED')
  // The stranger's key with the operator's certificate.
  const shown = { shown: signer.certificate }
  t.equal(await findCode(await signList(text, stranger, shown)), 'SIGNATURE_FORM')
  const impostor = { ...stranger, certificate: signer.certificate }
  t.equal(await findCode(await signList(text, impostor)), 'SIGNATURE_WRONG')
  t.equal(await findCode(good, []), 'SIGNER_NOT_NAMED')
  const noCertificate = Buffer.from('not a certificate')
  const byNobody = await signList(text, { ...signer, certificate: noCertificate })
  t.equal(await findCode(byNobody, [noCertificate]), 'SIGNER_NOT_NAMED')
  // The stranger's certificate is included as well.
  const further = `</ds:X509Data><ds:X509Data><ds:X509Certificate>${base64(stranger.certificate)}`
  const both = (await signList(text, impostor)).replace(
    '</ds:X509Data>',
    `${further}</ds:X509Certificate>$&`,
  )
  t.equal(await findCode(both), 'SIGNATURE_WRONG')
  t.equal(await findCode(both, [signer.certificate, stranger.certificate]), 'SIGNATURE_WRONG')
})

t.test('wrapped lists are refused, or what is read is what was signed', async (t) => {
  const evil = listText({ sequence: 666 })
  const signature = signatureOf(good)
  const inRoot = (inner: string) => evil.replace('</TrustServiceStatusList>', `${inner}$&`)
  const wrapped: Record<string, string> = {
    'the signed list inside the signature': inRoot(
      signature.replace('</ds:Signature>', `<ds:Object>${text}</ds:Object></ds:Signature>`),
    ),
    'the signed list as a child': inRoot(text + signature),
    'the whole signed file as a child': inRoot(good),
    'the signed file in an extension': evil.replace('<TSPServices>', `$&${good}`),
    'the signature moved below': good
      .replace(signature, '')
      .replace('<TSPServices>', `$&${signature}`),
    'two signatures': good.replace(signature, signature + signature),
    'a second root': good + evil,
    'another root around':
      `<TrustServiceStatusList xmlns="http://uri.etsi.org/02231/v2#">` +
      `${good}</TrustServiceStatusList>`,
    'the signature alone': signature,
    'no signature': text,
    'the start of another': evil.replace(/<\/TrustServiceStatusList>$/, withoutRoot(good)),
  }
  for (const [name, file] of Object.entries(wrapped)) {
    t.not(await findCode(file), 'none', name)
  }
})

t.test('a signature below the root is refused whatever it covers', async (t) => {
  const moved = good
    .replace(signatureOf(good), '')
    .replace('<TSPServices>', `$&${signatureOf(good)}`)
  t.equal(await findCode(moved), 'SIGNATURE_FORM')
})

t.test('a reference to anything but the root is refused, by a named key as well', async (t) => {
  for (const uri of [
    '#properties',
    '#other',
    '#xpointer(/)',
    "#xpointer(id('list'))",
    'file.xml',
  ]) {
    t.equal(await findCode(await signList(text, signer, { uri })), 'SIGNATURE_FORM', uri)
  }
  const twin = text.replace('<SchemeInformation>', '<SchemeInformation Id="list">')
  t.equal(await findCode(await signList(twin, signer, { uri: '#list' })), 'SIGNATURE_FORM')
  const lower = text.replace('<SchemeInformation>', '<SchemeInformation id="properties">')
  t.equal(await findCode(await signList(lower, signer)), 'SIGNATURE_FORM')
})

t.test('other transforms, methods and further references are refused', async (t) => {
  const XMLDSIG = 'http://www.w3.org/2000/09/xmldsig#'
  const EXCLUSIVE = 'http://www.w3.org/2001/10/xml-exc-c14n#'
  for (const transforms of [
    [EXCLUSIVE],
    [`${XMLDSIG}enveloped-signature`],
    [EXCLUSIVE, `${XMLDSIG}enveloped-signature`],
    [`${XMLDSIG}enveloped-signature`, 'http://www.w3.org/TR/1999/REC-xpath-19991116', EXCLUSIVE],
    [`${XMLDSIG}enveloped-signature`, `${EXCLUSIVE}WithComments`],
    [`${XMLDSIG}enveloped-signature`, `${XMLDSIG}base64`, EXCLUSIVE],
  ]) {
    t.equal(await findCode(await signList(text, signer, { transforms })), 'SIGNATURE_FORM')
  }
  const changed: Record<string, string> = {
    hmac: good.replace(/[^"]*ecdsa-sha256/, `${XMLDSIG}hmac-sha1`),
    sha1: good.replace(/[^"]*ecdsa-sha256/, `${XMLDSIG}rsa-sha1`),
    digest: good.replace('http://www.w3.org/2001/04/xmlenc#sha256', `${XMLDSIG}sha1`),
    canonicalization: good.replace(EXCLUSIVE, 'http://www.w3.org/TR/2001/REC-xml-c14n-20010315'),
    prefixes: good.replace(
      `Transform Algorithm="${EXCLUSIVE}">`,
      `$&<e:InclusiveNamespaces xmlns:e="${EXCLUSIVE}" PrefixList="ds"></e:InclusiveNamespaces>`,
    ),
  }
  for (const [name, file] of Object.entries(changed)) {
    t.not(file, good, name)
    t.equal(await findCode(file), 'SIGNATURE_FORM', name)
  }
  const [reference = ''] = /<ds:Reference URI="">.*?<\/ds:Reference>/.exec(good) ?? []
  const twice = await signList(text, signer, { moreReferences: reference })
  t.equal(await findCode(twice), 'SIGNATURE_FORM')
})

t.test('comments, character sections and line ends change nothing that is read', async (t) => {
  const commented = good.replace('<TSLSequenceNumber>7', '<TSLSequenceNumber><!-- 8 -->7<!---->')
  t.equal(await readSequence(commented), 7)
  const section = good.replace('Test Provider', '<![CDATA[Test Provider]]>')
  t.equal(await findCode(section), 'none')
  const added = good.replace('<TSLSequenceNumber>7', '<TSLSequenceNumber>7<![CDATA[8]]>')
  t.equal(await findCode(added), 'SIGNATURE_WRONG')
})

t.test('a namespace that smuggles markup into the canonical form is refused', async (t) => {
  const smuggled = good.replace(
    '<SchemeInformation>',
    '<SchemeInformation xmlns:a="x&quot; b=&quot;y">',
  )
  t.equal(await findCode(smuggled), 'MALFORMED_XML')
})
