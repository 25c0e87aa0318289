/**
 * The job `trail-seal`: seals and time-stamps the head of the audit trail of a case that has ended.
 */
import { Buffer } from 'node:buffer'
import { createHash } from 'node:crypto'
import { entryHash } from '../domain/audit/entry.ts'
import { sealedOctets, type AuditHead, type AuditHeadStatement } from '../domain/audit/head.ts'
import { auditHeadKey } from '../domain/cases/keys.ts'
import { hasEnded } from '../domain/cases/lifecycle.ts'
import { encodeJson } from '../domain/json-object.ts'
import type { CaseKey } from '../domain/ports/stores.ts'
import type { WorkerDeps } from './deps.ts'
import { tell } from './tell.ts'

const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64')

async function seal(statement: AuditHeadStatement, deps: WorkerDeps): Promise<AuditHead> {
  const { algorithm, certificates } = await deps.signingDevice.describe('seal')
  const signature = await deps.signingDevice.sign('seal', sealedOctets(statement))
  const digest = createHash('sha256').update(signature).digest()
  const timeStampToken = await deps.timeStamps.stamp(digest)
  return {
    ...statement,
    sealedAt: deps.now().toISOString(),
    algorithm,
    signature: base64(signature),
    certificates: certificates.map(base64),
    timeStampToken: base64(timeStampToken),
  }
}

/** @throws Error when the key, the time-stamp authority or the store fails */
export async function sealTrail(key: CaseKey, deps: WorkerDeps): Promise<void> {
  const signatureCase = await deps.cases.get(key)
  if (!signatureCase?.status || !hasEnded(signatureCase.status.phase)) return
  const last = (await deps.trail.entries(key)).at(-1)
  if (!last) return
  const place = auditHeadKey(key, last.sequence)
  if (!(await deps.objects.stat(place))) {
    const { tenant, caseId } = key
    const { sequence } = last
    const head = await seal({ tenant, caseId, sequence, hash: entryHash(last) }, deps)
    await deps.objects.putIfAbsent(place, encodeJson(head), 'application/json')
  }
  await tell(key, deps)
}
