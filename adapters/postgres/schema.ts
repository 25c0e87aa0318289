/** The tables of the index of cases in PostgreSQL: one partition for each month (decision 233). */
import type { Pool, PoolClient } from 'pg'

export const ROWS = 'case_row'
/** Held while tables are made; any number that nothing else in the database uses. */
const LOCK = 7_233_001
/** Partitions that exist ahead of time, so that a stopped controller loses none. */
const MONTHS_AHEAD = 3
/** Errors of the server: the object exists, or a row of the month is in the default partition. */
const DUPLICATE_TABLE = '42P07'
const CHECK_VIOLATION = '23514'

/** A row stays in its partition, because its time of creation never changes. */
const TABLE = `
  CREATE TABLE IF NOT EXISTS ${ROWS} (
    tenant text COLLATE "C" NOT NULL,
    case_id text COLLATE "C" NOT NULL,
    created_ms bigint NOT NULL,
    phase text COLLATE "C" NOT NULL,
    expires_at_ms bigint,
    text text COLLATE "C" NOT NULL,
    version bigint NOT NULL,
    is_archived boolean NOT NULL,
    PRIMARY KEY (tenant, case_id, created_ms)
  ) PARTITION BY RANGE (created_ms);
  CREATE TABLE IF NOT EXISTS ${ROWS}_other PARTITION OF ${ROWS} DEFAULT;
  CREATE INDEX IF NOT EXISTS ${ROWS}_by_phase ON ${ROWS} (tenant, phase, case_id);
  CREATE INDEX IF NOT EXISTS ${ROWS}_by_time ON ${ROWS} (tenant, created_ms, case_id);
  CREATE INDEX IF NOT EXISTS ${ROWS}_by_phase_and_time
    ON ${ROWS} (tenant, phase, created_ms, case_id);
  CREATE INDEX IF NOT EXISTS ${ROWS}_by_expiry ON ${ROWS} (tenant, expires_at_ms)
    WHERE expires_at_ms IS NOT NULL;
  CREATE INDEX IF NOT EXISTS ${ROWS}_archived ON ${ROWS} (tenant, case_id) WHERE is_archived;
`

/** With trigrams, a search for a part of a word uses an index; without, it reads all texts. */
const TRIGRAMS = `
  CREATE EXTENSION IF NOT EXISTS pg_trgm;
  CREATE INDEX IF NOT EXISTS ${ROWS}_by_text ON ${ROWS} USING gin (text gin_trgm_ops);
`

export interface Month {
  /** The name of the partition. */
  name: string
  /** Milliseconds since 1970. */
  fromMs: number
  /** Milliseconds since 1970. */
  untilMs: number
}

/**
 * The month of a time in UTC.
 *
 * @param later number of months to add
 */
export function monthOf(ms: number, later = 0): Month {
  const time = new Date(ms)
  const startOf = (more: number) => Date.UTC(time.getUTCFullYear(), time.getUTCMonth() + more)
  const fromMs = startOf(later)
  const name = `${ROWS}_${new Date(fromMs).toISOString().slice(0, 7).replace('-', '_')}`
  return { name, fromMs, untilMs: startOf(later + 1) }
}

const codeOf = (error: unknown) => Object(error).code as unknown

/** Creates the partition of a month; rows that came earlier stay in the default partition. */
async function createMonth(client: PoolClient, { name, fromMs, untilMs }: Month): Promise<void> {
  const bounds = `FROM (${fromMs}) TO (${untilMs})`
  try {
    const sql = `CREATE TABLE IF NOT EXISTS ${name} PARTITION OF ${ROWS} FOR VALUES ${bounds}`
    await client.query(sql)
  } catch (error) {
    if (codeOf(error) !== CHECK_VIOLATION && codeOf(error) !== DUPLICATE_TABLE) throw error
  }
}

/**
 * Creates what is missing of the tables: idempotent, and one process at a time.
 *
 * @param nowMs milliseconds since 1970, for the partitions of the next months
 * @param times creation times of cases that are about to be written; their months get partitions
 * @param onNoTrigrams called when the extension cannot be created; searches then read all texts
 */
export async function createTables(
  pool: Pool,
  { nowMs, times = [] }: { nowMs: number; times?: readonly number[] },
  onNoTrigrams: (error: unknown) => void,
): Promise<void> {
  const client = await pool.connect()
  try {
    await client.query('SELECT pg_advisory_lock($1)', [LOCK])
    await client.query(TABLE)
    await client.query(TRIGRAMS).catch(onNoTrigrams)
    const ahead = Array.from({ length: MONTHS_AHEAD + 1 }, (_, later) => monthOf(nowMs, later))
    const months = new Map(
      [...times.map((ms) => monthOf(ms)), ...ahead].map((one) => [one.name, one]),
    )
    for (const month of months.values()) await createMonth(client, month)
    await client.query('SELECT pg_advisory_unlock($1)', [LOCK])
    client.release()
  } catch (error) {
    // Closing the connection releases the lock.
    client.release(true)
    throw error
  }
}
