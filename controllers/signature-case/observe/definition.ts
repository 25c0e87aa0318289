/** Checks whether the service can work on a case, and reads the credentials of an applied case. */
import { findSizeFault } from '../../../domain/cases/case-size.ts'
import { specFault } from '../../../domain/cases/check.ts'
import { accept, FINALIZER, isAccepted, isFromApi } from '../../../domain/cases/complete.ts'
import type { Callback } from '../../../domain/cases/definition.ts'
import type { SignatureCase } from '../../../domain/cases/signature-case.ts'
import { authenticationFaults } from '../../../domain/contract/callback-rules.ts'
import type { CaseResources } from '../../../domain/ports/case-resources.ts'
import type { CaseSecrets, SecretStore } from '../../../domain/ports/secret-store.ts'
import type { DefinitionObservation } from '../observation.ts'

export interface DefinitionDeps {
  secrets: Pick<SecretStore, 'get'>
  /** Absent without an API server: then the API has checked all callbacks. */
  resources?: CaseResources
}

const CALLBACK = 'spec/definition/callback'

/** Returns why the service cannot deliver to the callback of an applied case. */
function callbackFault(
  callback: Callback,
  credentials: CaseSecrets | undefined,
): string | undefined {
  const name = callback.secretRef?.name
  if (name !== undefined && !credentials) {
    return `${CALLBACK}/secretRef: no Secret ${name} with the label for callbacks exists`
  }
  const [fault] = authenticationFaults({ ...callback, ...credentials })
  return fault && `${CALLBACK}: ${fault.message}`
}

/**
 * Reads the credentials that the callback of an applied case names, or why they cannot be used. A
 * restored case already has its credentials, and their source Secret may be gone.
 */
async function observeCredentials(
  { metadata, spec }: SignatureCase,
  { resources, secrets }: DefinitionDeps,
): Promise<Pick<DefinitionObservation, 'specFault' | 'credentials'>> {
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
 * @param stored the case from the store; an applied case that was not accepted yet has no creation
 * @returns the case as it will be once accepted, and the findings about its definition
 */
export async function observeDefinition(
  stored: SignatureCase,
  deps: DefinitionDeps,
): Promise<DefinitionObservation & { signatureCase: SignatureCase }> {
  const signatureCase = accept(stored)
  const fault = specFault(signatureCase.spec)
  if (fault !== undefined) return { signatureCase: stored, specFault: fault }
  const isNew = !isAccepted(stored)
  const tooLarge = isNew ? findSizeFault(signatureCase) : undefined
  if (tooLarge) return { signatureCase: stored, specFault: `spec/definition: ${tooLarge.message}` }
  const credentials = isNew ? await observeCredentials(signatureCase, deps) : {}
  if (credentials.specFault !== undefined) return { signatureCase: stored, ...credentials }
  return {
    signatureCase,
    ...credentials,
    ...(lacksFinalizer(signatureCase) && { lacksFinalizer: true }),
  }
}
