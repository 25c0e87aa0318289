/** Starts, awaits and stops the processes of a control plane. */
import { spawn, type ChildProcess } from 'node:child_process'
import { closeSync, existsSync, openSync, readFileSync } from 'node:fs'
import { request } from 'node:https'
import { join } from 'node:path'
import process from 'node:process'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePorts } from '../../adapters/free-ports.ts'

export const LOOPBACK = '127.0.0.1'
/** Reached only when a process hangs: a machine with other work takes more than a minute. */
const READY_LIMIT_MS = 180_000
const READY_POLL_MS = 100
/** Time limit for the end of an API server, which drains its watches first. */
const END_LIMIT_MS = 5_000
const LOG_TAIL_CHARACTERS = 2_000

export interface Started {
  name: string
  child: ChildProcess
  log: string
}

/** `setpriv` kills a process when its parent has ended for any reason. */
const SETPRIV = '/usr/bin/setpriv'
export const WITH_PARENT = existsSync(SETPRIV) ? [SETPRIV, '--pdeathsig', 'KILL'] : []

/**
 * etcd and the API server collect garbage less often than Go's default (GOGC=100): they live for a
 * minute and have memory enough. It saves a tenth of the CPU time of each start.
 */
const GO_SETTINGS = { GOGC: '400' }

/** A process with its log in a file of the folder. */
export function start(
  folder: string,
  name: string,
  program: string,
  args: readonly string[],
): Started {
  const log = join(folder, `${name}.log`)
  const file = openSync(log, 'w')
  const [command = program, ...rest] = [...WITH_PARENT, program, ...args]
  const child = spawn(command, rest, {
    env: { ...GO_SETTINGS, ...process.env },
    stdio: ['ignore', file, file],
  })
  // Deno ends a test file when nothing is pending, and this process ends after that.
  child.unref()
  closeSync(file)
  return { name, child, log }
}

/** Starts an etcd without durable writes. */
export async function startEtcd(folder: string, program: string) {
  const [port, peerPort] = (await freePorts(2, LOOPBACK)) as [number, number]
  const url = `http://${LOOPBACK}:${port}`
  const peerUrl = `http://${LOOPBACK}:${peerPort}`
  const started = start(folder, 'etcd', program, [
    `--data-dir=${join(folder, 'etcd')}`,
    `--listen-client-urls=${url}`,
    `--advertise-client-urls=${url}`,
    `--listen-peer-urls=${peerUrl}`,
    `--initial-advertise-peer-urls=${peerUrl}`,
    `--initial-cluster=default=${peerUrl}`,
    '--unsafe-no-fsync',
  ])
  return { ...started, url }
}

/** Stops a running process with SIGTERM, then with SIGKILL after a time limit. */
export async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  child.ref()
  // Does not use `child.kill`, because on Deno it sends only one signal.
  const send = (signal: NodeJS.Signals) => process.kill(child.pid as number, signal)
  // A process that a test stopped (SIGSTOP) handles only SIGKILL and SIGCONT.
  send('SIGCONT')
  send('SIGTERM')
  const timer = setTimeout(() => send('SIGKILL'), END_LIMIT_MS)
  await ended
  clearTimeout(timer)
}

/** @returns the status, or undefined when nothing listens yet */
function statusOf(url: string, ca: string, token: string): Promise<number | undefined> {
  return new Promise((resolve) => {
    const headers = { authorization: `Bearer ${token}` }
    const sent = request(`${url}/readyz`, { ca, headers, agent: false, timeout: READY_LIMIT_MS })
    sent.on('response', (response) => {
      response.resume()
      resolve(response.statusCode)
    })
    sent.on('error', () => resolve(undefined))
    sent.end()
  })
}

function readIfThere(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

/** Waits until the API server is ready. @throws Error with the log of a process that ended */
export async function waitUntilReady(url: string, caPath: string, token: string, all: Started[]) {
  const deadlineMs = performance.now() + READY_LIMIT_MS
  while (performance.now() < deadlineMs) {
    for (const { name, child, log } of all) {
      if (child.exitCode === null) continue
      const tail = readIfThere(log).slice(-LOG_TAIL_CHARACTERS)
      throw new Error(`${name} ended with ${child.exitCode}: ${tail}`)
    }
    const ca = readIfThere(caPath)
    if (ca !== '' && (await statusOf(url, ca, token)) === 200) return
    await sleep(READY_POLL_MS)
  }
  throw new Error(`the API server was not ready within ${READY_LIMIT_MS / 1000} s`)
}
