/**
 * Row `memory`: increase of the peak memory of a process that signs 25 MB, including the file.
 */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { LARGE, makePdf, SMALL } from '../inputs.ts'
import type { RowReport } from '../report.ts'

const CHILD = join(import.meta.dirname, 'memory-child.ts')
const ROUNDS = 5
const LIMIT_MS = 60_000

interface ChildReport {
  riseBytes: number
  fault?: string
}

function measure(folder: string): ChildReport {
  const { stdout, stderr, status } = spawnSync(process.execPath, [CHILD, folder], {
    encoding: 'utf8',
    timeout: LIMIT_MS,
  })
  if (status !== 0) return { riseBytes: Number.NaN, fault: `the child ended: ${stderr}` }
  return JSON.parse(stdout) as ChildReport
}

export async function memory(): Promise<RowReport> {
  const folder = mkdtempSync(join(tmpdir(), 'sigcase-bench-'))
  try {
    const file = makePdf(LARGE)
    writeFileSync(join(folder, 'large.pdf'), file)
    writeFileSync(join(folder, 'small.pdf'), makePdf(SMALL))
    const reports = Array.from({ length: ROUNDS }, () => measure(folder))
    const rises = reports.map(({ riseBytes }) => riseBytes).sort((a, b) => a - b)
    const rise = rises[ROUNDS >> 1] ?? Number.NaN
    const fault = reports.find((report) => report.fault !== undefined)?.fault
    return {
      measured: `${(rise / 1024 / 1024).toFixed(1)} MB, file and result included`,
      figures: [
        { of: '× the file', value: rise / file.length, better: 'less', must: 2.2, aim: 1.2 },
      ],
      ...(fault === undefined ? {} : { void: fault }),
    }
  } finally {
    rmSync(folder, { recursive: true })
  }
}
