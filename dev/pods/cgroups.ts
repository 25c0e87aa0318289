/**
 * Makes and removes the control groups of the node, the only thing that it shares with the machine.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { CGROUP } from './layout.ts'

const ROOT = '/sys/fs/cgroup'
const HIERARCHIES = [
  'cpu',
  'cpuacct',
  'cpuset',
  'memory',
  'devices',
  'freezer',
  'blkio',
  'pids',
  'systemd',
  'unified',
]
/**
 * Weight of all pods together: a group without one weighs as much as a single process of the
 * machine.
 */
const CPU_SHARES = 10 * 1024
/** Processes that were killed leave their group a moment later. */
const MAXIMUM_TRIES = 20
const RETRY_MS = 250

const folders = () => HIERARCHIES.map((name) => join(ROOT, name)).filter((path) => existsSync(path))

/** Makes a group for all pods in each hierarchy. */
export function makeCgroups(): void {
  for (const folder of folders()) {
    const own = join(folder, CGROUP)
    mkdirSync(own, { recursive: true })
    // A group of `cpuset` can hold processes once it has processors and memory.
    for (const name of ['cpuset.cpus', 'cpuset.mems']) {
      const path = join(own, name)
      if (folder.endsWith('/cpuset')) writeFileSync(path, readFileSync(join(folder, name)))
    }
    if (folder.endsWith('/cpu')) writeFileSync(join(own, 'cpu.shares'), String(CPU_SHARES))
  }
}

/** Removes a group with all below it. @returns whether all are gone */
function removeTree(folder: string): boolean {
  try {
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      if (entry.isDirectory()) removeTree(join(folder, entry.name))
    }
    rmdirSync(folder)
  } catch {
    // Still in use.
  }
  return !existsSync(folder)
}

/** @throws Error when a group stays */
export async function removeCgroups(): Promise<void> {
  for (const folder of folders()) {
    const own = join(folder, CGROUP)
    for (let tries = 0; existsSync(own) && !removeTree(own); tries++) {
      if (tries === MAXIMUM_TRIES) throw new Error(`${own} cannot be removed`)
      await sleep(RETRY_MS)
    }
  }
}
