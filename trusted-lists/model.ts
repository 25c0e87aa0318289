/** The content of a trusted list (ETSI TS 119 612) as plain values that can be stored as JSON. */

export interface ListHeader {
  version: 5 | 6
  sequence: number
  /** URI (5.3.3). */
  type: string
  /** Two letters; `EU` for the list of lists. */
  territory: string
  /** ISO 8601, UTC. */
  issueDate: string
  /** ISO 8601, UTC; absent in a closed list. */
  nextUpdate?: string
}

/** Location of another list, and the certificates that may sign it (5.3.13). */
export interface ListPointer {
  location: string
  type: string
  territory: string
  mimeType?: string
  /** Base64 of DER. */
  certificates: string[]
}

/** A condition on certificates (5.5.9.2.2); `unknown` is one that this library does not support. */
export type Criterion =
  | { kind: 'list'; assert: 'all' | 'atLeastOne' | 'none'; criteria: Criterion[] }
  | { kind: 'keyUsage'; bits: { bit: number; value: boolean }[] }
  | { kind: 'policies'; oids: string[] }
  | { kind: 'extendedKeyUsage'; oids: string[] }
  | { kind: 'subjectAttributes'; oids: string[] }
  | { kind: 'unknown' }

/** Qualifiers for the certificates of a service that meet the criterion (5.5.9.2). */
export interface Qualification {
  /** Last part of each qualifier's URI, such as `QCWithQSCD`. */
  qualifiers: string[]
  criterion: Criterion
}

/** The state of a service from one instant on. */
export interface ServiceState {
  /** Part of the service type's URI after `Svctype/`, such as `CA/QC`. */
  type: string
  /** Last segment of the status' URI, such as `granted`. */
  status: string
  /** ISO 8601, UTC. */
  since: string
  /** `ForeSignatures`, `ForeSeals`, `ForWebSiteAuthentication` and others (5.5.9.4). */
  usages: string[]
  qualifications: Qualification[]
  /**
   * Has a critical extension that this library does not support; such a service qualifies nothing.
   */
  hasUnknownCritical: boolean
}

export interface Service {
  provider: string
  name: string
  /** Base64 of DER; the digital identity of the service. */
  certificates: string[]
  /** Newest first. */
  states: ServiceState[]
}

export interface TrustedList {
  header: ListHeader
  /** In the order of the list; only the English ones. */
  informationUris: string[]
  pointers: ListPointer[]
  services: Service[]
}
