/** Reads the configuration of the reader beside a worker: where it listens. */
import { resolve } from 'node:path'
import { ConfigError, EnvironmentReader, type Environment } from './reader.ts'
import { readLogLevel, type LogLevel } from './service.ts'
import { readShutdownGrace, type ShutdownTimes } from './shutdown.ts'

export interface ReaderConfig {
  /** Path of the socket, absolute. */
  socket: string
  logLevel: LogLevel
  shutdown: ShutdownTimes
}

const SOCKET = 'READER_SOCKET'
/** That of the worker beside it: the reader serves the worker until it has drained. */
const GRACE_MS = 28_000

/** Reads the socket of the reader; undefined where a worker starts the sandbox itself. */
export function readReaderSocket(reader: EnvironmentReader): string | undefined {
  return reader.read<string | undefined>(SOCKET, undefined, 'a path', (text) => resolve(text))
}

/** @throws ConfigError that names every variable that cannot be used */
export function readReaderConfig(environment: Environment): ReaderConfig {
  const reader = new EnvironmentReader(environment)
  const config = {
    socket: reader.readNeeded(SOCKET, 'a path', (text) => resolve(text)),
    logLevel: readLogLevel(reader, 'info'),
    shutdown: { delayMs: 0, graceMs: readShutdownGrace(reader, GRACE_MS) },
  }
  if (reader.faults.length > 0) throw new ConfigError(reader.faults)
  return config
}
