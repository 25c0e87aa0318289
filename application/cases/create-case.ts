/** Creates a case, or finds the one that the same request created before (decision 152). */
import { BoundReachedError } from '../limits/bounds.ts'
import { findSizeFault } from '../../domain/cases/case-size.ts'
import { newCase } from '../../domain/cases/create.ts'
import { digestOfInput, idempotentCaseId, isDigestOf } from '../../domain/cases/idempotency.ts'
import { tombstoneKey } from '../../domain/cases/keys.ts'
import type { SignatureCase } from '../../domain/cases/signature-case.ts'
import { pinOf, secretsOf } from '../../domain/cases/secrets.ts'
import type { CaseInput } from '../../domain/contract/case-input.ts'
import { ServiceError, ValidationError } from '../../domain/errors.ts'
import type { CaseSecrets } from '../../domain/ports/secret-store.ts'
import { AlreadyExistsError, type CaseKey } from '../../domain/ports/stores.ts'
import { TRACE_ANNOTATION, type Tracer } from '../../domain/ports/tracing.ts'
import type { UseCaseDeps } from '../deps.ts'
import { assertRegistered } from '../kiosks/open.ts'

export interface CreateRequest {
  tenant: string
  /** The header `Idempotency-Key`. */
  idempotencyKey: string | undefined
  input: CaseInput
  creation: { at: string; ip: string; userAgent?: string }
}

type CreateDeps = Pick<
  UseCaseDeps,
  | 'cases'
  | 'devices'
  | 'secrets'
  | 'objects'
  | 'keyring'
  | 'pins'
  | 'bounds'
  | 'branding'
  | 'randomUuid'
  | 'tracer'
>

async function secretsFor(tenant: string, input: CaseInput, { pins }: CreateDeps) {
  const pin = pinOf(input)
  return secretsOf(input, pin === undefined ? pin : await pins.hash(pin, tenant))
}

/** Notes the request in the case, so that all work for the case belongs to one trace. */
function inTrace(made: SignatureCase, { tracer }: { tracer?: Tracer }): SignatureCase {
  const traceparent = tracer?.active()?.traceparent
  if (traceparent === undefined) return made
  const annotations = { ...made.metadata.annotations, [TRACE_ANNOTATION]: traceparent }
  return { ...made, metadata: { ...made.metadata, annotations } }
}

/** Fills in the sender of the tenant where the request names none. */
async function withSender(request: CreateRequest, { branding }: CreateDeps): Promise<CaseInput> {
  const { tenant, input } = request
  const { sender } = (await branding?.read(tenant)) ?? {}
  return sender ? { ...input, sender: { ...sender, ...input.sender } } : input
}

/** @returns undefined when the name is taken */
async function unlessTaken<T>(making: Promise<T>): Promise<T | undefined> {
  try {
    return await making
  } catch (error) {
    if (error instanceof AlreadyExistsError) return undefined
    throw error
  }
}

/**
 * Keeps the secrets under a key that others may use at this moment: who writes them first decides
 * which body belongs to the key, even if the case is never created.
 * @throws ServiceError IDEMPOTENCY_KEY_REUSED
 */
async function claim(
  key: CaseKey,
  input: CaseInput,
  secrets: CaseSecrets,
  deps: CreateDeps,
): Promise<'first' | 'repeated'> {
  const making = deps.secrets.create(key, secrets).then(() => true)
  if (await unlessTaken(making)) return 'first'
  const kept = await deps.secrets.get(key)
  if (isDigestOf(kept?.inputDigest, deps.keyring, key, input)) return 'repeated'
  throw new ServiceError('IDEMPOTENCY_KEY_REUSED')
}

/** Creates the case unless an earlier request with the same key made it. */
async function createOnce(
  { tenant, input }: CreateRequest,
  made: SignatureCase,
  deps: CreateDeps,
): Promise<{ signatureCase: SignatureCase; isNew: boolean }> {
  const key = { tenant, caseId: made.metadata.name }
  // Its id would be that of the erased case.
  if (await deps.objects.stat(tombstoneKey(key))) throw new ServiceError('IDEMPOTENCY_KEY_REUSED')
  const inputDigest = digestOfInput(deps.keyring, key, input)
  const secrets = { ...(await secretsFor(tenant, input, deps)), inputDigest }
  if ((await claim(key, input, secrets, deps)) === 'repeated') {
    // An archived case has no resource that would keep its name.
    const known = await deps.cases.get(key)
    if (known) return { signatureCase: known, isNew: false }
  }
  const created = await unlessTaken(deps.cases.create(inTrace(made, deps)))
  if (created) return { signatureCase: created, isNew: true }
  const existing = await deps.cases.get(key)
  // It was removed between the two calls: the next attempt makes it anew.
  if (!existing) throw new ServiceError('TIMEOUT')
  return { signatureCase: existing, isNew: false }
}

/**
 * Returns the case that an earlier request with the same key and body created. What was valid then
 * may be refused now: the deadline passes, and kiosks are removed.
 *
 * @throws `refusal` when there is no such case
 */
export async function repeatOrThrow(
  { tenant, idempotencyKey, input }: CreateRequest,
  refusal: unknown,
  { cases, secrets, keyring }: CreateDeps,
): Promise<{ signatureCase: SignatureCase; isNew: false }> {
  if (idempotencyKey === undefined) throw refusal
  const key = { tenant, caseId: idempotentCaseId(tenant, idempotencyKey) }
  const kept = await secrets.get(key)
  if (!isDigestOf(kept?.inputDigest, keyring, key, input)) throw refusal
  const signatureCase = await cases.get(key)
  if (!signatureCase) throw refusal
  return { signatureCase, isNew: false }
}

/**
 * Counts a case of the tenant. A repeated request counts again, but is answered even when the bound
 * is reached.
 *
 * @throws BoundReachedError
 */
async function countCase(
  { tenant, idempotencyKey }: CreateRequest,
  { bounds, cases }: CreateDeps,
): Promise<void> {
  try {
    await bounds?.take({ bound: 'tenantCasesPerDay', of: tenant })
  } catch (error) {
    if (!(error instanceof BoundReachedError) || idempotencyKey === undefined) throw error
    const caseId = idempotentCaseId(tenant, idempotencyKey)
    if (!(await cases.get({ tenant, caseId }))) throw error
  }
}

/** @throws ValidationError when the case could not take every signature */
function assertFits(made: SignatureCase): void {
  const fault = findSizeFault(made)
  if (!fault) return
  const { limit, bytes, message } = fault
  const params = { limit, bytes }
  throw new ValidationError([
    { instancePath: '/participants', keyword: 'maxCaseBytes', params, message },
  ])
}

/**
 * Secrets go before the case: a case always has them.
 *
 * @returns the case; `isNew` is false when an earlier request with the same key made it
 * @throws ValidationError when the case could not take every signature
 * @throws ServiceError UNKNOWN_DEVICE, IDEMPOTENCY_KEY_REUSED, TIMEOUT
 * @throws BoundReachedError when the tenant has created enough cases in a day
 */
export async function createCase(
  request: CreateRequest,
  deps: CreateDeps,
): Promise<{ signatureCase: SignatureCase; isNew: boolean }> {
  const { tenant, idempotencyKey, input, creation } = request
  const filled = await withSender(request, deps)
  const isRepeatable = idempotencyKey !== undefined
  const caseId = isRepeatable ? idempotentCaseId(tenant, idempotencyKey) : deps.randomUuid()
  const made = newCase(tenant, caseId, filled, creation)
  assertFits(made)
  try {
    if (input.device) await assertRegistered(tenant, input.device, deps)
  } catch (refusal) {
    return repeatOrThrow(request, refusal, deps)
  }
  await countCase(request, deps)
  if (isRepeatable) return createOnce(request, made, deps)
  const secrets = await secretsFor(tenant, input, deps)
  if (secrets) await deps.secrets.create({ tenant, caseId }, secrets)
  const signatureCase = await deps.cases.create(inTrace(made, deps))
  return { signatureCase, isNew: true }
}
