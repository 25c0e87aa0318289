/**
 * Certificates of participants: recorded before they are used, and revoked when they were not used.
 */
import { AuditTrailError } from '../../domain/audit/fault.ts'
import { certificateFolder, certificateKey } from '../../domain/cases/keys.ts'
import { jobId } from '../../domain/cases/jobs.ts'
import { auditEvent } from '../../domain/cases/due-audit-events.ts'
import type { Phase } from '../../domain/cases/status.ts'
import { revocationKey, type CertificateRecord, type RevocationRecord } from '../../domain/pki.ts'
import { objectPages } from '../../application/store/object-pages.ts'
import type { CaseKey } from '../../domain/ports/stores.ts'
import type { WorkerDeps } from '../deps.ts'
import { readWorkerResult, writeWorkerResult } from '../../application/store/stored-results.ts'

type CertificateDeps = Pick<WorkerDeps, 'objects' | 'trail' | 'jobs' | 'keyring' | 'alarm' | 'now'>

/** Far more than the participants of a case times its attempts. */
const MAXIMUM_PAGES = 100

/**
 * Records a certificate before anything is signed with it.
 *
 * @param serial hex
 * @throws Error when the store fails, or when the serial number was used before
 */
export async function recordCertificate(
  key: CaseKey,
  serial: string,
  record: CertificateRecord,
  { objects, keyring }: Pick<WorkerDeps, 'objects' | 'keyring'>,
): Promise<void> {
  const place = certificateKey(key, serial)
  const isNew = await writeWorkerResult(place, record, undefined, { objects, keyring })
  if (!isNew) throw new Error('certificate serial number collision')
}

/** Returns the serial numbers of the case's certificates that are not in `used`, hex. */
export async function unusedCertificates(
  key: CaseKey,
  used: ReadonlySet<string>,
  { objects }: { objects: Pick<WorkerDeps['objects'], 'list'> },
): Promise<string[]> {
  const folder = certificateFolder(key)
  const serials: string[] = []
  for await (const page of objectPages(objects, folder, MAXIMUM_PAGES)) {
    serials.push(...page.map((stat) => stat.key.slice(folder.length)))
  }
  return serials.filter((serial) => !used.has(serial))
}

/** Cases that end in these phases use no certificate of any run. */
export const WITHOUT_SIGNATURES: ReadonlySet<Phase> = new Set<Phase>(['CANCELLED', 'FAILED'])

/**
 * Revokes every certificate of a case that ended without a signed PDF; does nothing for other
 * cases.
 *
 * @throws Error when a store fails
 */
export async function revokeWhereUnsigned(
  key: CaseKey,
  phase: Phase,
  deps: CertificateDeps,
): Promise<void> {
  if (!WITHOUT_SIGNATURES.has(phase)) return
  await revokeCertificates(key, await unusedCertificates(key, new Set(), deps), deps)
}

/** Returns the stored revocation: that of another run, or the one made now. */
async function revoke(
  serial: string,
  { issuerKeyId, notBefore, notAfter }: CertificateRecord,
  deps: CertificateDeps,
) {
  const { now } = deps
  const record: RevocationRecord = {
    issuerKeyId,
    // Revoked from the start of its validity, because nothing signed with it was ever handed out.
    revokedAt: notBefore,
    reason: 'cessationOfOperation',
    notAfter,
    recordedAt: now().toISOString(),
  }
  const place = revocationKey(serial)
  const stored = await readWorkerResult<RevocationRecord>(place, { object: 'revocation' }, deps)
  if (stored?.value) return stored.value
  if (await writeWorkerResult(place, record, stored, deps)) return record
  const winner = await readWorkerResult<RevocationRecord>(place, { object: 'revocation' }, deps)
  return winner?.value ?? record
}

/**
 * Revokes certificates of a case, appends that to the trail, and requests a new revocation list.
 * Idempotent.
 *
 * @param serials result of {@link unusedCertificates}
 * @throws Error when a store fails
 */
export async function revokeCertificates(
  key: CaseKey,
  serials: readonly string[],
  deps: CertificateDeps,
): Promise<void> {
  if (serials.length === 0) return
  const revoked = serials.map(async (certificateSerial) => {
    const place = certificateKey(key, certificateSerial)
    const violation = { object: 'certificate', key } as const
    const stored = await readWorkerResult<CertificateRecord>(place, violation, deps)
    const certificate = stored?.value
    // A record that no worker wrote could name a certificate of another case.
    if (!certificate) return []
    const { recordedAt, revokedAt, reason } = await revoke(certificateSerial, certificate, deps)
    return [
      auditEvent(key.caseId, 'participant.certificate_revoked', {
        occurredAt: recordedAt,
        actor: 'system',
        participantId: certificate.participantId,
        occurrence: certificateSerial,
        data: { certificateSerial, revokedAt, reason },
      }),
    ]
  })
  const events = (await Promise.all(revoked)).flat()
  await deps.trail.append(key, events).catch((error: unknown) => {
    // The certificates are revoked even if the trail is not sound.
    if (!(error instanceof AuditTrailError)) throw error
  })
  await deps.jobs.add('crl', jobId('crl', {}), {})
}
