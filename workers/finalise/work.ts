/** What the steps of finalising hand on to each other; nothing of it outlives the job. */
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
  | 'baseUrl'
  | 'now'
  | 'log'
>

/** A case that everybody has signed. */
export interface SignedByAll {
  key: CaseKey
  signatureCase: SignatureCase
  document: NonNullable<CaseStatus['document']>
  /** One per participant, in order of signing. */
  accepted: readonly SignatureFact[]
}

/** What is made until the outcome is stored; all of it is lost when the process ends. */
export interface Making extends SignedByAll {
  /** The frozen bytes; there when they are read. */
  original?: HashedFile
  /** What intake drew for annotations without an appearance. */
  drawn: readonly AnnotationAppearance[]
  /** By digest. */
  drawings: Map<string, Drawing>
  signed?: SignedDocument
  /** `signed`, as a verifier reads it. */
  output?: OwnOutput
}

/** What follows from the stored outcome; every run makes the same of it. */
export interface Telling extends SignedByAll {
  /** The signed PDF as it is stored. */
  signed: OwnOutput
  evidenceDocument?: FinalisedDocument
}

/** One piece of a job. Each can be done again; `name` stands in the log when it fails. */
export interface Step<W> {
  name: string
  run(work: W, deps: FinaliseDeps): Promise<void>
}

export type CredentialSource = () => Promise<Credential>
