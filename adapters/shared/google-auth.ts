/** Authenticates to Google Cloud as a service account, by workload identity or key file. */
import { Buffer } from 'node:buffer'
import { createPrivateKey, sign, type KeyObject } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { promisify } from 'node:util'
import { Compute, GoogleAuth, type GoogleAuthOptions, type JWTInput } from 'google-auth-library'

const SCOPES = ['https://www.googleapis.com/auth/cloud-platform']
/**
 * Every request names its resource completely, so none needs a project. Without a value, Google's
 * client runs the program `gcloud` to find one, and asks the metadata server.
 */
const NO_PROJECT = '-'
const signAsync = promisify(sign)

/**
 * Credentials whose requests use the proxy of `HTTPS_PROXY`. Google's REST client for Cloud KMS
 * passes its own agent with each request, and gaxios uses a proxy only without one.
 */
class ProxiedAuth extends GoogleAuth {
  override fetch<T>(...args: Parameters<GoogleAuth['fetch']>) {
    const [url, options] = args as [string | URL, RequestInit | undefined]
    return super.fetch<T>(url, { ...options, agent: undefined } as RequestInit)
  }
}

/**
 * A service account with a key. It signs URLs off the event loop with a key that is parsed once;
 * Google's client would parse the key for every URL on the event loop, which is half of the work.
 */
class KeyAuth extends ProxiedAuth {
  readonly #privateKey: KeyObject

  /** @throws Error when the private key is invalid */
  constructor(options: GoogleAuthOptions, key: ServiceAccountKey) {
    super(options)
    this.jsonContent = key
    this.#privateKey = createPrivateKey(key.private_key)
  }

  /** @returns the RSASSA-PKCS1-v1_5 signature with SHA-256 in base64, as V4 URLs require it */
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

/** A time in the past, in milliseconds. */
const EXPIRED_MS = 1

/**
 * Makes the next request fetch a new access token from the metadata server. Google's client keeps a
 * token until it expires, even when Google refuses it, for example after a change of the account.
 *
 * @returns whether there was a token; a service account's key has none
 */
export function renewToken(auth: GoogleAuth): boolean {
  const credential: unknown = auth.cachedCredential
  if (!(credential instanceof Compute)) return false
  credential.credentials = { ...credential.credentials, expiry_date: EXPIRED_MS }
  return true
}

/**
 * The error does not contain the content of the file.
 *
 * @throws Error when it is not a key of a service account
 */
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
 * Builds credentials for the Google Cloud adapters, without network access. Without a key file, the
 * metadata server provides them (workload identity).
 *
 * @param keyFile path of a service account's key, JSON
 * @throws Error when the file is not such a key
 */
export function googleAuth({ keyFile }: { keyFile?: string }): GoogleAuth {
  const options = { scopes: SCOPES, projectId: NO_PROJECT }
  const auth = keyFile === undefined ? new ProxiedAuth(options) : keyAuth(options, keyFile)
  // A key signs its requests itself, without requesting a token first (AIP-4111).
  auth.useJWTAccessWithScope = true
  auth.defaultScopes = SCOPES
  return auth
}
