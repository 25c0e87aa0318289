/** The file that states the policy of a validation (`npm run verify -- --policy FILE`). */
import { Type, type Static } from '@sinclair/typebox'
import { findSchemaFault } from './schema-faults.ts'

/** Octets of a policy file; real ones have a few thousand. */
export const MAXIMUM_POLICY_OCTETS = 262_144
const MAXIMUM_NAME_LENGTH = 200
const MAXIMUM_PATHS = 100
const MAXIMUM_EXPIRIES = 100
const MAXIMUM_KEY_BITS = 65_536

/** Names of hash functions, of paddings and of types of keys. */
const ALGORITHMS = [
  ...['md5', 'sha1', 'ripemd160', 'sha224', 'sha256', 'sha384', 'sha512'],
  ...['sha3-256', 'sha3-384', 'sha3-512'],
  ...['rsa-pkcs1', 'rsa-pss'],
  ...['rsa', 'ec', 'dsa', 'ed25519', 'ed448'],
] as const
/** These have a length; `rsa-pkcs1` and hash functions do not. */
const KEYS: readonly string[] = ['rsa', 'ec', 'dsa', 'ed25519', 'ed448']

const oneOf = <const T extends readonly string[]>(values: T, options: object = {}) =>
  Type.Union(
    values.map((value) => Type.Literal(value as T[number])),
    options,
  )

const strict = { additionalProperties: false }
const optional = Type.Optional
const path = Type.String({ minLength: 1, description: 'relative to the policy file' })
const instant = (description: string) =>
  Type.String({
    pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}(\\.\\d{1,3})?Z$',
    description: `${description}; ISO 8601 in UTC, such as \`2026-11-02T09:00:00Z\``,
  })
const PERMISSIONS = ['permitted', 'notPermitted'] as const

const TrustedListsOfPolicy = Type.Object(
  {
    folder: Type.String({
      minLength: 1,
      description: 'folder with the list of lists (`eu-lotl.xml`) and the national lists',
    }),
    anchors: Type.String({
      minLength: 1,
      description: 'file or folder with the certificates that may sign the list of lists',
    }),
    publication: optional(
      Type.String({
        minLength: 1,
        description: 'URL of the publication in the Official Journal that names these certificates',
      }),
    ),
  },
  { ...strict, description: 'EU trusted lists; absent: none are used' },
)

const Trust = Type.Object(
  {
    certificates: optional(
      Type.Array(path, {
        maxItems: MAXIMUM_PATHS,
        description: 'files (PEM or DER) or folders with trust anchors; absent: none',
      }),
    ),
    trustedLists: optional(TrustedListsOfPolicy),
  },
  {
    ...strict,
    description: 'who is trusted; absent: `--trust`, or else the root of the service in `DATA_DIR`',
  },
)

const Expiry = Type.Object(
  {
    algorithm: oneOf(ALGORITHMS, {
      description: 'a hash function, a padding of RSA, or a type of key',
    }),
    belowBits: optional(
      Type.Integer({
        minimum: 1,
        maximum: MAXIMUM_KEY_BITS,
        description: 'only keys with fewer bits; absent: all',
      }),
    ),
    until: optional(instant('last time at which the algorithm counts; absent: it never counts')),
  },
  strict,
)

const Modifications = Type.Object(
  {
    formFilling: optional(
      oneOf(PERMISSIONS, {
        description:
          'whether fields may be filled in after a signature that does not forbid it; default: ' +
          '`notPermitted`',
      }),
    ),
    annotations: optional(
      oneOf(['notPermitted'] as const, {
        description: 'comments that were added later; they are never permitted',
      }),
    ),
  },
  { ...strict, description: 'changes after signing that the policy permits' },
)

export const VerificationPolicy = Type.Object(
  {
    id: Type.String({
      minLength: 1,
      maxLength: MAXIMUM_NAME_LENGTH,
      description: 'name of the policy in reports, such as a URI',
    }),
    version: Type.Integer({ minimum: 1, description: 'version of the policy in reports' }),
    description: optional(Type.String({ description: 'for people; not used' })),
    trust: optional(Trust),
    validationTime: optional(instant('time of the validation; absent: `--time`, or else now')),
    revocation: optional(
      oneOf(['required', 'ifPresent'] as const, {
        description:
          'whether the revocation status of a certificate that names a list or responder must be ' +
          'known; default: `required`',
      }),
    ),
    modifications: optional(Modifications),
    algorithms: optional(
      Type.Array(Expiry, {
        maxItems: MAXIMUM_EXPIRIES,
        description:
          'algorithms and keys that do not count from some time on; they add to the built-in list',
      }),
    ),
  },
  strict,
)
export type VerificationPolicy = Static<typeof VerificationPolicy>

/** A policy file that cannot be used; the message says where and why. */
export class PolicyError extends Error {
  override readonly name = 'PolicyError'
}

function instantsOf({ validationTime, algorithms = [] }: VerificationPolicy): [string, string][] {
  const ofAlgorithms = algorithms.flatMap(({ until }, index): [string, string][] =>
    until === undefined ? [] : [[`/algorithms/${index}/until`, until]],
  )
  return [
    ...(validationTime === undefined
      ? []
      : [['/validationTime', validationTime] as [string, string]]),
    ...ofAlgorithms,
  ]
}

/** Checks what a schema cannot say. @throws PolicyError */
function assertConsistent(policy: VerificationPolicy): void {
  for (const [place, text] of instantsOf(policy)) {
    const time = new Date(text)
    const isReal = !Number.isNaN(time.getTime()) && time.toISOString().startsWith(text.slice(0, 19))
    if (!isReal) throw new PolicyError(`${place}: ${text} is not a time`)
  }
  for (const [index, { algorithm, belowBits }] of (policy.algorithms ?? []).entries()) {
    if (belowBits !== undefined && !KEYS.includes(algorithm)) {
      throw new PolicyError(`/algorithms/${index}/belowBits: ${algorithm} is not a type of key`)
    }
  }
}

/**
 * Checks a parsed policy file.
 *
 * @throws PolicyError for a member that is missing, unknown or has a wrong value
 */
export function checkPolicy(parsed: unknown): VerificationPolicy {
  const fault = findSchemaFault(VerificationPolicy, parsed)
  if (fault) {
    const choices = (fault.schema['anyOf'] ?? []) as { const?: unknown }[]
    const names = choices.map((choice) => JSON.stringify(choice.const)).join(', ')
    const message = names === '' ? fault.message : `Expected one of ${names}`
    throw new PolicyError(`${fault.path || '/'}: ${message}`)
  }
  const policy = parsed as VerificationPolicy
  assertConsistent(policy)
  return policy
}
