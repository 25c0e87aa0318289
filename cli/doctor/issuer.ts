/** Checks of `sigcase doctor` about issuers of tokens (OpenID Connect Discovery 1.0). */
import { GuardedHttp } from '../../adapters/outbound-http/guarded-http.ts'
import { systemTimers } from '../../adapters/shared/system-timers.ts'
import type { ApiConfig } from '../../runtime/config/processes.ts'
import { failed, ok, type Check } from './finding.ts'

const REQUEST_LIMIT_MS = 10_000
const MAXIMUM_ANSWER_OCTETS = 1024 * 1024
const DISCOVERY_PATH = '/.well-known/openid-configuration'

/** @throws Error that says why there is no JSON object at the URL */
async function readJson(url: string, http: GuardedHttp): Promise<Record<string, unknown>> {
  const result = await http.send({
    url,
    method: 'GET',
    headers: { accept: 'application/json' },
    timeoutMs: REQUEST_LIMIT_MS,
    maximumResponseOctets: MAXIMUM_ANSWER_OCTETS,
  })
  if (result.outcome !== 'answered') throw new Error(`${url}: ${result.reason}`)
  if (result.status !== 200) throw new Error(`${url} answered ${result.status}`)
  try {
    return Object(JSON.parse(new TextDecoder().decode(result.body)))
  } catch (cause) {
    throw new Error(`${url} did not answer JSON`, { cause })
  }
}

/**
 * Checks that an issuer publishes its keys as the API reads them, through the egress guard.
 *
 * @param variable the variable that names the issuer
 */
function issuerCheck(
  name: string,
  { issuer, variable }: { issuer: string; variable: string },
  http: GuardedHttp,
): Check {
  const remedy =
    `correct ${variable}, which must be the issuer exactly as its discovery document writes it; ` +
    'EGRESS_ALLOW lets the API reach private addresses'
  return {
    name,
    remedy,
    async ask() {
      const document = await readJson(issuer.replace(/\/$/, '') + DISCOVERY_PATH, http)
      if (document.issuer !== issuer) {
        return failed(`the discovery document names ${String(document.issuer)}`, remedy)
      }
      const { keys } = await readJson(String(document.jwks_uri), http)
      if (!Array.isArray(keys) || keys.length === 0) {
        return failed(`${issuer} publishes no keys`, 'ask the operator of the issuer')
      }
      return ok(`${issuer} publishes ${keys.length} keys`)
    },
  }
}

/** Checks the issuers of the tokens that the API accepts or that its console requests. */
export function issuerChecks({ pubSubPush, consoleProvider, egressAllow }: ApiConfig): Check[] {
  const http = new GuardedHttp({ timers: systemTimers, allowed: egressAllow })
  const push = pubSubPush && { issuer: pubSubPush.issuer, variable: 'PUBSUB_PUSH_ISSUER' }
  const console = consoleProvider && {
    issuer: consoleProvider.issuer,
    variable: 'CONSOLE_OIDC_ISSUER',
  }
  return [
    ...(push ? [issuerCheck('issuer of Pub/Sub', push, http)] : []),
    ...(console ? [issuerCheck('issuer of the console', console, http)] : []),
  ]
}
