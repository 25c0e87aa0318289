/**
 * The reader, a process beside a worker: it starts the processes that read documents, and has
 * neither keys nor a service account.
 */
import process from 'node:process'
import { ChildReader } from '../adapters/pdf-sandbox/child-reader.ts'
import type { DocumentReader } from '../adapters/pdf-sandbox/reader.ts'
import { serveReader } from '../adapters/pdf-sandbox/reader-server.ts'
import { runProcess, type ProcessParts } from './cluster/process.ts'
import { readReaderConfig, type ReaderConfig } from './config/reader-process.ts'

/**
 * Serves workers on the socket until it is closed.
 *
 * @param reader closed with the process; another one in tests
 */
export async function startReader(
  { socket: path }: ReaderConfig,
  { log, closings }: ProcessParts,
  reader: DocumentReader = new ChildReader(),
): Promise<void> {
  closings.unshift(() => reader.close())
  const onFault = (err: unknown) => log.warn({ err }, 'a document could not be read for a worker')
  closings.unshift(await serveReader({ reader, path, onFault }))
}

if (import.meta.main) {
  await runProcess({
    component: 'reader',
    environment: process.env,
    readConfig: readReaderConfig,
    start: (config, parts) => startReader(config, parts),
  })
}
