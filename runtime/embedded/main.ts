/** `npm start`: runs the whole service on one machine until it is interrupted. */
import process from 'node:process'
import { DamagedFileError } from '../../adapters/shared/damaged-file.ts'
import { DataDirectoryError } from '../../adapters/embedded/data-directory.ts'
import { describeError } from '../../domain/describe-error.ts'
import { ConfigError } from '../config/reader.ts'
import { readConfig } from './config.ts'
import { startEmbedded } from './service.ts'
import { endOnSignals } from '../../adapters/shared/end-on-signals.ts'

const LISTEN_FAULTS: Readonly<Record<string, string>> = {
  EADDRINUSE: 'the port is in use; set PORT to another port',
  EACCES: 'this user may not use the port; set PORT to another port',
  EADDRNOTAVAIL: 'HOST is not an address of this machine',
  ENOTFOUND: 'HOST is not an address of this machine',
}

/** One sentence for faults that an operator can fix; other errors keep their stack. */
function explain(error: unknown): string {
  if (error instanceof ConfigError) return error.message
  if (error instanceof DataDirectoryError) {
    return `sigcase cannot start: ${error.message}; set DATA_DIR to another folder`
  }
  if (error instanceof DamagedFileError) {
    return `sigcase cannot start: ${error.message}; restore the data directory from a backup`
  }
  const { code, syscall } = error as { code?: string; syscall?: string }
  const isListening = syscall === 'listen' || syscall === 'getaddrinfo' || syscall === 'bind'
  const fault = isListening ? LISTEN_FAULTS[code ?? ''] : undefined
  if (fault !== undefined) return `sigcase cannot listen: ${fault}`
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}

/** The supervisor starts another process, which may find all of it on the disk. */
function endAfter(diskFault: unknown): never {
  const { message } = describeError(diskFault)
  console.error(`sigcase ends: cases may not have reached the disk (${message}); start it again`)
  process.exit(1)
}

try {
  const config = readConfig(process.env)
  const service = await startEmbedded(config)
  const { delayMs, graceMs } = config.shutdown
  // A job that is still running at the limit is repeated after the next start.
  void service.diskFault.then(endAfter)
  endOnSignals({ close: () => service.close(), limitMs: delayMs + graceMs })
  const mails = service.mailboxUrl ? `, mails at ${service.mailboxUrl}` : ''
  console.log(`sigcase ready on ${service.url} (data in ${config.dataDirectory}${mails})`)
} catch (error) {
  console.error(explain(error))
  process.exit(1)
}
