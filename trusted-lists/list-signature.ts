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
import {
  assertIdsUnique,
  attribute,
  CERTIFICATE_DIGESTS,
  formOf,
  type KeyKind,
  only,
  signatureOf,
  type SignatureForm,
  signedPropertiesOf,
  wrongForm,
  XADES,
  XMLDSIG,
} from './signature-form.ts'
import { childrenOf, decodeXml, descendants, readXml, type XmlElement } from './xml.ts'

setNodeDependencies({ DOMParser, XMLSerializer })
Application.setEngine('WebCrypto', webcrypto as unknown as Crypto)

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
