/** Reads the configuration of the reader process beside a worker. */
import { ConfigError, EnvironmentReader, type Environment } from './reader.ts'
import type { LogLevel } from './service.ts'
import { readShutdownGrace, type ShutdownTimes } from './shutdown.ts'

export interface ReaderConfig {
  /** Path of the socket, absolute. */
  socket: string
  logLevel: LogLevel
  shutdown: ShutdownTimes
}

/** @throws ConfigError that lists every invalid variable */
export function readReaderConfig(environment: Environment): ReaderConfig {
  const reader = new EnvironmentReader(environment, { isOnCluster: true })
  const config = {
    socket: reader.getRequired('READER_SOCKET'),
    logLevel: reader.get('LOG_LEVEL'),
    // That of the worker: the reader serves the worker until it has drained.
    shutdown: readShutdownGrace(reader),
  }
  if (reader.faults.length > 0) throw new ConfigError(reader.faults)
  return config
}
