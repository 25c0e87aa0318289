/**
 * Opens the stores of a service for `sigcase archive` and `sigcase restore`: on one machine those
 * in `DATA_DIR`, on a cluster those of the controller in whose pod the command runs.
 */
import process from 'node:process'
import { join } from 'node:path'
import { SqliteCaseStore } from '../../adapters/embedded/case-store.ts'
import {
  DataDirectoryError,
  DataDirectoryInUseError,
  takeDataDirectory,
} from '../../adapters/embedded/data-directory.ts'
import { openKeyring } from '../../adapters/embedded/keyring.ts'
import { FileObjectStore } from '../../adapters/embedded/object-store.ts'
import { KubernetesCaseStore } from '../../adapters/kubernetes/case-store.ts'
import { PostgresCaseIndex } from '../../adapters/postgres/case-index.ts'
import { connectPostgres } from '../../adapters/postgres/connect.ts'
import { archivedRows } from '../../application/cases/index-writes.ts'
import type { SignatureCase } from '../../domain/cases/signature-case.ts'
import { IntegrityAlarm } from '../../domain/integrity-alarm.ts'
import type { KeyringOf } from '../../domain/key-grants.ts'
import type { ObjectStore } from '../../domain/ports/object-store.ts'
import { NO_METRICS } from '../../domain/ports/metrics.ts'
import type { CaseStore } from '../../domain/ports/stores.ts'
import { openApiServer, openProcessKeyring } from '../../runtime/cluster/adapters.ts'
import { openObjects } from '../../runtime/cluster/outside-services.ts'
import { readControllerConfig } from '../../runtime/config/processes.ts'
import { baseUrlOf } from '../../runtime/embedded/base-url.ts'
import { readConfig } from '../../runtime/embedded/config.ts'
import { casesPath, keyringFolder } from '../../runtime/embedded/paths.ts'
import { UsageError } from '../usage.ts'

/** Whose environment the command has. */
const ARCHIVE_PROCESSES = ['embedded', 'controller'] as const

/** The stores of a service, and how it archives. */
export interface OpenedStores {
  cases: CaseStore
  objects: ObjectStore
  keyring: KeyringOf<'controller'>
  alarm: IntegrityAlarm
  /** Absent: the service does not archive cases. */
  archiveAfterHours?: number
  /** Writes the row of an archived case; absent: there is no index of cases. */
  onArchived?: (signatureCase: SignatureCase) => Promise<void>
  close(): Promise<void>
}

const now = () => new Date()

/** A changed object is reported to the person who runs the command. */
const log = {
  error: (details: object, message: string) => console.error(message, JSON.stringify(details)),
  warn: (details: object, message: string) => console.error(message, JSON.stringify(details)),
}

/** @throws DataDirectoryError that names the remedy while the service runs */
async function takeStopped(folder: string): Promise<() => void> {
  try {
    return await takeDataDirectory(folder)
  } catch (error) {
    if (!(error instanceof DataDirectoryInUseError)) throw error
    throw new DataDirectoryError(`${error.message}: stop it first`, { cause: error })
  }
}

async function openEmbedded(): Promise<OpenedStores> {
  const config = readConfig(process.env)
  const { dataDirectory, archiveAfterHours } = config
  const release = await takeStopped(dataDirectory)
  const keyring = openKeyring(keyringFolder(dataDirectory), 'controller', { keepsObjects: true })
  const cases = new SqliteCaseStore(casesPath(dataDirectory), now)
  const baseUrl = baseUrlOf(config, config.port)
  const objects = new FileObjectStore({ folder: join(dataDirectory, 'objects'), baseUrl, keyring })
  return {
    cases,
    objects,
    keyring,
    alarm: new IntegrityAlarm({ log, metrics: NO_METRICS }),
    ...(archiveAfterHours !== undefined && { archiveAfterHours }),
    ...archivedRows(cases.index),
    async close() {
      await objects.close()
      cases.close()
      release()
    },
  }
}

function openOnCluster(): OpenedStores {
  const config = readControllerConfig(process.env)
  const { archiveAfterHours } = config
  const keyring = openProcessKeyring('controller', config)
  const onError = (err: unknown) => log.warn({ err }, 'the index of cases failed')
  const pool = config.index && connectPostgres(config.index, onError)
  return {
    cases: new KubernetesCaseStore(openApiServer('controller', config), log),
    objects: openObjects(config, keyring, now),
    keyring,
    alarm: new IntegrityAlarm({ log, metrics: NO_METRICS }),
    ...(archiveAfterHours !== undefined && { archiveAfterHours }),
    ...(pool && archivedRows(new PostgresCaseIndex(pool))),
    close: async () => pool?.end(),
  }
}

/**
 * Opens the stores. On one machine the service must be stopped.
 *
 * @param name `embedded` or `controller`
 * @throws UsageError for another name, DataDirectoryError while the service runs, ConfigError
 */
export async function openStores(name: string): Promise<OpenedStores> {
  if (name === 'embedded') return openEmbedded()
  if (name === 'controller') return openOnCluster()
  throw new UsageError(`--process is one of ${ARCHIVE_PROCESSES.join(', ')}`)
}
