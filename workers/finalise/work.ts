/** Values that the steps of finalising pass to each other; they do not outlive the job. */
import type { Credential, Drawing, HashedFile, SignedDocument } from '../../pades/index.ts'
import type { SignatureCase } from '../../domain/cases/signature-case.ts'
import type { SignatureFact } from '../../domain/cases/spec.ts'
import type { CaseStatus } from '../../domain/cases/status.ts'
import type { FinalisedDocument } from '../../domain/cases/results.ts'
import type { AnnotationAppearance } from '../../domain/ports/pdf-sandbox.ts'
import type { CaseKey } from '../../domain/ports/stores.ts'
import type { WorkerDeps } from '../deps.ts'
import type { OwnOutput } from './own-output.ts'

export type FinaliseDeps = Pick<
  WorkerDeps,
  | 'cases'
  | 'objects'
  | 'trail'
  | 'ephemeral'
  | 'keyring'
  | 'alarm'
  | 'signingDevice'
  | 'timeStamps'
  | 'revocation'
  | 'sandbox'
  | 'jobs'
  | 'metrics'
  | 'baseUrl'
  | 'now'
  | 'log'
>

/** A case that all participants have signed. */
export interface SignedByAll {
  key: CaseKey
  signatureCase: SignatureCase
  document: NonNullable<CaseStatus['document']>
  /** One per participant, in order of signing. */
  accepted: readonly SignatureFact[]
}

/** Values until the outcome is stored; they are lost when the process ends. */
export interface Making extends SignedByAll {
  /** The frozen bytes; set once they are read. */
  original?: HashedFile
  /** Appearances that intake drew for annotations without one. */
  drawn: readonly AnnotationAppearance[]
  /** By digest. */
  drawings: Map<string, Drawing>
  signed?: SignedDocument
  /** The validated `signed`. */
  output?: OwnOutput
}

/** Values after the outcome is stored; every run derives the same values from it. */
export interface Telling extends SignedByAll {
  /** The signed PDF as it is stored. */
  signed: OwnOutput
  evidenceDocument?: FinalisedDocument
}

/** One idempotent step of a job; `name` is logged when it fails. */
export interface Step<W> {
  name: string
  run(work: W, deps: FinaliseDeps): Promise<void>
}

export type CredentialSource = () => Promise<Credential>
