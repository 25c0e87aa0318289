/** Forty small faults, as a careless change could bring them in; tests must find them. */

/** One fault: a text that occurs once in its file, and what replaces it. */
export interface SeededFault {
  /** Path from the root. */
  file: string
  find: string
  replace: string
}

/** Builds the faults of one file. */
const faultsIn = (file: string, ...changes: readonly (readonly [string, string])[]) =>
  changes.map(([find, replace]): SeededFault => ({ file, find, replace }))

const DOMAIN = [
  ...faultsIn('domain/mask.ts', [
    'digits.length < MINIMUM_DIGITS',
    'digits.length <= MINIMUM_DIGITS',
  ]),
  ...faultsIn(
    'domain/second-factor/code-rules.ts',
    ['nowMs >= codeExpiresAtMs(current)', 'nowMs > codeExpiresAtMs(current)'],
    ['wrongTries >= limits.MAXIMUM_CODE_TRIES', 'wrongTries > limits.MAXIMUM_CODE_TRIES'],
    ['sentAtMs > nowMs - limits.CODE_WINDOW_MS', 'sentAtMs >= nowMs - limits.CODE_WINDOW_MS'],
  ),
  ...faultsIn(
    'domain/second-factor/pin-tries.ts',
    ['atMs - lastMs < PIN_LOCK_MS', 'atMs - lastMs <= PIN_LOCK_MS'],
    ['Date.parse(occurredAt) > sinceMs', 'Date.parse(occurredAt) >= sinceMs'],
  ),
  ...faultsIn('domain/cursor.ts', [
    "  if (given.toString('base64url') !== mac) return undefined\n",
    '',
  ]),
  ...faultsIn(
    'domain/cases/lifecycle.ts',
    ['nowMs >= expiresAtMs', 'nowMs > expiresAtMs'],
    ["!everyoneSigned || settled === 'NEW'", '!everyoneSigned'],
  ),
]

const APPLICATION = [
  ...faultsIn(
    'application/limits/bounds.ts',
    ['      await release()\n      throw', '      void release()\n      throw'],
    ['nowMs, 1)) <= limit', 'nowMs, 1)) < limit'],
  ),
  ...faultsIn(
    'application/second-factor/verify-code.ts',
    ['codeAttemptsLeft(history) - 1', 'codeAttemptsLeft(history)'],
    [
      "isCodeOf(replaced, earlier)) throw new ServiceError('OTP_EXPIRED')",
      'isCodeOf(replaced, earlier)) break',
    ],
  ),
  ...faultsIn('application/second-factor/pin-hash.ts', [
    'if (!(await matchesPin(hash, pin))) await refuse()',
    'if (!(await matchesPin(hash, pin))) void refuse().catch(() => {})',
  ]),
  ...faultsIn('application/cases/sign.ts', [
    '  assertOpenToParticipants(view, definition, nowMs)\n  assertCanSign',
    '  assertCanSign',
  ]),
]

const API = [
  ...faultsIn('api/authentication.ts', [
    '!link || link.participantId !== participantId.toLowerCase()',
    '!link',
  ]),
  ...faultsIn(
    'api/throttle.ts',
    ['IPV6_NETWORK_GROUPS = 4', 'IPV6_NETWORK_GROUPS = 5'],
    [
      'instanceof AuthenticationError) await countPublic',
      'instanceof AuthenticationError) void countPublic',
    ],
  ),
  ...faultsIn('api/request-budget.ts', [
    'if (!reply.raw.headersSent && !reply.sent) reply.send',
    'reply.send',
  ]),
  ...faultsIn(
    'api/participant-route.ts',
    ['await assertMayBeEmbedded(request', 'void assertMayBeEmbedded(request'],
    ["isReadOnly: request.method === 'HEAD'", 'isReadOnly: false'],
  ),
]

const CONTROLLERS = [
  ...faultsIn(
    'controllers/signature-case/decide.ts',
    ["pending.jobs.filter(({ kind }) => !isNamespaceEnding || kind !== 'webhook')", 'pending.jobs'],
    [
      'earliest(pending.wakeAtMs, plan.wakeAtMs, wakeOfRemoval(observation))',
      'earliest(pending.wakeAtMs, plan.wakeAtMs)',
    ],
  ),
  ...faultsIn(
    'controllers/work-queue.ts',
    ['      this.#again.set(key, [...(this.#again.get(key) ?? []), isNeeded])\n', ''],
    ['this.#waiting.size >= MAXIMUM_KEYS', 'this.#waiting.size > MAXIMUM_KEYS'],
  ),
]

const WORKERS = [
  ...faultsIn('workers/retention.ts', [
    'if (named !== tombstone && !(await replace(stored, named, deps))) return false',
    'if (named !== tombstone) await replace(stored, named, deps)',
  ]),
  ...faultsIn('workers/webhook/attempt.ts', [
    "ending.statusCode !== UNAUTHORIZED || next.kind === 'resend'",
    'ending.statusCode !== UNAUTHORIZED',
  ]),
  ...faultsIn('workers/oauth/token-cache.ts', ['ttlMs <= 0', 'ttlMs < 0']),
  ...faultsIn(
    'workers/intake.ts',
    ['size < MINIMUM_PDF_BYTES', 'size <= MINIMUM_PDF_BYTES'],
    ['await deps.objects.delete(uploadKey(key))', 'void deps.objects.delete(uploadKey(key))'],
  ),
]

const PADES = [
  ...faultsIn(
    'pades/validate/byte-range.ts',
    ['  if (!liesInItsObject(document, signature, holeStart, holeEnd)) return undefined\n', ''],
    ['byteRange.length !== 4 || byteRange.some', 'byteRange.some'],
  ),
  ...faultsIn('pades/cms/issuers.ts', [
    '!named || !own || same(named, own)',
    '!named || !own || named !== own',
  ]),
  ...faultsIn('pades/sign/occupied-places.ts', [
    'places.length >= MAX_OCCUPIED_PLACES',
    'places.length > MAX_OCCUPIED_PLACES',
  ]),
]

const ADAPTERS = [
  ...faultsIn('adapters/outbound-http/egress-policy.ts', [
    '    if (hidden !== undefined) return { allowed: false, range: hidden }\n',
    '',
  ]),
  ...faultsIn('adapters/embedded/presigned-url.ts', [
    'now < permission.expiresAt',
    'now <= permission.expiresAt',
  ]),
  ...faultsIn('adapters/kubernetes/lease.ts', [
    'unchangedMs < leaseDurationSeconds * 1000',
    'unchangedMs <= leaseDurationSeconds * 1000',
  ]),
  ...faultsIn('adapters/shared/repeated.ts', [
    'number === MAXIMUM_ATTEMPTS',
    'number > MAXIMUM_ATTEMPTS',
  ]),
  ...faultsIn('adapters/embedded/ephemeral.ts', [
    'entry.expiresAtMs > this.#now().getTime()',
    'entry.expiresAtMs >= this.#now().getTime()',
  ]),
  ...faultsIn('adapters/jose/signing-links.ts', ['        typ: TYPE,\n', '']),
]

export const SEEDED_FAULTS: readonly SeededFault[] = [
  ...DOMAIN,
  ...APPLICATION,
  ...API,
  ...CONTROLLERS,
  ...WORKERS,
  ...PADES,
  ...ADAPTERS,
]
