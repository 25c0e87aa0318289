/** Kiosks in SQLite with the semantics of the Kubernetes API: compare-and-swap on the version. */
import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { newDevice, type Device, type DeviceSpec } from '../../domain/devices/schema.ts'
import type { DeviceKey, DeviceStore } from '../../domain/ports/device-store.ts'
import { AlreadyExistsError, ConflictError, type Page } from '../../domain/ports/stores.ts'
import { RemovedBytes, type RemovedBytesOptions } from './removed-bytes.ts'
import { inTransaction, isTaken, nextVersion, openDatabase, swapVersion } from './sqlite.ts'

const TABLE = 'device'
/** The indexed expression: the case of the last hand-over. */
const HANDED_CASE = `spec ->> '$.handOver.caseId'`

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS ${TABLE} (
    resource_version INTEGER PRIMARY KEY AUTOINCREMENT,
    tenant TEXT NOT NULL,
    device_id TEXT NOT NULL,
    created TEXT NOT NULL,
    spec TEXT NOT NULL,
    UNIQUE (tenant, device_id)
  ) STRICT;
  CREATE INDEX IF NOT EXISTS device_by_case ON ${TABLE} (tenant, ${HANDED_CASE}, device_id);
`

function fromRow(row: Record<string, unknown>): Device {
  const spec = JSON.parse(String(row.spec)) as DeviceSpec
  const device = newDevice(String(row.tenant), String(row.device_id), spec)
  return {
    ...device,
    metadata: {
      ...device.metadata,
      resourceVersion: String(row.resource_version),
      creationTimestamp: String(row.created),
    },
  }
}

export class SqliteDeviceStore implements DeviceStore {
  readonly #database: DatabaseSync
  readonly #removed: RemovedBytes
  readonly #now: () => Date
  readonly #insert: StatementSync
  readonly #select: StatementSync
  readonly #update: StatementSync
  readonly #delete: StatementSync
  readonly #page: StatementSync
  readonly #handedPage: StatementSync

  /**
   * @param path of the database file
   * @param removal how removed names are overwritten
   */
  constructor(path: string, now: () => Date, removal: RemovedBytesOptions = {}) {
    this.#now = now
    this.#database = openDatabase(path, SCHEMA)
    this.#removed = new RemovedBytes(this.#database, removal)
    this.#insert = this.#database.prepare(`
      INSERT INTO ${TABLE} (tenant, device_id, created, spec) VALUES (?, ?, ?, ?) RETURNING *`)
    const one = 'tenant = ? AND device_id = ?'
    this.#select = this.#database.prepare(`SELECT * FROM ${TABLE} WHERE ${one}`)
    this.#update = this.#database.prepare(`
      UPDATE ${TABLE} SET resource_version = ${nextVersion(TABLE)}, spec = ?
      WHERE ${one} AND resource_version = ? RETURNING *`)
    this.#delete = this.#database.prepare(`DELETE FROM ${TABLE} WHERE ${one}`)
    const behind = 'device_id > ? ORDER BY device_id LIMIT ?'
    this.#page = this.#database.prepare(`SELECT * FROM ${TABLE} WHERE tenant = ? AND ${behind}`)
    this.#handedPage = this.#database.prepare(`
      SELECT * FROM ${TABLE} WHERE tenant = ? AND ${HANDED_CASE} = ? AND ${behind}`)
  }

  async create({ metadata, spec }: Device): Promise<Device> {
    const { namespace, name } = metadata
    const values = [namespace, name, this.#now().toISOString(), JSON.stringify(spec)]
    try {
      const row = inTransaction(this.#database, () => this.#insert.get(...values))
      return fromRow(row ?? {})
    } catch (error) {
      if (!isTaken(error)) throw error
      throw new AlreadyExistsError(`device ${name} exists already`, { cause: error })
    }
  }

  async get({ tenant, deviceId }: DeviceKey): Promise<Device | undefined> {
    const row = this.#select.get(tenant, deviceId)
    return row && fromRow(row)
  }

  async list(
    tenant: string,
    options: { limit: number; continue?: string; handedCaseId?: string },
  ): Promise<Page<Device>> {
    const { limit, continue: after = '', handedCaseId } = options
    const rows =
      handedCaseId === undefined
        ? this.#page.all(tenant, after, limit + 1)
        : this.#handedPage.all(tenant, handedCaseId, after, limit + 1)
    const items = rows.slice(0, limit).map(fromRow)
    const last = items.at(-1)
    return rows.length > limit && last ? { items, continue: last.metadata.name } : { items }
  }

  async replace({ metadata, spec }: Device): Promise<Device> {
    const { namespace, name, resourceVersion } = metadata
    const values = [JSON.stringify(spec), namespace, name, Number(resourceVersion)]
    const row = swapVersion(this.#database, TABLE, this.#update, values)
    if (!row) throw new ConflictError(`device ${name} was written by another writer`)
    return fromRow(row)
  }

  async delete({ tenant, deviceId }: DeviceKey): Promise<boolean> {
    const remove = () => this.#delete.run(tenant, deviceId)
    const isRemoved = Number(inTransaction(this.#database, remove).changes) > 0
    if (isRemoved) this.#removed.overwriteSoon()
    return isRemoved
  }

  close(): void {
    this.#removed.close()
    this.#database.close()
  }
}
