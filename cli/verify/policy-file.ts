/** Reads the policy file of `npm run verify`. */
import { createHash } from 'node:crypto'
import { dirname, resolve } from 'node:path'
import { readAnchors } from '../../adapters/trusted-lists/anchors.ts'
import { FileTrustedLists } from '../../adapters/trusted-lists/file-source.ts'
import { duplicateName } from '../../api/duplicate-names.ts'
import {
  checkPolicy,
  MAXIMUM_POLICY_OCTETS,
  PolicyError,
  type VerificationPolicy,
} from '../../domain/verification-policy.ts'
import type { ValidationOptions } from '../../pades/index.ts'
import type { TrustedLists } from '../../trusted-lists/index.ts'
import { readGiven } from '../files.ts'
import { UsageError } from '../usage.ts'

/** A policy with the name under which reports give it, and the folder of its relative paths. */
export interface PolicyFile {
  readonly policy: VerificationPolicy
  /** SHA-256 of the file, lower-case hex. */
  readonly sha256: string
  readonly folder: string
}

function parsePolicy(octets: Uint8Array): VerificationPolicy {
  if (octets.length > MAXIMUM_POLICY_OCTETS) throw new PolicyError('the file is too large')
  let text: string
  let parsed: unknown
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(octets)
    parsed = JSON.parse(text)
  } catch (error) {
    throw new PolicyError(`not JSON: ${error instanceof Error ? error.message : String(error)}`)
  }
  const twice = duplicateName(text, parsed)
  if (twice !== undefined) throw new PolicyError(`${twice}: the name occurs twice`)
  return checkPolicy(parsed)
}

/** @throws UsageError when the file cannot be read or is not a policy */
export function readPolicyFile(path: string, calledFrom: string): PolicyFile {
  const octets = readGiven(path, calledFrom)
  try {
    return {
      policy: parsePolicy(octets),
      sha256: createHash('sha256').update(octets).digest('hex'),
      folder: dirname(resolve(calledFrom, path)),
    }
  } catch (error) {
    if (!(error instanceof PolicyError)) throw error
    throw new UsageError(`${path} is not a policy: ${error.message}`)
  }
}

/** Trust anchors of a policy, with a description for people. */
export interface PolicyTrust {
  readonly certificates: readonly Uint8Array[]
  readonly lists: TrustedLists | undefined
  readonly origin: string
}

function anchorsAt(path: string, folder: string): Uint8Array[] {
  try {
    return readAnchors(resolve(folder, path))
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new UsageError(`the policy names ${path}, which cannot be used: ${reason}`)
  }
}

type TrustedListsOfPolicy = NonNullable<NonNullable<VerificationPolicy['trust']>['trustedLists']>

/** @throws Error when the list of lists is refused */
async function readLists(
  { folder: name, anchors, publication }: TrustedListsOfPolicy,
  folder: string,
  now: Date,
): Promise<TrustedLists> {
  // This code takes long to load, and most policies do not need it.
  const library = await import('../../trusted-lists/index.ts')
  const source = new FileTrustedLists(resolve(folder, name), {
    certificates: anchorsAt(anchors, folder),
    ...(publication !== undefined && { publication }),
  })
  const snapshot = await library.refreshSnapshot({
    location: source.location,
    anchors: source.anchors,
    read: (list) => source.read(list),
    keep: async () => undefined,
    previous: undefined,
    now,
  })
  return new library.TrustedLists(snapshot)
}

/**
 * Reads whom a policy trusts.
 *
 * @param now for the validity of the trusted lists
 * @returns undefined when the policy does not say
 * @throws UsageError when certificates cannot be read; Error when the list of lists is refused
 */
export async function trustOfPolicy(
  { policy, folder }: PolicyFile,
  now: Date,
): Promise<PolicyTrust | undefined> {
  if (!policy.trust) return undefined
  const { certificates: paths = [], trustedLists } = policy.trust
  const lists = trustedLists && (await readLists(trustedLists, folder, now))
  const names = [...paths, ...(trustedLists ? [`trusted lists in ${trustedLists.folder}`] : [])]
  return {
    certificates: paths.flatMap((path) => anchorsAt(path, folder)),
    lists,
    origin: names.length > 0 ? `${names.join(', ')} (policy)` : 'no root (policy)',
  }
}

/** The options of a validation that follow from the policy, except trust and time. */
export function optionsOfPolicy({
  policy,
  sha256,
}: PolicyFile): Omit<ValidationOptions, 'trustAnchors' | 'validationTime'> {
  const { id, version, revocation, modifications, algorithms = [] } = policy
  return {
    policy: { id, version, sha256 },
    acceptUncheckedRevocation: revocation === 'ifPresent',
    permitFormFilling: modifications?.formFilling === 'permitted',
    algorithmExpiries: algorithms.map(({ until, ...expiry }) => ({
      ...expiry,
      ...(until !== undefined && { until: new Date(until) }),
    })),
  }
}
