/**
 * Public interface of the library: it reads and accepts trusted lists, and qualifies certificates
 * by them. Bytes in, values out; the network and the clock are arguments.
 */
export { TrustedListError, type TrustedListErrorCode } from './errors.ts'
export type { Anchors, ReadList } from './accept.ts'

export { refreshSnapshot, type RefreshOptions } from './refresh.ts'
export {
  decodeSnapshot,
  encodeSnapshot,
  type ListEvidence,
  type ListProblem,
  type NationalList,
  type SnapshotState,
  snapshotState,
  type TrustedListSnapshot,
} from './snapshot.ts'
export {
  type ListedAnchor,
  type ServiceAt,
  type TrustedListAnchor,
  TrustedLists,
} from './trusted-services.ts'
export {
  type CertificateLevel,
  type CertificateQualification,
  type QualificationNote,
  qualifyCertificate,
} from './qualification/certificate.ts'
export {
  qualifySignature,
  qualifyTimeStamp,
  signatureLevel,
  type SignatureQualification,
  type SignatureQualificationLevel,
  type TimeStampQualification,
} from './qualification/signature.ts'
