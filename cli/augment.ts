/**
 * `npm run --silent augment -- in.pdf out.pdf`: adds a new time-stamp to an archived file
 * before its last time-stamp becomes weak. It uses the authorities in `TSA_URLS`, or else the local
 * authority in `DATA_DIR`.
 */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { parseArgs } from 'node:util'
import { FileKeyring } from '../adapters/embedded/keyring.ts'
import { FileObjectStore } from '../adapters/embedded/object-store.ts'
import { SoftwareKeys } from '../adapters/embedded/software-keys.ts'
import { ANYWHERE } from '../adapters/outbound-http/egress-policy.ts'
import { GuardedHttp } from '../adapters/outbound-http/guarded-http.ts'
import { openAuthorities } from '../adapters/tsa/open-authorities.ts'
import { readConfig, type Config } from '../runtime/embedded/config.ts'
import { keyringFolder, keysFolder } from '../runtime/embedded/paths.ts'
import { systemTimers } from '../adapters/shared/system-timers.ts'
import { augmentDocument, validateSignatures } from '../pades/index.ts'
import { serviceRoots } from '../workers/finalise/own-output.ts'
import { IntegrityAlarm } from '../domain/integrity-alarm.ts'
import { NO_METRICS } from '../domain/ports/metrics.ts'
import { longTermRequest, type LongTermDeps } from '../workers/pki/long-term.ts'
import { readGiven, writeMade } from './files.ts'
import { calledFrom, runTool, UsageError } from './usage.ts'

const USAGE = 'usage: npm run --silent augment -- in.pdf out.pdf'
const CALLED_FROM = calledFrom('augment')

const now = () => new Date()

/** Opens the keys of the service for reading; new revocation lists are not published. */
async function openDeps({ dataDirectory, timeStamps }: Config, http: GuardedHttp) {
  const folder = keysFolder(dataDirectory)
  if (!existsSync(folder)) {
    throw new UsageError(`${dataDirectory} has no keys; set DATA_DIR to the folder of a service`)
  }
  const signingDevice = await SoftwareKeys.open(folder, now(), '')
  const keyring = new FileKeyring(keyringFolder(dataDirectory), ['object-url', 'worker-result'])
  const log = { error: (details: object) => console.error(details) }
  const alarm = new IntegrityAlarm({ log, metrics: NO_METRICS })
  const stored = new FileObjectStore({
    folder: join(dataDirectory, 'objects'),
    baseUrl: '',
    keyring,
  })
  const objects: LongTermDeps['objects'] = {
    get: (key) => stored.get(key),
    list: (prefix, options) => stored.list(prefix, options),
    compareAndSwap: async () => 'unwritten',
  }
  return {
    objects,
    keyring,
    alarm,
    signingDevice,
    ...openAuthorities({
      ...(timeStamps && { timeStamps }),
      http,
      signingDevice,
      onUnknown: (url, reason) => console.error(`${url}: ${reason}`),
      now,
    }),
    now,
    close: () => stored.close(),
  }
}

type OpenedDeps = Awaited<ReturnType<typeof openDeps>>

/** @throws Error when the new file has a worse validation result for a signature */
async function assertNothingLost(before: Uint8Array, after: Uint8Array, roots: Uint8Array[]) {
  const options = { trustAnchors: roots, validationTime: now() }
  const old = await validateSignatures(before, options)
  const report = await validateSignatures(after, options)
  const worse = report.signatures.find(
    ({ indication }, index) => indication !== old.signatures[index]?.indication,
  )
  if (worse) throw new Error(`the signature in ${worse.fieldName} would become ${worse.indication}`)
  const stamp = report.documentTimestamps.at(-1)
  if (stamp?.indication !== 'TOTAL_PASSED') throw new Error('the new time-stamp does not validate')
  return { signatures: report.signatures, stamp }
}

async function augment(input: string, output: string, http: GuardedHttp): Promise<void> {
  const deps = await openDeps(readConfig(process.env), http)
  try {
    await augmentWith(deps, input, output)
  } finally {
    await deps.close()
  }
}

async function augmentWith(deps: OpenedDeps, input: string, output: string): Promise<void> {
  const original = readGiven(input, CALLED_FROM)
  const augmented = await augmentDocument(original, {
    augmentedAt: now(),
    timeStamp: (digest) => deps.timeStamps.stamp(digest),
    longTerm: await longTermRequest(deps),
  })
  const roots = await serviceRoots(deps)
  const { signatures, stamp } = await assertNothingLost(original, augmented.bytes, roots)
  writeMade(output, augmented.bytes, CALLED_FROM)
  for (const { fieldName, indication, level } of signatures) {
    console.log(`${fieldName}: ${indication}, ${level}`)
  }
  console.log(`stamped at ${stamp.productionTime} by ${stamp.certificateChain[0]?.subject}`)
}

async function main(): Promise<number> {
  const { positionals } = parseArgs({ allowPositionals: true, options: {} })
  const [input, output, ...rest] = positionals
  if (input === undefined || output === undefined || rest.length > 0) {
    throw new UsageError('give two files')
  }
  // Allows every address: URLs come only from the configuration and from certificates.
  const http = new GuardedHttp({ timers: systemTimers, allowed: ANYWHERE })
  try {
    await augment(input, output, http)
  } finally {
    await http.close()
  }
  return 0
}

await runTool(main, USAGE)
