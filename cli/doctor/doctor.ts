/** `sigcase doctor`: says what is wrong with an installation, and what to do about it. */
import { ANYWHERE } from '../../adapters/outbound-http/egress-policy.ts'
import { GuardedHttp } from '../../adapters/outbound-http/guarded-http.ts'
import { systemTimers } from '../../adapters/shared/system-timers.ts'
import {
  readApiConfig,
  readControllerConfig,
  readWorkerConfig,
} from '../../runtime/config/processes.ts'
import { ConfigError, type Environment } from '../../runtime/config/reader.ts'
import { readConfig } from '../../runtime/embedded/config.ts'
import { UsageError } from '../usage.ts'
import { clusterChecks } from './cluster-checks.ts'
import { embeddedChecks } from './embedded-checks.ts'
import { runChecks, type Check, type Finding, type ProcessName } from './finding.ts'
import { webhookCheck } from './network.ts'

const SENDS_WEBHOOKS: readonly ProcessName[] = ['embedded', 'worker']

const CONFIGURATION = 'configuration'
const REFERENCE = 'correct the variable: docs/reference/configuration.md'

/** Each line after the first names one variable. */
function configurationFindings(error: ConfigError): Finding[] {
  const [, ...faults] = error.message.split('\n')
  return faults.map((fault) => ({
    check: CONFIGURATION,
    outcome: 'failed',
    detail: fault.trim(),
    remedy: REFERENCE,
  }))
}

interface Opened {
  checks: Check[]
  egressAllow: readonly string[]
}

async function openChecks(name: ProcessName, environment: Environment): Promise<Opened> {
  if (name === 'embedded') {
    const config = readConfig(environment)
    return { checks: await embeddedChecks(config), egressAllow: config.egressAllow }
  }
  if (name === 'controller') {
    const config = readControllerConfig(environment)
    return { checks: await clusterChecks({ component: name, config }), egressAllow: ANYWHERE }
  }
  if (name === 'api') {
    const config = readApiConfig(environment)
    const checks = await clusterChecks({ component: name, config })
    return { checks, egressAllow: config.egressAllow }
  }
  const config = readWorkerConfig(environment)
  const checks = await clusterChecks({ component: name, config })
  return { checks, egressAllow: config.egressAllow }
}

/**
 * Examines one process: its configuration first, and with a valid one everything that it needs.
 *
 * @param environment variables of the process
 * @param webhookUrl a receiver whose reachability is checked as well; workers send webhooks
 * @throws UsageError for a webhook with a process that sends none
 * @returns what was found, in the order of the checks
 */
export async function examine(
  name: ProcessName,
  environment: Environment,
  webhookUrl?: string,
): Promise<Finding[]> {
  if (webhookUrl !== undefined && !SENDS_WEBHOOKS.includes(name)) {
    throw new UsageError(
      `${name} sends no webhooks: use --webhook with ${SENDS_WEBHOOKS.join(', ')}`,
    )
  }
  if (webhookUrl !== undefined && URL.parse(webhookUrl) === null) {
    throw new UsageError('--webhook is not a URL')
  }
  let opened: Opened
  try {
    opened = await openChecks(name, environment)
  } catch (error) {
    if (error instanceof ConfigError) return configurationFindings(error)
    throw error
  }
  const http = new GuardedHttp({ timers: systemTimers, allowed: opened.egressAllow })
  try {
    const webhook = webhookUrl === undefined ? [] : [webhookCheck(webhookUrl, http)]
    const found = await runChecks([...opened.checks, ...webhook])
    return [{ check: CONFIGURATION, outcome: 'ok', detail: `valid for ${name}` }, ...found]
  } finally {
    await http.close()
  }
}
