/** The API as a process of its own on a cluster. */
import { randomBytes, randomInt, randomUUID } from 'node:crypto'
import process from 'node:process'
import { readDrawing } from '../adapters/drawings/read-drawing.ts'
import { FileMailer } from '../adapters/embedded/mailer.ts'
import { ObjectServer } from '../adapters/embedded/object-server.ts'
import { JwsCodeSessions } from '../adapters/jose/code-sessions.ts'
import { LocalTenantIdentity } from '../adapters/jose/local-identity.ts'
import { HttpSmsGateway } from '../adapters/sms/http-gateway.ts'
import { openAdapters } from '../cluster/adapters.ts'
import { serveOperations } from '../cluster/operations.ts'
import { runProcess, type ProcessParts } from '../cluster/process.ts'
import { processMetrics } from '../cluster/process-metrics.ts'
import { readApiConfig, type ApiConfig } from '../config/cluster.ts'
import { caseOfUpload } from '../domain/cases/keys.ts'
import { CASE_BELL } from '../domain/ports/ephemeral.ts'
import { PinHashes } from '../domain/second-factor/pin-hash.ts'
import { buildApi } from './app.ts'

const SECRET_OCTETS = 32

/** Serves the API until it is closed; when it returns, requests are answered. */
export async function startApi(config: ApiConfig, parts: ProcessParts): Promise<void> {
  const { closings } = parts
  const { host, port, operationsPort, smsGateway } = config
  const adapters = openAdapters(config, parts)
  const { ephemeral, keyring, objects, now } = adapters
  const uploaded = (key: string) => {
    const caseKey = caseOfUpload(key)
    if (caseKey) void ephemeral.ring(CASE_BELL, JSON.stringify(caseKey)).catch(() => undefined)
  }
  const api = await buildApi({
    ...adapters,
    identity: new LocalTenantIdentity(keyring, now),
    mailer: new FileMailer(config.mailFolder),
    readDrawing,
    trustedProxies: config.trustedProxies,
    requestsPerMinute: config.requestsPerMinute,
    logLevel: config.logLevel,
    objectHandler: new ObjectServer(objects, keyring, now, uploaded),
    codeSessions: new JwsCodeSessions(keyring),
    sms: smsGateway && new HttpSmsGateway(smsGateway),
    pins: new PinHashes({ randomBytes }),
    randomUuid: randomUUID,
    randomSecret: () => randomBytes(SECRET_OCTETS).toString('base64url'),
    randomInt: (limit) => randomInt(limit),
  })
  closings.unshift(() => api.close())
  const operations = await serveOperations(
    { host, port: operationsPort },
    { readiness: async () => ({ ready: true }), metrics: async () => processMetrics() },
  )
  closings.push(() => operations.close())
  await api.listen({ host, port })
}

if (import.meta.main) {
  const { env: environment } = process
  await runProcess({ component: 'api', environment, readConfig: readApiConfig, start: startApi })
}
