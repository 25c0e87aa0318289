/** Which kiosks listen to their channel now; the ephemeral store has it. */
import type { DeviceKey } from '../../domain/ports/device-store.ts'
import type { ExpiringValues } from '../../domain/ports/expiring-values.ts'

/** A kiosk whose process died counts as connected for at most this time. */
export const CONNECTION_LIFE_MS = 150_000

interface ConnectionDeps {
  ephemeral: Pick<ExpiringValues, 'get' | 'set' | 'delete'>
}

const keyOf = ({ tenant, deviceId }: DeviceKey) => `kiosk/connections/${tenant}/${deviceId}`

/**
 * Records that the kiosk listens; to be repeated within {@link CONNECTION_LIFE_MS}.
 *
 * @param connection id of its stream
 * @throws ServiceError TIMEOUT
 */
export async function recordConnection(
  key: DeviceKey,
  connection: string,
  { ephemeral }: ConnectionDeps,
): Promise<void> {
  await ephemeral.set(keyOf(key), connection, { ttlMs: CONNECTION_LIFE_MS })
}

/**
 * Records that a stream has ended, unless the kiosk has a newer one by now.
 *
 * @throws ServiceError TIMEOUT
 */
export async function forgetConnection(
  key: DeviceKey,
  connection: string,
  { ephemeral }: ConnectionDeps,
): Promise<void> {
  if ((await ephemeral.get(keyOf(key))) === connection) await ephemeral.delete(keyOf(key))
}

/** @returns undefined when the ephemeral store cannot be read */
export async function isConnected(
  key: DeviceKey,
  { ephemeral }: ConnectionDeps,
): Promise<boolean | undefined> {
  try {
    return (await ephemeral.get(keyOf(key))) !== undefined
  } catch {
    // The list of kiosks does not need the ephemeral store.
    return undefined
  }
}
