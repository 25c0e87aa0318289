/** Headers of every answer: answers hold personal data and links, and must not be cached. */
const ANSWER_HEADERS = {
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
} as const

/** One year; other hosts of the domain are not ours to decide about (RFC 6797, 6.1). */
const STRICT_TRANSPORT = { 'strict-transport-security': 'max-age=31536000' }

/** @param baseUrl where people reach the service: browsers stay on https when it is https */
export function answerHeaders(baseUrl: string): Readonly<Record<string, string>> {
  const isHttps = new URL(baseUrl).protocol === 'https:'
  return { ...ANSWER_HEADERS, ...(isHttps ? STRICT_TRANSPORT : {}) }
}
