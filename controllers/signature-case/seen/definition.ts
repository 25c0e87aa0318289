/** Sees whether the service can work with a case as it stands, and what an applied one lacks. */
import { specFault } from '../../../domain/cases/check.ts'
import { completed } from '../../../domain/cases/complete.ts'
import type { Callback } from '../../../domain/cases/definition.ts'
import type { SignatureCase } from '../../../domain/cases/signature-case.ts'
import { missingMembers } from '../../../domain/contract/callback-rules.ts'
import type { CaseResources } from '../../../domain/ports/case-resources.ts'
import type { CaseSecrets } from '../../../domain/ports/secret-store.ts'
import type { DefinitionSeen } from '../observation.ts'

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
 * @param resources absent: nobody works past the service's API, which has checked callbacks itself
 * @returns undefined when the case can be worked with as it stands
 */
export async function seeDefinition(
  signatureCase: SignatureCase,
  resources: CaseResources | undefined,
): Promise<DefinitionSeen | undefined> {
  const whole = completed(signatureCase)
  const fault = specFault(whole.spec)
  if (fault !== undefined) return { specFault: fault }
  if (whole === signatureCase) return undefined
  const { callback } = whole.spec.definition
  if (!resources || !callback) return { completion: { signatureCase: whole } }
  const name = callback.secretRef?.name
  const credentials =
    name === undefined ? undefined : await resources.findCredentials(whole.metadata.namespace, name)
  const missing = callbackFault(callback, credentials)
  if (missing !== undefined) return { specFault: missing }
  return { completion: { signatureCase: whole, ...(credentials && { credentials }) } }
}
