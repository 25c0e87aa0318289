/** Reads the configuration of the process that serves the keys of a PKCS #11 token. */
import { ConfigError, EnvironmentReader, type Environment } from './reader.ts'
import type { LogLevel } from './service.ts'
import { readShutdownGrace, type ShutdownTimes } from './shutdown.ts'

export interface Pkcs11Config {
  /** Absolute path of the PKCS #11 library. */
  module: string
  tokenLabel: string
  pinFile: string
  /** File with the token that the worker sends. */
  callerTokenFile: string
  /** Labels of the keys that may be used. */
  keys: readonly string[]
  port: number
  logLevel: LogLevel
  shutdown: ShutdownTimes
}

/** @throws ConfigError that lists every invalid variable */
export function readPkcs11Config(environment: Environment): Pkcs11Config {
  const reader = new EnvironmentReader(environment, { isOnCluster: true })
  const config = {
    module: reader.getRequired('PKCS11_MODULE'),
    tokenLabel: reader.getRequired('PKCS11_TOKEN'),
    pinFile: reader.getRequired('PKCS11_PIN_FILE'),
    callerTokenFile: reader.getRequired('VAULT_TOKEN_FILE'),
    keys: reader.getRequired('PKCS11_KEYS') || [],
    port: reader.get('PKCS11_PORT'),
    logLevel: reader.get('LOG_LEVEL'),
    // That of the worker, which signs until it has drained.
    shutdown: readShutdownGrace(reader),
  }
  if (reader.faults.length > 0) throw new ConfigError(reader.faults)
  return config
}
