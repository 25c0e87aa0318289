/** Checks of `sigcase doctor` for the service on one machine. */
import { accessSync, constants, existsSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import { SoftwareKeys } from '../../adapters/embedded/software-keys.ts'
import { ANYWHERE } from '../../adapters/outbound-http/egress-policy.ts'
import { GuardedHttp } from '../../adapters/outbound-http/guarded-http.ts'
import { systemTimers } from '../../adapters/shared/system-timers.ts'
import { openAuthorities } from '../../adapters/tsa/open-authorities.ts'
import { baseUrlOf } from '../../runtime/embedded/base-url.ts'
import type { Config } from '../../runtime/embedded/config.ts'
import { keysFolder } from '../../runtime/embedded/paths.ts'
import { ok, warning, type Check } from './finding.ts'
import { clockCheck, nameCheck, publicUrlCheck } from './network.ts'
import { signingKeyCheck, timeStampCheck } from './signing.ts'

/** Room for about twenty cases with a document of 25 MB. */
const LEAST_FREE_BYTES = 1024 ** 3

const nowMs = () => Date.now()

function dataDirectoryCheck({ dataDirectory }: Config): Check {
  const remedy = `make ${dataDirectory} writable for the user of the service, or set DATA_DIR`
  return {
    name: 'data directory',
    remedy,
    async ask() {
      if (!existsSync(dataDirectory)) {
        return warning(`${dataDirectory} does not exist yet`, 'start the service with npm start')
      }
      accessSync(dataDirectory, constants.R_OK | constants.W_OK | constants.X_OK)
      const { bavail, bsize } = await statfs(dataDirectory)
      const freeBytes = bavail * bsize
      const detail = `${dataDirectory}, ${Math.floor(freeBytes / 1024 ** 2)} MiB free`
      if (freeBytes >= LEAST_FREE_BYTES) return ok(detail)
      return warning(detail, 'free some space: uploads and new cases answer 500 when it is full')
    },
  }
}

async function signingChecks(config: Config): Promise<Check[]> {
  const { dataDirectory, timeStamps } = config
  const folder = keysFolder(dataDirectory)
  // Opening would create the keys of a service that never ran.
  if (!existsSync(folder)) return []
  const device = await SoftwareKeys.open(folder, new Date(), '')
  const { timeStamps: authority } = openAuthorities({
    ...(timeStamps && { timeStamps }),
    http: new GuardedHttp({ timers: systemTimers, allowed: ANYWHERE }),
    signingDevice: device,
    onUnknown: () => undefined,
    now: () => new Date(),
  })
  return [
    signingKeyCheck('issuing-ca', device, nowMs),
    signingKeyCheck('seal', device, nowMs),
    timeStampCheck(authority),
  ]
}

/** Lists the checks of the service on one machine. */
export async function embeddedChecks(config: Config): Promise<Check[]> {
  const { timeStamps, smsGateway } = config
  const baseUrl = baseUrlOf(config, config.port)
  const [firstTsa] = timeStamps?.urls ?? []
  return [
    dataDirectoryCheck(config),
    ...(await signingChecks(config)),
    nameCheck('public URL', new URL(baseUrl).hostname),
    publicUrlCheck(baseUrl, 'machine'),
    ...(firstTsa === undefined ? [] : [clockCheck(firstTsa, nowMs)]),
    ...(smsGateway === undefined
      ? []
      : [nameCheck('SMS gateway', new URL(smsGateway.url).hostname)]),
  ]
}
