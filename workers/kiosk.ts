/**
 * The job `kiosk`: opens a case on its kiosk for the next participant, and closes it when it is
 * over (specification 4.1, 6.3).
 */
import { acceptedSignatures } from '../domain/cases/facts.ts'
import { caseView } from '../domain/cases/lifecycle.ts'
import { changeDevice } from '../application/kiosks/change.ts'
import { concernedDevices } from '../application/kiosks/concerned.ts'
import { dueHandOver } from '../domain/devices/handover.ts'
import type { CaseKey } from '../domain/ports/stores.ts'
import type { WorkerDeps } from './deps.ts'
import { publishCaseChange } from './publish-case-change.ts'

type KioskDeps = Pick<WorkerDeps, 'cases' | 'devices' | 'keyring' | 'ephemeral' | 'now' | 'tracer'>

/** Idempotent: the device records say what was already done. */
export async function kiosk(key: CaseKey, deps: KioskDeps): Promise<void> {
  const signatureCase = await deps.cases.get(key)
  if (!signatureCase) return
  const nowMs = deps.now().getTime()
  const accepted = acceptedSignatures(deps.keyring, signatureCase)
  const seen = { signatureCase, view: caseView(signatureCase, accepted, nowMs) }
  for (const { metadata } of await concernedDevices(signatureCase, deps.devices)) {
    const deviceKey = { tenant: key.tenant, deviceId: metadata.name }
    // Decided from the current record, because a tenant may open another case at the same time.
    await changeDevice(deviceKey, deps, (device) => dueHandOver(seen, device, nowMs))
  }
  await publishCaseChange(key, deps)
}
