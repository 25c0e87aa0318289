/** Reads the variables of every deployment of the service, on a cluster or on one machine. */
import { resolve } from 'node:path'
import type { BoundLimits, BoundName } from '../../application/limits/bounds.ts'
import type { EnvironmentReader } from './reader.ts'
import type { LOG_LEVELS } from './variables/service.ts'

export type LogLevel = (typeof LOG_LEVELS)[number]

/** Reads `DATA_DIR` as an absolute path. */
export const readDataDirectory = (reader: EnvironmentReader) =>
  reader.get('DATA_DIR') ?? resolve('.data')

/** A limit of 0 means that there is none. */
const limited = (limit: number) => limit || Number.POSITIVE_INFINITY

/** Reads the request limits of one address on public routes, and of one tenant. */
export const readRequestsPerMinute = (reader: EnvironmentReader) => ({
  public: limited(reader.get('PUBLIC_REQUESTS_PER_MINUTE')),
  tenant: limited(reader.get('TENANT_REQUESTS_PER_MINUTE')),
})

/** The variable of each limit. */
const BOUND_VARIABLES = {
  tenantCasesPerDay: 'TENANT_CASES_PER_DAY',
  tenantDevicesPerDay: 'TENANT_DEVICES_PER_DAY',
  tenantMailsPerDay: 'TENANT_MAILS_PER_DAY',
  tenantSmsPerDay: 'TENANT_SMS_PER_DAY',
  verificationUploadsPerHour: 'VERIFICATION_UPLOADS_PER_HOUR',
  verificationMegabytesPerHour: 'VERIFICATION_MEGABYTES_PER_HOUR',
  allVerificationUploadsPerHour: 'ALL_VERIFICATION_UPLOADS_PER_HOUR',
  allVerificationMegabytesPerHour: 'ALL_VERIFICATION_MEGABYTES_PER_HOUR',
} as const satisfies Record<BoundName, string>

/** Reads the daily limits of a tenant and the hourly limits of uploads for verification. */
export function readBounds(reader: EnvironmentReader): BoundLimits {
  const names = Object.keys(BOUND_VARIABLES) as BoundName[]
  const entries = names.map((name) => [name, limited(reader.get(BOUND_VARIABLES[name]))])
  return Object.fromEntries(entries) as BoundLimits
}
