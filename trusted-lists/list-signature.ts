/**
 * Verifies the enveloped XAdES signature of a trusted list (ETSI TS 119 612, annex B) and returns
 * only the signed content: the octets that were digested, parsed again.
 */
import { Buffer } from 'node:buffer'
import { createHash, webcrypto } from 'node:crypto'
import { DOMParser, XMLSerializer } from '@xmldom/xmldom'
import { Application, Parse, SignedXml } from 'xadesjs'
import { setNodeDependencies } from 'xml-core'
import { type Certificate, readCertificate } from '../pades/index.ts'
import { TrustedListError } from './errors.ts'
import { childrenOf, decodeXml, descendants, readXml, type XmlElement } from './xml.ts'

setNodeDependencies({ DOMParser, XMLSerializer })
Application.setEngine('WebCrypto', webcrypto as unknown as Crypto)

const XMLDSIG = 'http://www.w3.org/2000/09/xmldsig#'
const XADES = 'http://uri.etsi.org/01903/v1.3.2#'
const SIGNED_PROPERTIES_TYPE = 'http://uri.etsi.org/01903#SignedProperties'
const ENVELOPED = `${XMLDSIG}enveloped-signature`
const EXCLUSIVE = 'http://www.w3.org/2001/10/xml-exc-c14n#'
const MORE = 'http://www.w3.org/2001/04/xmldsig-more#'
const PSS = 'http://www.w3.org/2007/05/xmldsig-more#'

/** Hash functions in `node:crypto`, by the identifier of the digest method. */
const DIGESTS: Readonly<Record<string, string>> = {
  'http://www.w3.org/2001/04/xmlenc#sha256': 'sha256',
  [`${MORE}sha384`]: 'sha384',
  'http://www.w3.org/2001/04/xmlenc#sha512': 'sha512',
}

/**
 * Older lists reference their certificate by SHA-1. That is only a hint, because the whole
 * certificate is compared.
 */
const CERTIFICATE_DIGESTS: typeof DIGESTS = { ...DIGESTS, [`${XMLDSIG}sha1`]: 'sha1' }

interface KeyKind {
  /** Value of `asymmetricKeyType`. */
  type: 'rsa' | 'ec'
  algorithm: { name: string; hash: string; saltLength?: number }
}

const kinds = (suffix: string, hash: string, saltLength: number): [string, KeyKind][] => [
  [`${MORE}rsa-${suffix}`, { type: 'rsa', algorithm: { name: 'RSASSA-PKCS1-v1_5', hash } }],
  [`${MORE}ecdsa-${suffix}`, { type: 'ec', algorithm: { name: 'ECDSA', hash } }],
  [`${PSS}${suffix}-rsa-MGF1`, { type: 'rsa', algorithm: { name: 'RSA-PSS', hash, saltLength } }],
]

/** SHA-1, DSA and HMAC are excluded. */
const SIGNATURE_METHODS: ReadonlyMap<string, KeyKind> = new Map([
  ...kinds('sha256', 'SHA-256', 32),
  ...kinds('sha384', 'SHA-384', 48),
  ...kinds('sha512', 'SHA-512', 64),
])

const CURVES: Readonly<Record<string, string>> = {
  prime256v1: 'P-256',
  secp384r1: 'P-384',
  secp521r1: 'P-521',
}

/**
 * Maximum number of certificates that a pointer names for one list; real pointers name about ten.
 */
const MAXIMUM_SIGNERS = 100

/** A list with a valid signature, and its signer. */
export interface VerifiedXml {
  /** Root of the signed content, without the signature. */
  root: XmlElement
  signer: Certificate
  /** Lower-case hex, over the octets of the file. */
  sha256: string
}

const wrongForm = (detail: string) => new TrustedListError('SIGNATURE_FORM', detail)

/** Records the octets that the library digests, so that only these are parsed. */
class WatchedSignedXml extends SignedXml {
  readonly digested: string[] = []
  signedInfo = ''

  protected override ApplyTransforms(
    ...[transforms, input]: Parameters<SignedXml['ApplyTransforms']>
  ): string {
    const output: unknown = super.ApplyTransforms(transforms, input)
    if (typeof output !== 'string') throw wrongForm('a transform does not return text')
    this.digested.push(output)
    return output
  }

  protected override TransformSignedInfo(
    ...[data]: Parameters<SignedXml['TransformSignedInfo']>
  ): string {
    this.signedInfo = super.TransformSignedInfo(data)
    return this.signedInfo
  }
}

const only = (element: XmlElement, namespace: string, name: string): XmlElement => {
  const [child, ...others] = childrenOf(element, namespace, name)
  if (!child || others.length > 0) throw wrongForm(`not exactly one ${name}`)
  return child
}

const attribute = (element: XmlElement, name: string) => element.attributes.get(name)

/** Returns the algorithm of an element, which must not have parameters. */
function algorithmOf(element: XmlElement): string {
  if (element.children.length > 0) throw wrongForm('an algorithm has parameters')
  return attribute(element, 'Algorithm') ?? ''
}

const transformsOf = (reference: XmlElement): string[] =>
  childrenOf(reference, XMLDSIG, 'Transforms').flatMap((transforms) =>
    transforms.children.map((transform) => {
      if (transform.name !== 'Transform') throw wrongForm('unknown element in Transforms')
      return algorithmOf(transform)
    }),
  )

interface SignatureForm {
  method: KeyKind
  /** Digest of the list itself. */
  digestMethod: string
  digestValue: string
}

/**
 * Checks that every `Id` is unique (regardless of the attribute's case), so that a reference is
 * unambiguous.
 *
 * @throws TrustedListError `SIGNATURE_FORM`
 */
function assertIdsUnique(root: XmlElement): void {
  const seen = new Set<string>()
  for (const { attributes } of descendants(root)) {
    for (const [name, value] of attributes) {
      if (!/^(\{.*\})?id$/i.test(name)) continue
      if (seen.has(value)) throw wrongForm('duplicate Id')
      seen.add(value)
    }
  }
}

/** Returns the only signature, which must be a child of the root. */
function signatureOf(root: XmlElement): XmlElement {
  const all = [...descendants(root)].filter(
    ({ name, namespace }) => name === 'Signature' && namespace === XMLDSIG,
  )
  const [signature, ...others] = all
  if (!signature || others.length > 0) throw new TrustedListError('SIGNATURE_MISSING')
  if (!root.children.includes(signature))
    throw wrongForm('the signature is not a child of the root')
  return signature
}

/** Returns the signed properties of this signature, which its second reference must name. */
function signedPropertiesOf(signature: XmlElement): XmlElement {
  const objects = childrenOf(signature, XMLDSIG, 'Object')
  const properties = objects.flatMap((object) => childrenOf(object, XADES, 'QualifyingProperties'))
  if (properties.length !== 1) throw wrongForm('not exactly one QualifyingProperties')
  return only(properties[0] as XmlElement, XADES, 'SignedProperties')
}

/** Reads `SignedInfo` and checks that it has the form that trusted lists may have. */
function formOf(signedInfo: XmlElement, root: XmlElement, properties: XmlElement): SignatureForm {
  const canonicalization = algorithmOf(only(signedInfo, XMLDSIG, 'CanonicalizationMethod'))
  if (canonicalization !== EXCLUSIVE) throw wrongForm('canonicalization')
  const method = SIGNATURE_METHODS.get(algorithmOf(only(signedInfo, XMLDSIG, 'SignatureMethod')))
  if (!method) throw wrongForm('signature method')
  const references = childrenOf(signedInfo, XMLDSIG, 'Reference')
  const isOfProperties = (it: XmlElement) => attribute(it, 'Type') === SIGNED_PROPERTIES_TYPE
  const [list, ...otherLists] = references.filter((it) => !isOfProperties(it))
  const [ofProperties, ...otherProperties] = references.filter(isOfProperties)
  if (!list || !ofProperties || otherLists.length > 0 || otherProperties.length > 0) {
    throw wrongForm('expected one reference to the list and one to the signed properties')
  }
  const rootId = attribute(root, 'Id')
  const uri = attribute(list, 'URI')
  if (uri !== '' && (rootId === undefined || uri !== `#${rootId}`)) {
    throw wrongForm('the first reference is not to the whole list')
  }
  if (transformsOf(list).join(' ') !== `${ENVELOPED} ${EXCLUSIVE}`) throw wrongForm('transforms')
  const propertiesId = attribute(properties, 'Id')
  if (propertiesId === undefined || attribute(ofProperties, 'URI') !== `#${propertiesId}`) {
    throw wrongForm('the second reference is not to the signed properties')
  }
  if (!['', EXCLUSIVE].includes(transformsOf(ofProperties).join(' '))) throw wrongForm('transforms')
  for (const reference of references) {
    const digestMethod = algorithmOf(only(reference, XMLDSIG, 'DigestMethod'))
    if (!Object.hasOwn(DIGESTS, digestMethod)) throw wrongForm('digest method')
  }
  return {
    method,
    digestMethod: DIGESTS[algorithmOf(only(list, XMLDSIG, 'DigestMethod'))] as string,
    digestValue: only(list, XMLDSIG, 'DigestValue').text,
  }
}

const base64 = (text: string) => new Uint8Array(Buffer.from(text.replace(/\s/g, ''), 'base64'))

/** Returns the signer's certificate from `KeyInfo`, which must be one of the named certificates. */
function namedSigner(signature: XmlElement, named: readonly Uint8Array[]): Certificate {
  if (named.length > MAXIMUM_SIGNERS) throw new TrustedListError('LIMIT_EXCEEDED', 'signers')
  const keyInfo = only(signature, XMLDSIG, 'KeyInfo')
  const offered = childrenOf(keyInfo, XMLDSIG, 'X509Data')
    .flatMap((data) => childrenOf(data, XMLDSIG, 'X509Certificate'))
    .map(({ text }) => base64(text))
  // The first certificate is the signer's; any others belong to its chain.
  const own = offered[0]
  const found = own && named.find((der) => Buffer.compare(der, own) === 0)
  if (!found) throw new TrustedListError('SIGNER_NOT_NAMED')
  try {
    return readCertificate(found)
  } catch (cause) {
    throw new TrustedListError('SIGNER_NOT_NAMED', 'the named certificate cannot be parsed', {
      cause,
    })
  }
}

/**
 * XAdES: the signed properties must contain the digest of the certificate (EN 319 132-1, 5.2.2).
 */
function assertNamesCertificate(properties: XmlElement, { der }: Certificate): void {
  const digests = [...descendants(properties)]
    .filter(({ name, namespace }) => name === 'CertDigest' && namespace === XADES)
    .map((element) => ({
      hash: CERTIFICATE_DIGESTS[
        attribute(only(element, XMLDSIG, 'DigestMethod'), 'Algorithm') ?? ''
      ],
      value: base64(only(element, XMLDSIG, 'DigestValue').text),
    }))
  const isOwn = ({ hash, value }: (typeof digests)[number]) =>
    hash !== undefined && Buffer.compare(createHash(hash).update(der).digest(), value) === 0
  if (!digests.some(isOwn)) throw wrongForm('the signed properties name another certificate')
}

/** Has the library verify all digests and the signature value with only this key. */
async function verifiedBy(
  text: string,
  { publicKey, publicKeySpki }: Certificate,
  { type, algorithm }: KeyKind,
): Promise<WatchedSignedXml> {
  if (publicKey.asymmetricKeyType !== type) throw new TrustedListError('SIGNATURE_WRONG')
  const namedCurve = CURVES[publicKey.asymmetricKeyDetails?.namedCurve ?? '']
  if (type === 'ec' && namedCurve === undefined) throw wrongForm('curve')
  const parameters = { ...algorithm, hash: { name: algorithm.hash }, namedCurve }
  const usages: KeyUsage[] = ['verify']
  const spki = new Uint8Array(publicKeySpki)
  const document = Parse(text)
  const signature = document.getElementsByTagNameNS(XMLDSIG, 'Signature')[0]
  const signed = new WatchedSignedXml(document)
  if (!signature) throw new TrustedListError('SIGNATURE_MISSING')
  signed.LoadXml(signature)
  // The library imports the key again with this value and would not know the curve.
  signed.Algorithm = parameters as unknown as Algorithm
  const key = await webcrypto.subtle.importKey('spki', spki, parameters as never, true, usages)
  if (!(await signed.Verify(key as unknown as CryptoKey)))
    throw new TrustedListError('SIGNATURE_WRONG')
  return signed
}

/** Parses the octets from which the digest of the list was computed. */
function signedRoot({ digested }: WatchedSignedXml, form: SignatureForm): XmlElement {
  const covered = digested.find(
    (text) => createHash(form.digestMethod).update(text).digest('base64') === form.digestValue,
  )
  if (covered === undefined) throw new TrustedListError('SIGNATURE_WRONG')
  return readXml(covered)
}

/**
 * Verifies a signed list: exactly one signature, enveloped in the root that it covers entirely,
 * made by one of the named certificates.
 *
 * @param octets the file
 * @param named DER certificates that may sign it
 * @returns the signed content; it contains nothing that the signature does not cover
 * @throws TrustedListError `MALFORMED_XML`, `DTD_FORBIDDEN`, `LIMIT_EXCEEDED`, `SIGNATURE_MISSING`,
 *   `SIGNATURE_FORM`, `SIGNER_NOT_NAMED`, `SIGNATURE_WRONG`
 */
export async function verifyListSignature(
  octets: Uint8Array,
  named: readonly Uint8Array[],
): Promise<VerifiedXml> {
  const text = decodeXml(octets)
  const root = readXml(text)
  assertIdsUnique(root)
  const signature = signatureOf(root)
  const properties = signedPropertiesOf(signature)
  const { method } = formOf(only(signature, XMLDSIG, 'SignedInfo'), root, properties)
  const signer = namedSigner(signature, named)
  assertNamesCertificate(properties, signer)
  try {
    const signed = await verifiedBy(text, signer, method)
    // Checks the form again, in the octets that were signed.
    const form = formOf(readXml(signed.signedInfo), root, properties)
    return {
      root: signedRoot(signed, form),
      signer,
      sha256: createHash('sha256').update(octets).digest('hex'),
    }
  } catch (cause) {
    if (cause instanceof TrustedListError) throw cause
    throw new TrustedListError('SIGNATURE_WRONG', undefined, { cause })
  }
}
