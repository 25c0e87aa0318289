/** The case that the job `finalise` works on, and the dependencies of its steps. */
import { acceptedSignatures } from '../../domain/cases/facts.ts'
import { caseView, TRANSITIONS } from '../../domain/cases/lifecycle.ts'
import type { SignatureCase } from '../../domain/cases/signature-case.ts'
import type { SignatureFact } from '../../domain/cases/spec.ts'
import type { CaseStatus } from '../../domain/cases/status.ts'
import type { CaseKey } from '../../domain/ports/stores.ts'
import type { WorkerDeps } from '../deps.ts'

export type FinaliseDeps = Pick<
  WorkerDeps,
  | 'cases'
  | 'objects'
  | 'trail'
  | 'verdicts'
  | 'ephemeral'
  | 'keyring'
  | 'alarm'
  | 'signingDevice'
  | 'timeStamps'
  | 'revocation'
  | 'sandbox'
  | 'jobs'
  | 'metrics'
  | 'tracer'
  | 'branding'
  | 'baseUrl'
  | 'now'
  | 'log'
>

/** A case that all participants have signed. */
export interface SignedByAll {
  readonly key: CaseKey
  readonly signatureCase: SignatureCase
  readonly document: NonNullable<CaseStatus['document']>
  /** One per participant, in order of signing. */
  readonly accepted: readonly SignatureFact[]
}

/** Returns the case when it is ready to be finalised, otherwise undefined. */
export async function readSignedByAll(
  key: CaseKey,
  deps: Pick<FinaliseDeps, 'cases' | 'keyring' | 'now'>,
): Promise<SignedByAll | undefined> {
  const signatureCase = await deps.cases.get(key)
  const document = signatureCase?.status?.document
  if (!signatureCase || !document) return undefined
  const accepted = acceptedSignatures(deps.keyring, signatureCase)
  const { phase, everyoneSigned } = caseView(signatureCase, accepted, deps.now().getTime())
  if (!everyoneSigned || !TRANSITIONS[phase].on.finalised) return undefined
  return { key, signatureCase, document, accepted }
}
