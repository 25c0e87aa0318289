/** Sees whether the service can work with a case, and what an applied one lacks. */
import { findSizeFault } from '../../../domain/cases/case-size.ts'
import { specFault } from '../../../domain/cases/check.ts'
import { accept, FINALIZER, isAccepted, isFromApi } from '../../../domain/cases/complete.ts'
import type { Callback } from '../../../domain/cases/definition.ts'
import type { SignatureCase } from '../../../domain/cases/signature-case.ts'
import { missingMembers } from '../../../domain/contract/callback-rules.ts'
import type { CaseResources } from '../../../domain/ports/case-resources.ts'
import type { CaseSecrets, SecretStore } from '../../../domain/ports/secret-store.ts'
import type { DefinitionSeen } from '../observation.ts'

export interface DefinitionDeps {
  secrets: Pick<SecretStore, 'get'>
  /** Absent: nobody works past the service's API, which has checked callbacks itself. */
  resources?: CaseResources
}

const CALLBACK = 'spec/definition/callback'

/** Why nothing can be delivered to the callback of an applied case. */
function callbackFault(
  callback: Callback,
  credentials: CaseSecrets | undefined,
): string | undefined {
  const name = callback.secretRef?.name
  if (name !== undefined && !credentials) {
    return `${CALLBACK}/secretRef: there is no Secret ${name} labelled for callbacks`
  }
  const [missing] = missingMembers({ ...callback, ...credentials })
  return missing && `${CALLBACK}: ${missing.message}`
}

/**
 * The credentials that the callback of an applied case names, or why they do not do. A case that
 * was restored has its credentials already, and the Secret that they came from may be gone.
 */
async function seeCredentials(
  { metadata, spec }: SignatureCase,
  { resources, secrets }: DefinitionDeps,
): Promise<Pick<DefinitionSeen, 'specFault' | 'credentials'>> {
  const { callback } = spec.definition
  if (!callback || !resources) return {}
  const key = { tenant: metadata.namespace, caseId: metadata.name }
  if (await secrets.get(key)) return {}
  const name = callback.secretRef?.name
  const credentials =
    name === undefined ? undefined : await resources.findCredentials(metadata.namespace, name)
  const fault = callbackFault(callback, credentials)
  if (fault !== undefined) return { specFault: fault }
  return credentials ? { credentials } : {}
}

function lacksFinalizer(signatureCase: SignatureCase): boolean {
  const { finalizers = [], deletionTimestamp } = signatureCase.metadata
  if (isFromApi(signatureCase) || deletionTimestamp !== undefined) return false
  return !finalizers.includes(FINALIZER)
}

/**
 * @param stored as the store gives it; an applied case that nobody has accepted has no creation
 * @returns the case as it reads once it is accepted, and what was seen of its definition
 */
export async function seeDefinition(
  stored: SignatureCase,
  deps: DefinitionDeps,
): Promise<DefinitionSeen & { signatureCase: SignatureCase }> {
  const signatureCase = accept(stored)
  const fault = specFault(signatureCase.spec)
  if (fault !== undefined) return { signatureCase: stored, specFault: fault }
  const isNew = !isAccepted(stored)
  const tooLarge = isNew ? findSizeFault(signatureCase) : undefined
  if (tooLarge) return { signatureCase: stored, specFault: `spec/definition: ${tooLarge.message}` }
  const credentials = isNew ? await seeCredentials(signatureCase, deps) : {}
  if (credentials.specFault !== undefined) return { signatureCase: stored, ...credentials }
  return {
    signatureCase,
    ...credentials,
    ...(lacksFinalizer(signatureCase) && { lacksFinalizer: true }),
  }
}
