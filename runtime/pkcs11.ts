/**
 * The process beside a worker that signs with a hardware security module. It runs on Deno, and has
 * neither a service account nor keys of the service (decision 246).
 */
import { readFile } from 'node:fs/promises'
import process from 'node:process'
import { Pkcs11Module } from '../adapters/pkcs11/module.ts'
import { Pkcs11Token } from '../adapters/pkcs11/token.ts'
import { serveTransit } from '../adapters/pkcs11/transit-server.ts'
import { runProcess, type ProcessParts } from './cluster/process.ts'
import { readPkcs11Config, type Pkcs11Config } from './config/pkcs11-process.ts'

/** Reads a secret without the line end that editors add. */
async function readSecret(path: string): Promise<Uint8Array> {
  return new TextEncoder().encode((await readFile(path, 'utf8')).trim())
}

/** Serves the worker until it is closed. The token is opened by the first request. */
async function startPkcs11(
  { module: path, tokenLabel, pinFile, callerTokenFile, keys, port }: Pkcs11Config,
  { log, closings }: ProcessParts,
): Promise<void> {
  const module = new Pkcs11Module(path)
  await module.initialize()
  closings.unshift(() => module.finalize())
  const token = new Pkcs11Token({ module, tokenLabel, readPin: () => readSecret(pinFile) })
  const { close } = await serveTransit({
    token,
    keys,
    port,
    readCallerToken: () => readSecret(callerTokenFile),
    onFault: (err) => log.warn({ err }, 'the token could not be used'),
  })
  closings.unshift(close)
}

if (import.meta.main) {
  await runProcess({
    component: 'pkcs11',
    environment: process.env,
    readConfig: readPkcs11Config,
    start: startPkcs11,
  })
}
