/** Which requests of pages of other origins a bucket takes (Cloud Storage, CORS; WHATWG Fetch). */
import type { EmulatedAnswer, EmulatedRequest } from '../http.ts'

/** As `gcloud storage buckets update --cors-file` takes it. */
export interface CorsRule {
  origin: readonly string[]
  method: readonly string[]
  /** May be sent, and may be read. */
  responseHeader: readonly string[]
  maxAgeSeconds: number
}

function ruleFor(rules: readonly CorsRule[], origin: string | undefined, method: string) {
  return rules.find((rule) => rule.origin.includes(origin ?? '') && rule.method.includes(method))
}

const lower = (names: readonly string[]) => names.map((name) => name.trim().toLowerCase())

/** What lets the page read the answer; nothing when no rule is for it. */
export function corsHeaders(
  rules: readonly CorsRule[],
  { method, headers: { origin } }: EmulatedRequest,
): Record<string, string> {
  const rule = ruleFor(rules, origin, method)
  if (!rule) return {}
  return {
    'access-control-allow-origin': String(origin),
    'access-control-expose-headers': rule.responseHeader.join(', '),
    vary: 'Origin',
  }
}

/** The answer to the question before a request that is not simple; without headers: it may not. */
export function preflight(
  rules: readonly CorsRule[],
  { headers }: EmulatedRequest,
): EmulatedAnswer {
  const { origin } = headers
  const rule = ruleFor(rules, origin, String(headers['access-control-request-method']))
  const asked = lower((headers['access-control-request-headers'] ?? '').split(',')).filter(Boolean)
  const allowed = lower(rule?.responseHeader ?? [])
  if (!rule || !asked.every((name) => allowed.includes(name))) return { status: 200 }
  return {
    status: 200,
    headers: {
      'access-control-allow-origin': String(origin),
      'access-control-allow-methods': rule.method.join(', '),
      'access-control-allow-headers': rule.responseHeader.join(', '),
      'access-control-max-age': String(rule.maxAgeSeconds),
      vary: 'Origin',
    },
  }
}
