/** Media types of the service's objects (RFC 6838). */
export const JSON_TYPE = 'application/json'
export const PDF_TYPE = 'application/pdf'
export const XML_TYPE = 'application/xml'

/**
 * The type and subtype of a `Content-Type`, in lower case and without parameters (RFC 9110, 8.3.1).
 */
export function mediaTypeOf(contentType: string): string {
  return contentType.replace(/;.*$/s, '').trim().toLowerCase()
}
