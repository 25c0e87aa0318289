/** Media types of the service's objects (RFC 6838). */
export const JSON_TYPE = 'application/json'
export const PDF_TYPE = 'application/pdf'
