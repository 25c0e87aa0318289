/**
 * Row `archive`: archiving ended cases on one machine, and what ended cases cost the controller at
 * its start before and after they were archived. The operations of the object store are counts,
 * which do not depend on the machine.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { setImmediate } from 'node:timers/promises'
import { SqliteCaseStore } from '../../adapters/embedded/case-store.ts'
import { FileObjectStore } from '../../adapters/embedded/object-store.ts'
import { archiveCase } from '../../application/archive/archive-case.ts'
import { buildController } from '../../controllers/controller.ts'
import { isArchiveDue } from '../../domain/cases/archive.ts'
import { uuidV5 } from '../../domain/ids.ts'
import type { ObjectStore } from '../../domain/ports/object-store.ts'
import { controllerDeps } from '../../test/fixtures/controller.ts'
import { settledCase } from '../../test/fixtures/settled-case.ts'
import { CASE_ID, keyring, TENANT } from '../../test/fixtures/signature-case.ts'
import type { RowReport } from '../report.ts'

const CASES = 2_000
const NOW = '2026-12-01T00:00:00.000Z'
const MICROSECONDS_PER_SECOND = 1e6
const MICROSECONDS_PER_MILLISECOND = 1e3
/** One record and one entry. */
const MUST_OPERATIONS = 2
/** Of CPU time; SQLite and the file system write and synchronise each case. */
const MUST_CASES_PER_SECOND = 200
/** What is left of the cost of the start. */
const MUST_SHARE = 0.2

/** Counts the operations of a store. */
function counted(objects: FileObjectStore): { objects: ObjectStore; count: () => number } {
  let operations = 0
  const proxy = new Proxy(objects, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name)
      if (typeof member !== 'function') return member
      return (...given: unknown[]) => {
        operations += 1
        return Reflect.apply(member, target, given)
      }
    },
  })
  return { objects: proxy, count: () => operations }
}

/** @returns microseconds of CPU time, user and system */
async function measureCpu(run: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage()
  await run()
  const { user, system } = process.cpuUsage(before)
  return user + system
}

async function createSettled(cases: SqliteCaseStore, index: number): Promise<string> {
  const { metadata, status, ...rest } = settledCase()
  const caseId = uuidV5(CASE_ID, `archived ${index}`)
  const created = await cases.create({ ...rest, metadata: { ...metadata, name: caseId } })
  await cases.replaceStatus({ ...created, status: status! })
  return caseId
}

/** Starts a controller, and stops it after its first resync. */
async function startOnce(cases: SqliteCaseStore): Promise<void> {
  const deps = { ...controllerDeps(NOW), cases }
  const controller = buildController(deps)
  await controller.start()
  while (Object.keys(deps.metrics.of('sigcase_cases')).length === 0) await setImmediate()
  await controller.stop()
}

/** The row; operations and CPU time are of one case. */
export async function archive(): Promise<RowReport> {
  const folder = mkdtempSync(join(tmpdir(), 'sigcase-archive-'))
  const now = () => new Date(NOW)
  const cases = new SqliteCaseStore(join(folder, 'cases.sqlite'), now)
  const files = new FileObjectStore({ folder, baseUrl: 'http://localhost', keyring })
  const { objects, count } = counted(files)
  const { alarm } = controllerDeps(NOW)
  try {
    const ids: string[] = []
    for (let index = 0; index < CASES; index++) ids.push(await createSettled(cases, index))
    await startOnce(cases)
    const before = await measureCpu(() => startOnce(cases))
    const isDue = (one: Parameters<typeof isArchiveDue>[0]) => isArchiveDue(one, 1, Date.parse(NOW))
    let archived = 0
    const cpu = await measureCpu(async () => {
      for (const caseId of ids) {
        const key = { tenant: TENANT, caseId }
        const outcome = await archiveCase(key, isDue, { cases, objects, keyring, alarm })
        if (outcome === 'archived') archived += 1
      }
    })
    const after = await measureCpu(() => startOnce(cases))
    const perSecond = CASES / (cpu / MICROSECONDS_PER_SECOND)
    const [from, to] = [before, after].map((time) =>
      (time / MICROSECONDS_PER_MILLISECOND).toFixed(0),
    )
    return {
      measured: `${CASES} cases; start of the controller ${from} ms of CPU before, ${to} ms after`,
      figures: [
        {
          of: 'operations of the object store for each case',
          value: count() / CASES,
          better: 'less',
          must: MUST_OPERATIONS,
        },
        {
          of: 'cases archived in one second of CPU',
          value: perSecond,
          better: 'more',
          must: MUST_CASES_PER_SECOND,
          informative: true,
        },
        {
          of: '× the CPU of the start with all cases',
          value: after / before,
          better: 'less',
          must: MUST_SHARE,
        },
      ],
      ...(archived < CASES && { void: `only ${archived} were archived` }),
    }
  } finally {
    cases.close()
    rmSync(folder, { recursive: true, force: true })
  }
}
