/** Who the service is to Google Cloud: a service account, by workload identity or by its key. */
import { Buffer } from 'node:buffer'
import { createPrivateKey, sign, type KeyObject } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { promisify } from 'node:util'
import { Compute, GoogleAuth, type GoogleAuthOptions, type JWTInput } from 'google-auth-library'

const SCOPES = ['https://www.googleapis.com/auth/cloud-platform']
const signAsync = promisify(sign)

/**
 * A service account by its key. URLs are signed off the event loop with the key parsed once, where
 * the client would parse it for each of them on the loop, which is half of the work.
 */
class KeyAuth extends GoogleAuth {
  readonly #privateKey: KeyObject

  /** @throws Error when the private key is none */
  constructor(options: GoogleAuthOptions, key: ServiceAccountKey) {
    super(options)
    this.jsonContent = key
    this.#privateKey = createPrivateKey(key.private_key)
  }

  /** @returns base64 of the signature by RSASSA-PKCS1-v1_5 with SHA-256, as URLs of V4 want it */
  override async sign(data: string): Promise<string> {
    const signature = await signAsync('sha256', Buffer.from(data), this.#privateKey)
    return signature.toString('base64')
  }
}

interface ServiceAccountKey extends JWTInput {
  client_email: string
  private_key: string
}

const isServiceAccountKey = (key: JWTInput): key is ServiceAccountKey =>
  key.type === 'service_account' && Boolean(key.client_email && key.private_key)

/** A time that has passed, in milliseconds. */
const EXPIRED_MS = 1

/**
 * Makes the next request ask the metadata server for a new access token. The client keeps a token
 * until it expires, even when Google refuses it, as after a change of the account.
 *
 * @returns whether there was a token; a service account's key has none
 */
export function renewToken(auth: GoogleAuth): boolean {
  const credential: unknown = auth.cachedCredential
  if (!(credential instanceof Compute)) return false
  credential.credentials = { ...credential.credentials, expiry_date: EXPIRED_MS }
  return true
}

/** What was read stands in no message. @throws Error when it is no key of a service account */
function keyAuth(options: GoogleAuthOptions, keyFile: string): GoogleAuth {
  const fault = `${keyFile} is not a service account's key`
  try {
    const key = JSON.parse(readFileSync(keyFile, 'utf8')) as JWTInput
    if (isServiceAccountKey(key)) return new KeyAuth(options, key)
  } catch {
    throw new Error(fault)
  }
  throw new Error(fault)
}

/**
 * Credentials for the adapters of Google Cloud; nothing is asked of anybody yet. Without a key the
 * metadata server is asked (workload identity).
 *
 * @param keyFile path of a service account's key, JSON
 * @throws Error when the file is no such key
 */
export function googleAuth({ keyFile }: { keyFile?: string }): GoogleAuth {
  const options = { scopes: SCOPES }
  const auth = keyFile === undefined ? new GoogleAuth(options) : keyAuth(options, keyFile)
  // A key signs its requests by itself, without asking for a token first (AIP-4111).
  auth.useJWTAccessWithScope = true
  auth.defaultScopes = SCOPES
  return auth
}
