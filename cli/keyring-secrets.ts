/** Prints the Secrets of a keyring: one for each set of keys, as the chart mounts them. */
import { FOLDER_ONLY, type KeySet } from '../domain/key-grants.ts'
import { UsageError } from './usage.ts'

/** The chart value `keyring.secretNamePrefix`. */
export const STANDARD_PREFIX = 'sigcase-keyring'
/** Key within each Secret, the chart value `keyring.key`. */
const MEMBER = 'keys.json'
/** RFC 1123, with room for the name of a set. */
const PREFIX = /^[a-z0-9]([-a-z0-9.]{0,198}[a-z0-9])?$/

/**
 * Prints a list for `kubectl create -f -`, which does not replace existing Secrets, or
 * `kubectl apply -f -`, which does.
 *
 * @param sets the text of each JWK Set; those that only one machine uses are left out
 * @throws UsageError for an invalid prefix
 */
export function printSecrets(sets: Iterable<readonly [KeySet, string]>, prefix: string): void {
  if (!PREFIX.test(prefix)) throw new UsageError('--prefix is not a valid Kubernetes name')
  const items = [...sets]
    .filter(([set]) => !FOLDER_ONLY.has(set))
    .map(([set, text]) => ({
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: `${prefix}-${set}` },
      type: 'Opaque',
      stringData: { [MEMBER]: text },
    }))
  console.log(JSON.stringify({ apiVersion: 'v1', kind: 'List', items }, null, 2))
}
