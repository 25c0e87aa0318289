/**
 * `npm run bench -- search --rows N`: an index with N archived and N/20 living cases, in SQLite and
 * in PostgreSQL: what writing them takes, the size, and the time of each kind of query.
 */
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import process from 'node:process'
import { SqliteCaseIndex } from '../../adapters/embedded/case-index.ts'
import { PostgresCaseIndex } from '../../adapters/postgres/case-index.ts'
import { connectPostgres } from '../../adapters/postgres/connect.ts'
import { createTables } from '../../adapters/postgres/schema.ts'
import type { CaseIndex } from '../../domain/ports/case-index.ts'
import { PostgresServer, withoutPostgres } from '../../test/fixtures/postgres-server.ts'
import { quantile } from '../measure.ts'
import { cpuSeconds } from '../process-cpu.ts'
import type { RowReport } from '../report.ts'
import { manyRows, NOW_MS, QUESTION_NAMES, queryOf, type ManyRows } from './many-rows.ts'

const BATCH = 5_000
const LIVING_SHARE = 0.05
const REPEATS = 40
/** A slow query is repeated less often. */
const QUESTION_LIMIT_MS = 10_000
const OCTETS_PER_MB = 1e6
const STATEMENT_LIMIT_MS = 600_000
const MICROSECONDS_PER_SECOND = 1e6

interface Opened {
  name: string
  index: CaseIndex
  /** Octets of tables and indexes. */
  size(): Promise<number>
  close(): Promise<void>
}

function openSqlite(): Opened {
  const folder = mkdtempSync(join(tmpdir(), 'sigcase-search-'))
  const path = join(folder, 'cases.sqlite')
  const database = new DatabaseSync(path)
  database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL')
  return {
    name: 'SQLite',
    index: new SqliteCaseIndex(database),
    async size() {
      database.exec('PRAGMA wal_checkpoint(TRUNCATE)')
      return statSync(path).size
    },
    async close() {
      database.close()
      rmSync(folder, { recursive: true })
    },
  }
}

async function openPostgres(): Promise<Opened> {
  const server = await PostgresServer.start()
  const pool = connectPostgres(
    { url: server.url(), statementLimitMs: STATEMENT_LIMIT_MS },
    () => undefined,
  )
  const months = Array.from({ length: 26 }, (_, month) => NOW_MS - month * 30 * 24 * 3_600_000)
  await createTables(pool, { nowMs: NOW_MS, times: months }, (error) => console.error(error))
  return {
    name: 'PostgreSQL',
    index: new PostgresCaseIndex(pool),
    async size() {
      const sql = `SELECT sum(pg_total_relation_size(inhrelid)) AS size FROM pg_inherits
        WHERE inhparent = 'case_row'::regclass`
      await server.run('VACUUM ANALYZE case_row')
      return Number((await server.run(sql))[0]?.size)
    },
    async close() {
      await pool.end()
      await server.close()
    },
  }
}

/** Milliseconds of each call. */
async function measureQuestion(
  index: CaseIndex,
  ask: (turn: number) => Parameters<CaseIndex['find']>[0],
): Promise<number[]> {
  const times: number[] = []
  await index.find(ask(0))
  const deadlineMs = performance.now() + QUESTION_LIMIT_MS
  for (let turn = 1; turn <= REPEATS && performance.now() < deadlineMs; turn++) {
    const query = ask(turn)
    const startedMs = performance.now()
    await index.find(query)
    times.push(performance.now() - startedMs)
  }
  return times
}

async function measureIndex({ name, index, size }: Opened, counts: ManyRows): Promise<void> {
  const cpu = () => cpuSeconds([process.pid])
  const all = counts.archived + counts.living
  const startedMs = performance.now()
  const before = cpu()
  for (const rows of manyRows(counts, BATCH)) await index.put(rows)
  const perRow = ((cpu() - before) / all) * MICROSECONDS_PER_SECOND
  const seconds = (performance.now() - startedMs) / 1_000
  const octets = await size()
  console.log(
    `${name}: ${all} rows in ${seconds.toFixed(0)} s, ${perRow.toFixed(0)} µs of CPU each; ` +
      `${(octets / all).toFixed(0)} octets for each row; ` +
      `this process has ${(process.memoryUsage.rss() / OCTETS_PER_MB).toFixed(0)} MB`,
  )
  for (const question of QUESTION_NAMES) {
    const cpuBefore = cpu()
    const times = await measureQuestion(index, (turn) => queryOf(question, turn, counts))
    const each = ((cpu() - cpuBefore) / (times.length + 1)) * 1_000
    const [p50, p99] = [0.5, 0.99].map((share) => quantile(times, share).toFixed(2))
    console.log(
      `  ${question.padEnd(28)} p50 ${p50?.padStart(9)} ms  p99 ${p99?.padStart(9)} ms  ` +
        `CPU ${each.toFixed(1).padStart(7)} ms`,
    )
  }
}

/** @param rows number of archived cases */
export async function searchMany(rows: number): Promise<RowReport> {
  const counts = { archived: rows, living: Math.round(rows * LIVING_SHARE) }
  const openings = [async () => openSqlite(), ...(withoutPostgres ? [] : [openPostgres])]
  for (const open of openings) {
    const opened = await open()
    try {
      await measureIndex(opened, counts)
    } finally {
      await opened.close()
    }
  }
  return {
    measured: `${counts.archived} archived and ${counts.living} living cases, above`,
    figures: [],
    ...(withoutPostgres && { skipped: [withoutPostgres] }),
  }
}
