/**
 * The API with stores that answer at once; all else is as in production. Prints its port and a
 * token.
 */
import { randomBytes, randomInt, randomUUID } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import { InProcessEphemeral } from '../../adapters/embedded/ephemeral.ts'
import { JwsCodeSessions } from '../../adapters/jose/code-sessions.ts'
import { LocalTenantIdentity, mintTenantToken } from '../../adapters/jose/local-identity.ts'
import { JwsSigningLinks } from '../../adapters/jose/signing-links.ts'
import { buildApi } from '../../api/app.ts'
import { AuditTrail } from '../../domain/audit/trail.ts'
import type { SignatureCase } from '../../domain/cases/schema.ts'
import { PinHashes } from '../../domain/second-factor/pin-hash.ts'
import { readDrawing } from '../../pades/index.ts'
import { keyring } from '../../test/fixtures/signature-case.ts'
import {
  MemoryCaseStore,
  MemoryMailer,
  MemoryObjectStore,
  MemorySecretStore,
} from '../../test/fixtures/memory.ts'

/** Keeps the first case that it is given, and copies none: that would be the stub's own work. */
class ForgetfulCaseStore extends MemoryCaseStore {
  #first: SignatureCase | undefined

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

const now = () => new Date()
const objects = new MemoryObjectStore(now)
const app = await buildApi({
  cases: new ForgetfulCaseStore(),
  secrets: new MemorySecretStore(now),
  objects,
  trail: new AuditTrail(objects, () => randomBytes(16).toString('hex')),
  keyring,
  identity: new LocalTenantIdentity(keyring, now),
  links: new JwsSigningLinks(keyring),
  readDrawing,
  baseUrl: 'http://127.0.0.1',
  trustedProxies: [],
  logLevel: 'warn',
  now,
  codeSessions: new JwsCodeSessions(keyring),
  ephemeral: new InProcessEphemeral(now),
  mailer: new MemoryMailer(),
  pins: new PinHashes({ randomBytes }),
  randomUuid: randomUUID,
  randomInt: (limit) => randomInt(limit),
})
await app.listen({ port: 0, host: '127.0.0.1' })
const { port } = app.server.address() as AddressInfo
console.log(`${port} ${await mintTenantToken(keyring, 'acme', now())}`)
