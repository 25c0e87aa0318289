/**
 * `npm run --silent gcs-lifecycle`: gives the bucket of `GCS_BUCKET` the rules by which Cloud
 * Storage removes uploads and old logs. It can be run again; rules of others stay.
 */
import process from 'node:process'
import { applyLifecycle, LIFECYCLE_RULES } from '../adapters/gcs/lifecycle.ts'
import { openBucket } from '../adapters/gcs/object-store.ts'
import { googleAuth } from '../adapters/google-auth.ts'
import { readGcs, readGoogleCredentials } from '../config/google-cloud.ts'
import { ConfigError, EnvironmentReader } from '../config/reader.ts'
import { runTool, UsageError } from './usage.ts'

const USAGE = 'usage: GCS_BUCKET=… npm run --silent gcs-lifecycle'

async function main(): Promise<number> {
  if (process.argv.length > 2) throw new UsageError('there are no arguments')
  const reader = new EnvironmentReader(process.env)
  const config = readGcs(reader)
  const credentials = readGoogleCredentials(reader)
  if (reader.faults.length > 0) throw new ConfigError(reader.faults)
  const others = await applyLifecycle(openBucket({ ...config, auth: googleAuth(credentials) }))
  const kept = others === 0 ? '' : `, ${others} of others kept`
  console.log(`${config.bucket} has ${LIFECYCLE_RULES.length} lifecycle rules of sigcase${kept}`)
  return 0
}

await runTool(main, USAGE)
