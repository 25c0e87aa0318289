/**
 * `npm run --silent gcs-lifecycle`: sets the lifecycle rules of the bucket `GCS_BUCKET`, by which
 * Cloud Storage removes uploads and old logs. It can run again, and keeps other rules.
 */
import process from 'node:process'
import { applyLifecycle, LIFECYCLE_RULES } from '../adapters/gcs/lifecycle.ts'
import { openBucket } from '../adapters/gcs/object-store.ts'
import { googleAuth } from '../adapters/google-auth.ts'
import { readGcs, readGoogleCredentials } from '../runtime/config/google-cloud.ts'
import { ConfigError, EnvironmentReader } from '../runtime/config/reader.ts'
import { runTool, UsageError } from './usage.ts'

const USAGE = 'usage: GCS_BUCKET=… npm run --silent gcs-lifecycle'

async function main(): Promise<number> {
  if (process.argv.length > 2) throw new UsageError('the command takes no arguments')
  const reader = new EnvironmentReader(process.env)
  const config = readGcs(reader)
  const credentials = readGoogleCredentials(reader)
  if (reader.faults.length > 0) throw new ConfigError(reader.faults)
  const others = await applyLifecycle(openBucket({ ...config, auth: googleAuth(credentials) }))
  const kept = others === 0 ? '' : `; ${others} other rules kept`
  console.log(`${config.bucket} has ${LIFECYCLE_RULES.length} lifecycle rules of sigcase${kept}`)
  return 0
}

await runTool(main, USAGE)
