/** `npm start`: the whole service on one machine, until it is interrupted. */
import process from 'node:process'
import { DataDirectoryError } from '../adapters/embedded/data-directory.ts'
import { ConfigError } from '../config/reader.ts'
import { readConfig } from './config.ts'
import { startEmbedded, type EmbeddedService } from './service.ts'
import { systemTimers } from '../adapters/system-timers.ts'

/** What still runs then is done again at the next start: every job can be. */
const CLOSE_LIMIT_MS = 9_000

const LISTEN_FAULTS: Readonly<Record<string, string>> = {
  EADDRINUSE: 'the port is taken; set PORT to another',
  EACCES: 'the port may not be used by this user; set PORT to another',
  EADDRNOTAVAIL: 'HOST is no address of this machine',
  ENOTFOUND: 'HOST is no address of this machine',
}

/** One sentence for what an operator can mend; other faults keep their stack. */
function explain(error: unknown): string {
  if (error instanceof ConfigError) return error.message
  if (error instanceof DataDirectoryError) {
    return `sigcase cannot start: ${error.message}; set DATA_DIR to another folder`
  }
  const { code, syscall } = error as { code?: string; syscall?: string }
  const isListening = syscall === 'listen' || syscall === 'getaddrinfo' || syscall === 'bind'
  const fault = isListening ? LISTEN_FAULTS[code ?? ''] : undefined
  if (fault !== undefined) return `sigcase cannot listen: ${fault}`
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}

/** A terminal and npm tell the same interrupt twice: what ends is not cut short by the second. */
function endOnSignals(service: EmbeddedService): void {
  let ending: Promise<void> | undefined
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => void (ending ??= end(service)))
  }
}

async function end(service: EmbeddedService): Promise<void> {
  systemTimers.after(CLOSE_LIMIT_MS, () => process.exit(0))
  await service.close()
  process.exit(0)
}

try {
  const config = readConfig(process.env)
  const service = await startEmbedded(config)
  endOnSignals(service)
  const mails = service.mailboxUrl ? `, mails at ${service.mailboxUrl}` : ''
  console.log(`sigcase ready on ${service.url} (data in ${config.dataDirectory}${mails})`)
} catch (error) {
  console.error(explain(error))
  process.exit(1)
}
