/** Input of the evidence PDF. */
import type { AuditEntry, Opening } from '../../domain/audit/entry.ts'
import type { CaseView } from '../../domain/cases/lifecycle.ts'
import type { Language } from '../../domain/cases/definition.ts'
import type { SignatureCase } from '../../domain/cases/signature-case.ts'
import type { ConsentText } from '../../domain/consent.ts'
import type { Drawing, InfoKey, LogoImage } from '../../pades/index.ts'
import type { EvidenceTexts } from './texts.ts'

/** The certificate that one participant's signature was made with. */
export interface EvidenceSigner {
  participantId: string
  /** Distinguished name. */
  certificateSubject: string
  /** Hex. */
  certificateSerial: string
  /** Distinguished name. */
  issuer: string
  /** Time of the time-stamp over the signature, ISO 8601. */
  timeStampedAt?: string
  /** Distinguished name of the authority that issued it. */
  timeStampedBy?: string
  /** Findings of the validation about the visible part of the signature. */
  infos?: readonly InfoKey[]
}

export interface EvidenceInput {
  signatureCase: SignatureCase
  /** Result of `caseView`, after all participants have signed. */
  view: CaseView
  /** The trail; entries after `case.finalised` are left out. */
  trail: {
    entries: readonly AuditEntry[]
    /** By event id. */
    openings: Readonly<Record<string, Opening>>
  }
  /** Digests in hex, sizes in octets; `signatures` is how many the document already had. */
  original: { sha256: string; size: number; pageCount: number; signatures: number }
  signed: { sha256: string; size: number; level: string }
  signers: readonly EvidenceSigner[]
  /** Images of the signatures that could be read, by the SHA-256 of their bytes. */
  drawings?: ReadonlyMap<string, Drawing>
  /** Logo of the tenant. */
  logo?: LogoImage | undefined
  /** IANA name of the tenant's zone, for the local times; without it, the default. */
  timeZone?: string | undefined
  /** DER of the service's root certificate. */
  rootCertificate: Uint8Array
  /** Public URL of the service. */
  baseUrl: string
  createdAt: Date
}

/** The input, with the values that every section needs. */
export interface Evidence {
  input: EvidenceInput
  language: Language
  /** IANA name of the zone of the local times. */
  timeZone: string
  texts: EvidenceTexts
  /** The embedded part of the trail. */
  entries: readonly AuditEntry[]
  openings: Readonly<Record<string, Opening>>
  /** The texts that participants consented to. */
  consents: readonly ConsentText[]
}
