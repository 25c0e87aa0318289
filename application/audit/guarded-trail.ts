/** Builds the trail of a process with its witness and its alarm. */
import { IntegrityAlarm, type AlarmDeps } from '../../domain/integrity-alarm.ts'
import type { ExpiringValues } from '../../domain/ports/expiring-values.ts'
import type { PubSub } from '../../domain/ports/pub-sub.ts'
import type { Keyring } from '../../domain/ports/keyring.ts'
import type { Metrics } from '../../domain/ports/metrics.ts'
import type { ObjectStore } from '../../domain/ports/object-store.ts'
import { AuditTrail } from './trail.ts'
import { KeyedWitness, type HeadMemory } from './witness.ts'
import { publishUpdate } from '../cases/publish-updates.ts'

export interface GuardedTrailDeps {
  objects: ObjectStore
  keyring: Keyring<'audit-trail'>
  ephemeral: ExpiringValues & PubSub
  /** Remembers the heads of trails; absent: the ephemeral store. */
  heads?: HeadMemory
  log: AlarmDeps['log']
  metrics: Metrics
  /** Returns a salt of 128 bits, hex. */
  randomHex: () => string
}

/** Builds the trail and the alarm that it raises; other parts of the process share the alarm. */
export function buildGuardedTrail({
  objects,
  keyring,
  ephemeral,
  heads = ephemeral,
  log,
  metrics,
  randomHex,
}: GuardedTrailDeps): {
  trail: AuditTrail
  alarm: IntegrityAlarm
} {
  const alarm = new IntegrityAlarm({ log, ephemeral, metrics })
  const trail = new AuditTrail(objects, {
    keyring,
    randomHex,
    witness: new KeyedWitness(heads, keyring),
    onAppended: (key) => publishUpdate(ephemeral, key),
    onFault: (key, { sequence, fault }) =>
      alarm.raise({ object: 'audit-trail', fault, key, sequence }),
  })
  return { trail, alarm }
}
