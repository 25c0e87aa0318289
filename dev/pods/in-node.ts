/** Runs programs in the namespaces of the node. */
import { execFile, spawn, type ChildProcess } from 'node:child_process'
import { closeSync, existsSync, openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { CACHE, STATE } from './layout.ts'
import type { Programs } from './programs.ts'

const COMMAND_LIMIT_MS = 120_000
const MAXIMUM_OUTPUT_BYTES = 64 * 1024 * 1024
const POLL_MS = 200
const LOG_TAIL_CHARACTERS = 2_000
const PID_FILE = join(STATE, 'init.pid')

/** @returns id of process 1 of the node's namespaces; undefined when no node runs */
export function nodePid(): number | undefined {
  if (!existsSync(PID_FILE)) return undefined
  const pid = Number(readFileSync(PID_FILE, 'utf8'))
  try {
    // Another process may have the number of one that has ended.
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('node-init.sh') ? pid : undefined
  } catch {
    return undefined
  }
}

/** Variables with which unpacked programs find each other and their libraries. */
export function environmentFor({ packages, kubernetes, apiServer }: Programs) {
  const libraries = join(packages, 'usr/lib/x86_64-linux-gnu')
  const folders = [kubernetes, apiServer, join(packages, 'usr/bin'), join(packages, 'usr/sbin')]
  return {
    PATH: [...folders, '/usr/sbin', '/usr/bin', '/sbin', '/bin'].join(':'),
    LD_LIBRARY_PATH: libraries,
    XTABLES_LIBDIR: join(libraries, 'xtables'),
    HOME: STATE,
    SIGCASE_CACHE: CACHE,
  }
}

function nsenter(options: readonly string[]): string[] {
  const pid = nodePid()
  if (pid === undefined) throw new Error('no node runs')
  return ['--target', String(pid), '--mount', '--pid', ...options, '--']
}
const ALL = ['--net', '--ipc', '--uts']

/** Runs a program to its end. @returns its standard output @throws Error when it fails */
export async function runInNode(programs: Programs, command: readonly string[]): Promise<string> {
  const { stdout } = await promisify(execFile)('nsenter', [...nsenter(ALL), ...command], {
    env: environmentFor(programs),
    maxBuffer: MAXIMUM_OUTPUT_BYTES,
    timeout: COMMAND_LIMIT_MS,
  })
  return stdout
}

export interface Daemon {
  name: string
  child: ChildProcess
  log: string
}

/**
 * Starts a program that runs until the node ends, and does not wait for it.
 *
 * @param network whose network it has: the node's, or the machine's
 */
export function startInNode(
  programs: Programs,
  name: string,
  command: readonly string[],
  network: 'node' | 'machine' = 'node',
): Daemon {
  const log = join(STATE, 'logs', `${name}.log`)
  const file = openSync(log, 'a')
  const args = [...nsenter(network === 'node' ? ALL : []), ...command]
  const env = environmentFor(programs)
  const child = spawn('nsenter', args, { env, stdio: ['ignore', file, file], detached: true })
  child.unref()
  closeSync(file)
  return { name, child, log }
}

/**
 * Waits until something holds.
 *
 * @throws Error with the end of the log when the program ends first, or the time is up
 */
export async function waitFor(
  what: string,
  limitMs: number,
  holds: () => boolean | Promise<boolean>,
  daemon?: Daemon,
): Promise<void> {
  const deadlineMs = performance.now() + limitMs
  while (!(await holds())) {
    const hasEnded = daemon !== undefined && daemon.child.exitCode !== null
    if (hasEnded || performance.now() > deadlineMs) {
      const tail = daemon ? readFileSync(daemon.log, 'utf8').slice(-LOG_TAIL_CHARACTERS) : ''
      throw new Error(`${what}: not within ${limitMs / 1000} s\n${tail}`)
    }
    await sleep(POLL_MS)
  }
}

export const pidFile = PID_FILE
/** The Node that runs this program: the node's services run on it too. */
export const ownNode = process.execPath
