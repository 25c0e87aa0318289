/**
 * Emulates the Pub/Sub push of uploads: messages with a token, repeated until acknowledged.
 */
import { generateKeyPairSync, randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { exportJWK, SignJWT } from 'jose'
import { emulatedServer, json } from './http.ts'

const ACCOUNT = 'sigcase-push@project.iam.gserviceaccount.com'
const SUBSCRIPTION = 'projects/project/subscriptions/sigcase-uploads'
const KEY_ID = 'pubsub'
const TOKEN_LIFE_SECONDS = 3_600
/** Message retention of the documented command; older messages are dropped. */
const RETENTION_MS = 10 * 60 * 1000
const FIRST_PAUSE_MS = 100
const LONGEST_PAUSE_MS = 10_000
const REQUEST_LIMIT_MS = 10_000

export interface EmulatedPubSubOptions {
  bucket: string
  /** Public URL of the service, also the audience of the tokens. */
  baseUrl: string
  nowMs: () => number
  port?: number
}

/** Variables of the service for the push subscription. */
export const pubSubEnvironment = (baseUrl: string, issuer: string) => ({
  PUBSUB_PUSH_AUDIENCE: baseUrl,
  PUBSUB_PUSH_ACCOUNT: ACCOUNT,
  PUBSUB_PUSH_ISSUER: issuer,
})

function messageOf(bucket: string, objectId: string, nowMs: number) {
  const attributes = {
    bucketId: bucket,
    eventType: 'OBJECT_FINALIZE',
    notificationConfig: `projects/_/buckets/${bucket}/notificationConfigs/1`,
    objectId,
    payloadFormat: 'NONE',
  }
  const publishTime = new Date(nowMs).toISOString()
  return {
    message: { attributes, messageId: randomUUID(), publishTime },
    subscription: SUBSCRIPTION,
  }
}

/** Token issuer and push sender on one port. */
export async function emulatedPubSub(options: EmulatedPubSubOptions) {
  const { bucket, baseUrl, nowMs, port } = options
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 })
  const keys = [{ ...(await exportJWK(publicKey)), kid: KEY_ID, alg: 'RS256', use: 'sig' }]
  const ended = new AbortController()
  const server = await emulatedServer(({ url }) => {
    if (url.pathname === '/keys') return json(200, { keys })
    if (url.pathname !== '/.well-known/openid-configuration') return json(404, {})
    return json(200, { issuer: server.origin, jwks_uri: `${server.origin}/keys` })
  }, port)
  const token = (now: number) =>
    new SignJWT({ email: ACCOUNT, email_verified: true })
      .setProtectedHeader({ alg: 'RS256', kid: KEY_ID })
      .setIssuer(server.origin)
      .setAudience(baseUrl)
      .setSubject('1')
      .setIssuedAt(now)
      .setExpirationTime(now + TOKEN_LIFE_SECONDS)
      .sign(privateKey)

  async function isTaken(body: string): Promise<boolean> {
    const authorization = `Bearer ${await token(Math.floor(nowMs() / 1000))}`
    const signal = AbortSignal.any([ended.signal, AbortSignal.timeout(REQUEST_LIMIT_MS)])
    const headers = { authorization, 'content-type': 'application/json' }
    const request = { method: 'POST', headers, body, signal }
    const answer = await fetch(`${baseUrl}/notifications/uploads`, request).catch(() => undefined)
    await answer?.body?.cancel()
    return answer?.ok ?? false
  }

  /** Pushes a message until the service acknowledges it. */
  async function push(objectId: string): Promise<void> {
    const body = JSON.stringify(messageOf(bucket, objectId, nowMs()))
    const deadlineMs = performance.now() + RETENTION_MS
    for (let pauseMs = FIRST_PAUSE_MS; performance.now() < deadlineMs; pauseMs *= 2) {
      if (ended.signal.aborted || (await isTaken(body))) return
      await sleep(Math.min(pauseMs, LONGEST_PAUSE_MS), undefined, { ref: false })
    }
  }

  const close = async () => {
    ended.abort()
    await server.close()
  }
  return { ...server, push, close }
}
