/** What is asked of the signing of one document, and what comes back (ETSI EN 319 142-1, 6.3). */
import type { SignatureAppearance } from '../appearance/appearance.ts'
import type { Placement as PlacementOnPage } from '../appearance/geometry.ts'
import type { CmsAlgorithm } from '../cms/algorithms.ts'
import type { RevocationData } from '../cms/revocation.ts'

/** A rectangle on a page as displayed, from its top left corner, y downwards. */
export interface Placement extends PlacementOnPage {
  /** From 1. */
  readonly page: number
}

/** A key that signs, and the certificates that vouch for it. */
export interface Credential {
  /** DER, the signer's first, then its issuers. */
  readonly certificates: readonly Uint8Array[]
  readonly algorithm: CmsAlgorithm
  /**
   * @param signedAttributes DER SET OF Attribute; hashed by the algorithm's own hash function
   * @returns the signature value: DER `Ecdsa-Sig-Value`, or the RSA block
   */
  sign(signedAttributes: Uint8Array): Promise<Uint8Array> | Uint8Array
}

export interface SignerRequest {
  /**
   * Name of the signature field; full stops become hyphens, and a name that is taken gets a number.
   */
  readonly fieldName: string
  /** Who signs, as `/Name` says it. */
  readonly name: string
  readonly reason?: string
  readonly location?: string
  /** At least one; the first is the signature field, the others show the same drawing. */
  readonly places: readonly Placement[]
  readonly appearance: SignatureAppearance
  /** Asked for once, at the same time as those of the other signers. */
  readonly credential: () => Promise<Credential> | Credential
}

/** The invisible signature of the service itself, which comes last. */
export interface SealRequest {
  readonly fieldName: string
  readonly name: string
  readonly reason?: string
  readonly credential: Credential
}

/** A certificate whose revocation must be known, and the one that issued it; both DER. */
export interface RevocationQuestion {
  readonly certificate: Uint8Array
  readonly issuer: Uint8Array
}

/**
 * Answers for all of the certificates at once; an answer may serve several of them.
 *
 * @throws Error when an authority cannot be asked: the caller of the signing gets it as it is
 */
export type RevocationSource = (questions: readonly RevocationQuestion[]) => Promise<RevocationData>

/** What makes signatures last: B-LT with validation data, B-LTA with a time-stamp over it. */
export interface LongTermRequest {
  /** Name of the document time-stamp's field. */
  readonly fieldName: string
  readonly revocation: RevocationSource
  /** DER of authorities that need not occur in a signature, such as roots of TSAs. */
  readonly certificates?: readonly Uint8Array[]
}

/** An annotation of the document with the appearance that revision 1 gives to it (12.5.5). */
export interface DrawnAnnotation {
  /** Number of the annotation's object. */
  readonly object: number
  /** PDF source of the annotation's entries that change; null removes an entry. */
  readonly entries: Readonly<Record<string, string | null>>
  /** Absent when it keeps its own. */
  readonly appearance?: {
    /** PDF source of the state's name of a check box or radio button. */
    readonly state?: string
    /** PDF source of the entries of the stream, without its length. */
    readonly entries: string
    /** One character per byte. */
    readonly content: string
  }
}

export interface SigningRequest {
  /** Appearances for annotations that have none; see `drawAnnotations`. */
  readonly drawn?: readonly DrawnAnnotation[]
  /** In the order of signing. */
  readonly signers: readonly SignerRequest[]
  readonly seal?: SealRequest
  /** The claimed time of all signatures (`/M`), written in UTC. */
  readonly sealedAt: Date
  /**
   * Stamps a signature; without it the signatures are of level B-B.
   *
   * @param digest SHA-256 of the signature value
   * @returns DER TimeStampToken
   */
  readonly timeStamp?: (digest: Uint8Array) => Promise<Uint8Array>
  /** Makes the signatures last; needs {@link timeStamp}. */
  readonly longTerm?: LongTermRequest
  /** What to reserve for the first time-stamp, in octets; later ones are measured by it. */
  readonly timeStampBytes?: number
}

/** One signature of the result. */
export interface SignedRevision {
  /** As in the file. */
  readonly fieldName: string
  readonly byteRange: ByteRange
  /** Offset after the revision that the signature closes. */
  readonly endOffset: number
  /**
   * Serial number of the signer's certificate, lower-case hexadecimal, without the sign octet 00
   * of its DER.
   */
  readonly certificateSerial: string
}

/** ISO 32000-2, 12.8.1: start and length of the bytes before and after the hole. */
export type ByteRange = readonly [start: number, length: number, start2: number, length2: number]

export interface SignedDocument {
  /**
   * The whole file, put together when first asked for; `original` followed by {@link tail} is the
   * same without the copy.
   */
  readonly bytes: Uint8Array
  /** What was appended to the original. */
  readonly tail: Uint8Array
  readonly revisions: readonly SignedRevision[]
  /** Octets of `/Contents` of each signature, and of the document time-stamp. */
  readonly containers: readonly Uint8Array[]
  /** SHA-256 of the whole file, lower-case hexadecimal; known without another pass. */
  readonly sha256: string
}
