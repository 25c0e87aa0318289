/** `npm start`: the whole service on one machine, until it is interrupted. */
import process from 'node:process'
import { DataDirectoryInUseError } from '../adapters/embedded/data-directory.ts'
import { ConfigError, readConfig } from './config.ts'
import { startEmbedded, type EmbeddedService } from './service.ts'

/** What is still running then is done again at the next start. */
const CLOSE_LIMIT_MS = 10_000

const LISTEN_FAULTS: Readonly<Record<string, string>> = {
  EADDRINUSE: 'the port is taken; set PORT to another',
  EACCES: 'the port may not be used by this user; set PORT to another',
  EADDRNOTAVAIL: 'HOST is no address of this machine',
  ENOTFOUND: 'HOST is no address of this machine',
}

/** One sentence for what an operator can mend; other faults keep their stack. */
function explain(error: unknown): string {
  if (error instanceof ConfigError || error instanceof DataDirectoryInUseError) return error.message
  const fault = LISTEN_FAULTS[(error as { code?: string }).code ?? '']
  if (fault !== undefined) return `sigcase cannot listen: ${fault}`
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}

async function end(service: EmbeddedService): Promise<void> {
  setTimeout(() => process.exit(1), CLOSE_LIMIT_MS).unref()
  await service.close()
  process.exit(0)
}

try {
  const config = readConfig(process.env)
  const service = await startEmbedded(config)
  console.log(`sigcase ready on ${service.url} (data in ${config.dataDirectory})`)
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => void end(service))
  }
} catch (error) {
  console.error(explain(error))
  process.exit(1)
}
