/**
 * URLs that let their holder read or write one object until they expire; nothing else opens
 * `/objects`.
 */
import { createHmac, type KeyObject } from 'node:crypto'
import { Buffer } from 'node:buffer'
import type { Keyring } from '../../domain/ports/keyring.ts'
import { isSameSecret } from '../../domain/same-secret.ts'

const OBJECTS_PATH = '/objects/'
const DOMAIN = 'sigcase/object-url/v1'

/** What one URL permits. */
export interface Permission {
  method: 'GET' | 'PUT'
  key: string
  expiresAt: Date
  /** What a PUT must send as `Content-Type`. */
  contentType?: string
  /** Octets that a PUT may have; when absent, the size is judged after the upload. */
  maximumBytes?: number
  /** The name under which a GET is saved. */
  downloadName?: string
}

function macOf(secret: KeyObject, permission: Permission): Buffer {
  const { method, key, expiresAt, contentType = '', downloadName = '', maximumBytes } = permission
  const message = [DOMAIN, method, key, expiresAt.getTime(), contentType, downloadName]
  // Older URLs have no size.
  if (maximumBytes !== undefined) message.push(maximumBytes)
  return createHmac('sha256', secret).update(JSON.stringify(message)).digest()
}

/** @param baseUrl without a slash at its end */
export function presignedUrl(
  baseUrl: string,
  keyring: Keyring<'object-url'>,
  permission: Permission,
): string {
  const { kid, secret } = keyring.current('object-url')
  const { key, expiresAt, contentType, maximumBytes, downloadName } = permission
  const url = new URL(`${baseUrl}${OBJECTS_PATH}${key}`)
  url.searchParams.set('expires', String(expiresAt.getTime()))
  if (contentType !== undefined) url.searchParams.set('type', contentType)
  if (maximumBytes !== undefined) url.searchParams.set('size', String(maximumBytes))
  if (downloadName !== undefined) url.searchParams.set('name', downloadName)
  url.searchParams.set('kid', kid)
  url.searchParams.set('signature', macOf(secret, permission).toString('base64url'))
  return url.href
}

/**
 * @returns what the URL permits, or undefined when it was not made by us, was altered or has
 * expired
 */
export function readPresigned(
  keyring: Keyring<'object-url'>,
  request: { method: string; key: string; query: URLSearchParams; now: Date },
): Permission | undefined {
  const { method, key, query, now } = request
  const granted = method === 'HEAD' ? 'GET' : method
  if (granted !== 'GET' && granted !== 'PUT') return undefined
  const contentType = query.get('type')
  const maximumBytes = query.get('size')
  const downloadName = query.get('name')
  const permission: Permission = {
    method: granted,
    key,
    expiresAt: new Date(Number(query.get('expires'))),
    ...(contentType === null ? {} : { contentType }),
    ...(maximumBytes === null ? {} : { maximumBytes: Number(maximumBytes) }),
    ...(downloadName === null ? {} : { downloadName }),
  }
  const secret = keyring.find('object-url', query.get('kid') ?? '')?.secret
  if (!secret || Number.isNaN(permission.expiresAt.getTime())) return undefined
  // Compared as text: several texts decode to the same octets, and only one of them was given out.
  const given = Buffer.from(query.get('signature') ?? '')
  const expected = Buffer.from(macOf(secret, permission).toString('base64url'))
  if (!isSameSecret(given, expected)) return undefined
  return now < permission.expiresAt ? permission : undefined
}
