/** Who the service is to Google Cloud: a service account, by workload identity or by its key. */
import { readFileSync } from 'node:fs'
import { GoogleAuth, type JWTInput } from 'google-auth-library'

const SCOPES = ['https://www.googleapis.com/auth/cloud-platform']

/** What was read stands in no message. @throws Error when it is no key of a service account */
function readKey(keyFile: string): JWTInput {
  const fault = `${keyFile} is not a service account's key`
  try {
    const key = JSON.parse(readFileSync(keyFile, 'utf8')) as JWTInput
    if (key.type === 'service_account' && key.client_email && key.private_key) return key
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
  const auth = new GoogleAuth({ scopes: SCOPES })
  if (keyFile !== undefined) auth.jsonContent = readKey(keyFile)
  // A key signs its requests by itself, without asking for a token first (AIP-4111).
  auth.useJWTAccessWithScope = true
  auth.defaultScopes = SCOPES
  return auth
}
