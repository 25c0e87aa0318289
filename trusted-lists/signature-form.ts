/** The form that signatures of trusted lists must have (ETSI TS 119 612, annex B). */
import { TrustedListError } from './errors.ts'
import { childrenOf, descendants, type XmlElement } from './xml.ts'

/** Namespaces (W3C XML Signature, ETSI EN 319 132-1). */
export const XMLDSIG = 'http://www.w3.org/2000/09/xmldsig#'
export const XADES = 'http://uri.etsi.org/01903/v1.3.2#'
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
export const CERTIFICATE_DIGESTS: typeof DIGESTS = { ...DIGESTS, [`${XMLDSIG}sha1`]: 'sha1' }

export interface KeyKind {
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

/** @returns the error of a signature that has another form */
export const wrongForm = (detail: string) => new TrustedListError('SIGNATURE_FORM', detail)

/** @throws TrustedListError `SIGNATURE_FORM` when there is not exactly one such child */
export const only = (element: XmlElement, namespace: string, name: string): XmlElement => {
  const [child, ...others] = childrenOf(element, namespace, name)
  if (!child || others.length > 0) throw wrongForm(`not exactly one ${name}`)
  return child
}

/** The value of an attribute, if the element has it. */
export const attribute = (element: XmlElement, name: string) => element.attributes.get(name)

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

/** What was read of a signature whose form is permitted. */
export interface SignatureForm {
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
export function assertIdsUnique(root: XmlElement): void {
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
export function signatureOf(root: XmlElement): XmlElement {
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
export function signedPropertiesOf(signature: XmlElement): XmlElement {
  const objects = childrenOf(signature, XMLDSIG, 'Object')
  const properties = objects.flatMap((object) => childrenOf(object, XADES, 'QualifyingProperties'))
  if (properties.length !== 1) throw wrongForm('not exactly one QualifyingProperties')
  return only(properties[0] as XmlElement, XADES, 'SignedProperties')
}

/** Reads `SignedInfo` and checks that it has the form that trusted lists may have. */
export function formOf(
  signedInfo: XmlElement,
  root: XmlElement,
  properties: XmlElement,
): SignatureForm {
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
