/** Signs an XML report: XAdES baseline B, enveloped (ETSI EN 319 132-1). */
import { Buffer } from 'node:buffer'
import { webcrypto } from 'node:crypto'
import { DOMParser, XMLSerializer } from '@xmldom/xmldom'
import { Application, Parse, SignedXml } from 'xadesjs'
import { setNodeDependencies, Stringify } from 'xml-core'
import type { SigningDevice, SigningKeyInfo } from '../../domain/ports/signing.ts'
import { plainEcdsaValue } from '../../pades/index.ts'
import { XML_DECLARATION } from './etsi-report.ts'
import { algorithmUri, NAMESPACES } from './etsi-names.ts'

setNodeDependencies({ DOMParser, XMLSerializer })
Application.setEngine('WebCrypto', webcrypto as unknown as Crypto)

type KeyAlgorithm = SigningKeyInfo['algorithm']

/** Octets of r and of s. */
const EC_OCTETS: Partial<Record<KeyAlgorithm, number>> = {
  'ecdsa-p256-sha256': 32,
  'ecdsa-p384-sha384': 48,
}

const XMLDSIG = NAMESPACES['xmlns:ds']
const EXCLUSIVE_CANONICALISATION = 'http://www.w3.org/2001/10/xml-exc-c14n#'
/** For the digests of the references, and the hint of the library for the signed properties. */
const DIGEST = { name: 'SHA-256' }

/** @param algorithm such as `ecdsa-p256-sha256` or `rsa-pss-sha512` */
const methodOf = (algorithm: KeyAlgorithm) =>
  algorithmUri(algorithm.replace(/-p\d+-/, '-').replace('-pkcs1-', '-'))

/** Has the library build the signature, and a device make its value. */
class DeviceSignedXml extends SignedXml {
  /**
   * @param method identifier of the signature algorithm
   * @param root element that is signed as a whole
   * @param sign makes the signature value over the canonical `SignedInfo`
   */
  async signWith(
    method: string,
    root: Element,
    options: Parameters<SignedXml['Sign']>[3],
    sign: (signedInfo: Uint8Array) => Promise<Uint8Array>,
  ): Promise<Element> {
    // The library needs a key only for its algorithm, whose hash it takes for the digests.
    const algorithm = { name: 'ECDSA', hash: DIGEST }
    const key = { algorithm } as unknown as CryptoKey
    await this.ApplySignOptions(this.XmlSignature, algorithm, key, options ?? {})
    const { SignedInfo } = this.XmlSignature
    SignedInfo.CanonicalizationMethod.Algorithm = EXCLUSIVE_CANONICALISATION
    SignedInfo.SignatureMethod.Algorithm = method
    await this.DigestReferences(root)
    const signedInfo = this.TransformSignedInfo(root)
    this.XmlSignature.SignatureValue = await sign(new TextEncoder().encode(signedInfo))
    return this.GetXml() as Element
  }
}

/**
 * Moves all certificates into one `X509Data`, so that programs build one path from them. The
 * library writes one element for each certificate. The signature does not cover `KeyInfo`.
 */
function joinCertificates(signature: Element): void {
  const [first, ...others] = Array.from(signature.getElementsByTagNameNS(XMLDSIG, 'X509Data'))
  for (const other of others) {
    first.appendChild(other.firstChild as Node)
    other.parentNode?.removeChild(other)
  }
}

/** The key that signs reports. */
const KEY = 'seal'

/**
 * Signs an XML document with the seal of the service. The signature is the last child of the root.
 *
 * @param write returns the document element for the DER certificate of the signer
 * @param signedAt claimed signing time
 * @returns UTF-8 octets of the file
 * @throws KeyRefusedError; Error when the device cannot be reached
 */
export async function signXml(
  write: (signer: Uint8Array) => string,
  device: SigningDevice,
  signedAt: Date,
): Promise<Uint8Array> {
  const { algorithm, certificates } = await device.describe(KEY)
  const [own] = certificates as [Uint8Array]
  const document = Parse(write(own))
  const root = document.documentElement
  const options = {
    references: [{ uri: '', hash: DIGEST, transforms: ['enveloped', 'exc-c14n'] }],
    // The root is left out: who verifies must have it anyway.
    x509: certificates.slice(0, -1).map((der) => Buffer.from(der).toString('base64')),
    signingCertificateV2: Buffer.from(own).toString('base64'),
    signingTime: { value: signedAt },
  }
  const octets = EC_OCTETS[algorithm]
  const signature = await new DeviceSignedXml(document).signWith(
    methodOf(algorithm),
    root,
    options,
    async (signedInfo) => {
      const value = await device.sign(KEY, signedInfo)
      return octets === undefined ? value : plainEcdsaValue(value, octets)
    },
  )
  joinCertificates(signature)
  root.appendChild(document.importNode(signature, true))
  return new TextEncoder().encode(`${XML_DECLARATION}${Stringify(root)}\n`)
}
