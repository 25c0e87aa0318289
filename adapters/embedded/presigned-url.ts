/**
 * URLs that allow their holder to read or write one object until they expire; there is no other
 * access to `/objects`.
 */
import { createHmac, type KeyObject } from 'node:crypto'
import { Buffer } from 'node:buffer'
import type { Keyring } from '../../domain/ports/keyring.ts'
import { isSameSecret } from '../../domain/same-secret.ts'

const OBJECTS_PATH = '/objects/'
const DOMAIN = 'sigcase/object-url/v1'

/** The permission of one URL. */
export interface Permission {
  method: 'GET' | 'PUT'
  key: string
  expiresAt: Date
  /** Required `Content-Type` of a PUT. */
  contentType?: string
  /** Maximum size of a PUT in octets; absent: the size is checked after the upload. */
  maximumBytes?: number
  /** File name of a GET download. */
  downloadName?: string
}

function macOf(secret: KeyObject, permission: Permission): Buffer {
  const { method, key, expiresAt, contentType = '', downloadName = '', maximumBytes } = permission
  const message = [DOMAIN, method, key, expiresAt.getTime(), contentType, downloadName]
  // Older URLs do not contain a size.
  if (maximumBytes !== undefined) message.push(maximumBytes)
  return createHmac('sha256', secret).update(JSON.stringify(message)).digest()
}

/** @param baseUrl without a trailing slash */
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
 * @returns the permission, or undefined when the URL was not made by this service, was altered or
 *   has expired
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
  // Compared as text, because several base64 texts decode to the same octets.
  const given = Buffer.from(query.get('signature') ?? '')
  const expected = Buffer.from(macOf(secret, permission).toString('base64url'))
  if (!isSameSecret(given, expected)) return undefined
  return now < permission.expiresAt ? permission : undefined
}
