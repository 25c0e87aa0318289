/** What the service's own objects say that they are (RFC 6838). */
export const JSON_TYPE = 'application/json'
export const PDF_TYPE = 'application/pdf'
