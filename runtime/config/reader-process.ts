/** Reads the configuration of the reader process beside a worker. */
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
/** The grace period of the worker: the reader serves the worker until it has drained. */
const GRACE_MS = 28_000

/** Reads the socket of the reader; undefined when the worker starts the sandbox itself. */
export function readReaderSocket(reader: EnvironmentReader): string | undefined {
  return reader.read<string | undefined>(SOCKET, undefined, 'a path', (text) => resolve(text))
}

/** @throws ConfigError that lists every invalid variable */
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
