/** What a trusted list says (ETSI TS 119 612), as plain values that can be kept as JSON. */

export interface ListHeader {
  version: 5 | 6
  sequence: number
  /** URI (5.3.3). */
  type: string
  /** Two letters; `EU` for the list of lists. */
  territory: string
  /** ISO 8601, UTC. */
  issueDate: string
  /** ISO 8601, UTC; a closed list has none. */
  nextUpdate?: string
}

/** Where another list is, and which certificates may sign it (5.3.13). */
export interface ListPointer {
  location: string
  type: string
  territory: string
  mimeType?: string
  /** Base64 of DER. */
  certificates: string[]
}

/** A condition on certificates (5.5.9.2.2); `unknown` is one that this reader does not know. */
export type Criterion =
  | { kind: 'list'; assert: 'all' | 'atLeastOne' | 'none'; criteria: Criterion[] }
  | { kind: 'keyUsage'; bits: { bit: number; value: boolean }[] }
  | { kind: 'policies'; oids: string[] }
  | { kind: 'extendedKeyUsage'; oids: string[] }
  | { kind: 'subjectAttributes'; oids: string[] }
  | { kind: 'unknown' }

/** Qualifiers that hold for the certificates of a service that meet the criterion (5.5.9.2). */
export interface Qualification {
  /** Last part of each qualifier's URI, such as `QCWithQSCD`. */
  qualifiers: string[]
  criterion: Criterion
}

/** A service as it was from one moment on. */
export interface ServiceState {
  /** Of the service type's URI what follows `Svctype/`, such as `CA/QC`. */
  type: string
  /** Last part of the status' URI, such as `granted`. */
  status: string
  /** ISO 8601, UTC. */
  since: string
  /** `ForeSignatures`, `ForeSeals`, `ForWebSiteAuthentication` and others (5.5.9.4). */
  usages: string[]
  qualifications: Qualification[]
  /** A critical extension that this reader does not know: the service qualifies nothing. */
  hasUnknownCritical: boolean
}

export interface Service {
  provider: string
  name: string
  /** Base64 of DER: its digital identity. */
  certificates: string[]
  /** Newest first. */
  states: ServiceState[]
}

export interface TrustedList {
  header: ListHeader
  /** In the order of the list, English ones alone. */
  informationUris: string[]
  pointers: ListPointer[]
  services: Service[]
}
