/** CORS rules of a bucket (Cloud Storage; WHATWG Fetch). */
import type { EmulatedAnswer, EmulatedRequest } from '../http.ts'

/** A rule in the format of `gcloud storage buckets update --cors-file`. */
export interface CorsRule {
  origin: readonly string[]
  method: readonly string[]
  /** Request headers that may be sent, and response headers that may be read. */
  responseHeader: readonly string[]
  maxAgeSeconds: number
}

function ruleFor(rules: readonly CorsRule[], origin: string | undefined, method: string) {
  return rules.find((rule) => rule.origin.includes(origin ?? '') && rule.method.includes(method))
}

const lower = (names: readonly string[]) => names.map((name) => name.trim().toLowerCase())

/** Headers that let the page read the response; none when no rule matches. */
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

/** Answers a preflight request; a response without headers forbids the request. */
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
