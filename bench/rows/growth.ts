/**
 * Row `growth`: what a restart costs when many cases have ended and are not archived: opening the
 * store of one machine, and the controller until it knows all cases.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { setImmediate } from 'node:timers/promises'
import { SqliteCaseStore } from '../../adapters/embedded/case-store.ts'
import { buildController } from '../../controllers/controller.ts'
import { uuidV5 } from '../../domain/ids.ts'
import { controllerDeps } from '../../test/fixtures/controller.ts'
import { settledCase } from '../../test/fixtures/settled-case.ts'
import { CASE_ID } from '../../test/fixtures/signature-case.ts'
import type { RowReport } from '../report.ts'
import { fillStore, type StoredCase } from './fill-store.ts'

const CASES = 20_000
const NOW = '2026-12-01T00:00:00.000Z'
const MICROSECONDS_PER_SECOND = 1e6
const OCTETS_PER_MB = 1e6
/** For 20,000 cases; 10 s for a million. */
const MUST_START_SECONDS = 0.2
const METRIC = 'sigcase_cases'

function* settledCases(count: number): Generator<StoredCase> {
  const made = settledCase()
  const [spec, status] = [JSON.stringify(made.spec), JSON.stringify(made.status)]
  for (let n = 0; n < count; n++) yield { caseId: uuidV5(CASE_ID, `ended ${n}`), spec, status }
}

interface Cost {
  seconds: number
  /** Rise of the resident memory. */
  megabytes: number
}

async function measure<T>(work: () => Promise<T>): Promise<Cost & { result: T }> {
  const cpu = process.cpuUsage()
  const memory = process.memoryUsage.rss()
  const result = await work()
  const { user, system } = process.cpuUsage(cpu)
  return {
    result,
    seconds: (user + system) / MICROSECONDS_PER_SECOND,
    megabytes: (process.memoryUsage.rss() - memory) / OCTETS_PER_MB,
  }
}

/** Starts a controller. @returns the number of cases that it counts after its first resync */
async function startOnce(cases: SqliteCaseStore): Promise<number> {
  const made = controllerDeps(NOW)
  // As on one machine, where the retention time is the same for all tenants.
  const retention = { ...made.retention, shortestDays: () => undefined }
  const deps = { ...made, cases, retention }
  const controller = buildController(deps)
  await controller.start()
  while (Object.keys(deps.metrics.of(METRIC)).length === 0) await setImmediate()
  const counts = Object.values(deps.metrics.of(METRIC))
  await controller.stop()
  return counts.reduce((sum, count) => sum + count, 0)
}

/** @param rows number of ended cases */
export async function growth(rows = CASES): Promise<RowReport> {
  const folder = mkdtempSync(join(tmpdir(), 'sigcase-growth-'))
  const path = join(folder, 'cases.sqlite')
  const open = async () => new SqliteCaseStore(path, () => new Date(NOW))
  try {
    fillStore(path, settledCases(rows))
    const upgraded = await measure(open)
    upgraded.result.close()
    const opened = await measure(open)
    const started = await measure(() => startOnce(opened.result))
    const again = await measure(() => startOnce(opened.result))
    opened.result.close()
    const text = ({ seconds, megabytes }: Cost) =>
      `${seconds.toFixed(2)} s of CPU and ${megabytes.toFixed(0)} MB`
    return {
      measured:
        `${rows} ended cases: first opening, which makes the index, ${text(upgraded)}; opening ` +
        `${text(opened)}; start of the controller ${text(started)}, once more ${text(again)}`,
      figures: [
        {
          of: 's of CPU from opening to the first resync',
          value: opened.seconds + started.seconds,
          better: 'less',
          must: (MUST_START_SECONDS * rows) / CASES,
        },
      ],
      ...(started.result === rows ? {} : { void: `the controller counts ${started.result} cases` }),
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
