/** The production API with stores that answer at once. */
import { randomBytes, randomInt, randomUUID } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { InProcessEphemeral } from '../../adapters/embedded/ephemeral.ts'
import { JwsCodeSessions } from '../../adapters/jose/code-sessions.ts'
import { LocalTenantIdentity, mintTenantToken } from '../../adapters/jose/local-identity.ts'
import { JwsSigningLinks } from '../../adapters/jose/signing-links.ts'
import { buildApi } from '../../api/app.ts'
import { testTrail } from '../../test/fixtures/alarms.ts'
import { DELIVERY_TIMES } from '../../domain/cases/webhook-attempts.ts'
import type { SignatureCase } from '../../domain/cases/signature-case.ts'
import type { Mail } from '../../domain/ports/mailer.ts'
import { NO_METRICS } from '../../domain/ports/metrics.ts'
import { PinHashes } from '../../application/second-factor/pin-hash.ts'
import { systemTimers } from '../../adapters/shared/system-timers.ts'
import { readDrawing } from '../../pades/index.ts'
import { keyring, TENANT } from '../../test/fixtures/signature-case.ts'
import { MemoryCaseStore, MemorySecretStore } from '../../test/fixtures/memory-cases.ts'
import { MemoryObjectStore } from '../../test/fixtures/memory-objects.ts'
import { MemorySender } from '../../test/fixtures/memory-senders.ts'
import { MemoryDeviceStore } from '../../test/fixtures/memory-devices.ts'

/** Keeps the first case without copying it, because copying would add work of the stub. */
class ForgetfulCaseStore extends MemoryCaseStore {
  #first: SignatureCase | undefined

  override seed(signatureCase: SignatureCase): SignatureCase {
    this.#first = signatureCase
    return signatureCase
  }

  override async create({ metadata, ...rest }: SignatureCase): Promise<SignatureCase> {
    const creationTimestamp = rest.spec.creation.at
    const made = { resourceVersion: '1', generation: 1, creationTimestamp }
    const created = { ...rest, metadata: { ...metadata, ...made } }
    this.#first ??= created
    return created
  }

  override async get(): Promise<SignatureCase | undefined> {
    return this.#first
  }
}

export interface StubbedApi {
  app: FastifyInstance
  cases: MemoryCaseStore
  devices: MemoryDeviceStore
  tenantToken: string
}

/** Builds the server; it does not listen yet. */
export async function stubbedApi(): Promise<StubbedApi> {
  const now = () => new Date()
  const objects = new MemoryObjectStore(now)
  const cases = new ForgetfulCaseStore()
  const devices = new MemoryDeviceStore()
  const app = await buildApi({
    cases,
    devices,
    secrets: new MemorySecretStore(now),
    objects,
    metrics: NO_METRICS,
    ephemeral: new InProcessEphemeral(now),
    jobs: { add: async () => {} },
    trail: testTrail(objects, () => randomBytes(16).toString('hex')),
    deliveryTimes: DELIVERY_TIMES,
    keyring,
    identity: new LocalTenantIdentity(keyring, now),
    codeSessions: new JwsCodeSessions(keyring),
    mailer: new MemorySender<Mail>(),
    pins: new PinHashes({ randomBytes }),
    links: new JwsSigningLinks(keyring),
    readDrawing: async (encoded) => readDrawing(encoded),
    baseUrl: 'http://127.0.0.1',
    trustedProxies: [],
    logLevel: 'warn',
    now,
    timers: systemTimers,
    randomUuid: randomUUID,
    randomInt: (limit) => randomInt(limit),
    randomSecret: () => randomBytes(32).toString('base64url'),
  })
  return { app, cases, devices, tenantToken: await mintTenantToken(keyring, TENANT, now()) }
}
