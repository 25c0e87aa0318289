/**
 * Certificates of participants: recorded before they are used, and revoked when they were not used.
 */
import { AuditTrailError } from '../../domain/audit/fault.ts'
import { certificateFolder, certificateKey } from '../../domain/cases/keys.ts'
import { jobId } from '../../domain/cases/jobs.ts'
import { auditEvent } from '../../domain/cases/due-audit-events.ts'
import type { Phase } from '../../domain/cases/status.ts'
import {
  revocationKey,
  type CertificateRecord,
  type RevocationRecord,
  type RunCertificates,
} from '../../domain/pki.ts'
import { objectPages } from '../../application/store/object-pages.ts'
import type { CaseKey } from '../../domain/ports/stores.ts'
import type { WorkerDeps } from '../deps.ts'
import {
  readWorkerResult,
  writeWorkerResult,
  type ReadResultDeps,
} from '../../application/store/stored-results.ts'

type CertificateDeps = Pick<WorkerDeps, 'objects' | 'trail' | 'jobs' | 'keyring' | 'alarm' | 'now'>

/** Far more than the participants of a case times its attempts. */
const MAXIMUM_PAGES = 100

/**
 * Records the certificates of a run, as one object, before anything is signed with them.
 *
 * @param records by serial number, hex; at least one
 * @throws Error when the store fails, or when the first serial number was used before
 */
export async function recordCertificates(
  key: CaseKey,
  records: ReadonlyMap<string, CertificateRecord>,
  { objects, keyring }: Pick<WorkerDeps, 'objects' | 'keyring'>,
): Promise<void> {
  const [[serial, first], ...others] = [...records] as [[string, CertificateRecord]]
  const value: RunCertificates = {
    ...first,
    ...(others.length > 0 && { others: Object.fromEntries(others) }),
  }
  const objectKey = certificateKey(key, serial)
  // What is signed with them comes later to the disk than their record.
  const writing = { objects, keyring, durability: 'later' } as const
  const isNew = await writeWorkerResult(objectKey, value, undefined, writing)
  if (!isNew) throw new Error('certificate serial number collision')
}

/**
 * Reads the certificates of the run whose first certificate has this serial number.
 *
 * @returns by serial number; empty when no worker wrote the record, which could name a certificate
 *   of another case
 */
export async function readRun(
  key: CaseKey,
  serial: string,
  deps: ReadResultDeps,
): Promise<ReadonlyMap<string, CertificateRecord>> {
  const violation = { object: 'certificate', key } as const
  const objectKey = certificateKey(key, serial)
  const stored = await readWorkerResult<RunCertificates>(objectKey, violation, deps)
  if (!stored?.value) return new Map()
  const { others = {}, ...first } = stored.value
  return new Map([[serial, first], ...Object.entries(others)])
}

/**
 * Returns the runs of the case whose certificates are not in `used`: a signed PDF uses all
 * certificates of one run.
 *
 * @param used serial numbers, hex
 * @returns the serial number of the first certificate of each run
 */
export async function unusedRuns(
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
  await revokeCertificates(key, await unusedRuns(key, new Set(), deps), deps)
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
  const objectKey = revocationKey(serial)
  const stored = await readWorkerResult<RevocationRecord>(objectKey, { object: 'revocation' }, deps)
  if (stored?.value) return stored.value
  if (await writeWorkerResult(objectKey, record, stored, deps)) return record
  const winner = await readWorkerResult<RevocationRecord>(objectKey, { object: 'revocation' }, deps)
  return winner?.value ?? record
}

/**
 * Revokes the certificates of runs of a case, appends that to the trail, and requests a new
 * revocation list. Idempotent.
 *
 * @param runs result of {@link unusedRuns}
 * @throws Error when a store fails
 */
export async function revokeCertificates(
  key: CaseKey,
  runs: readonly string[],
  deps: CertificateDeps,
): Promise<void> {
  if (runs.length === 0) return
  const revoked = runs.map(async (run) => {
    const certificates = [...(await readRun(key, run, deps))]
    return Promise.all(certificates.map((one) => revocationEvent(key, one, deps)))
  })
  const events = (await Promise.all(revoked)).flat()
  await deps.trail.append(key, events).catch((error: unknown) => {
    // The certificates are revoked even if the trail is not sound.
    if (!(error instanceof AuditTrailError)) throw error
  })
  await deps.jobs.add('crl', jobId('crl', {}), {})
}

async function revocationEvent(
  { caseId }: CaseKey,
  [certificateSerial, certificate]: readonly [string, CertificateRecord],
  deps: CertificateDeps,
) {
  const { recordedAt, revokedAt, reason } = await revoke(certificateSerial, certificate, deps)
  return auditEvent(caseId, 'participant.certificate_revoked', {
    occurredAt: recordedAt,
    actor: 'system',
    participantId: certificate.participantId,
    occurrence: certificateSerial,
    data: { certificateSerial, revokedAt, reason },
  })
}
